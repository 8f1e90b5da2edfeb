package nodes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

func demoFrame(t *testing.T, width, height int, o themes.Options) views.Frame {
	t.Helper()
	return screentest.Frame(t, screentest.Demo(t), width, height, o)
}

func TestScreens(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 18}, {160, 39}, {200, 54}, {20, 5}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden.RequireEqual(t, screentest.Plain(New(), demoFrame(t, size.width, size.height, themes.Options{})))
		})
	}
	t.Run("ascii", func(t *testing.T) {
		text := screentest.Screen(New(), demoFrame(t, 160, 30, themes.Options{ASCII: true, NoColor: true}))
		screentest.CheckASCII(t, text)
		golden.RequireEqual(t, text)
	})
}

// A fault of a node's GPUs is named in its row, and an unmeasured value is not
// 0.
func TestTroubleIsAWord(t *testing.T) {
	text := screentest.Plain(New(), demoFrame(t, 200, 54, themes.Options{}))
	for node, says := range map[string]string{
		"gpu-a100-04": "Xid 79", "gpu-a100-02": "slow", "gpu-h100-06": "slow", "gpu-h100-11": "idle", "gpu-a100-06": "spinning",
	} {
		if row := rowOf(text, node); !strings.Contains(row, says) {
			t.Errorf("the row of %s does not say %q: %s", node, says, row)
		}
	}
	for _, node := range []string{"gpu-a100-05", "cpu-01"} {
		if row := rowOf(text, node); !strings.Contains(row, "–") || strings.Contains(row, "0 %") || strings.Contains(row, "0 °C") {
			t.Errorf("the row of %s, which nobody measures, is %s", node, row)
		}
	}
}

// GPUs that other namespaces may hold are not called free.
func TestRoomIsAtMostWhatIsSeen(t *testing.T) {
	confined := screentest.Frame(t, screentest.Confined(t, "vision"), 200, 54, themes.Options{})
	text := screentest.Plain(New(), confined)
	if !strings.Contains(text, "free at most, pods of other namespaces are out of sight") {
		t.Errorf("the title does not say that more may be held:\n%s", text)
	}
	if row := rowOf(text, "gpu-h100-06"); !strings.Contains(row, "<=8") {
		t.Errorf("a node whose pods are out of sight: %s", row)
	}
	if text := screentest.Plain(New(), demoFrame(t, 200, 54, themes.Options{})); strings.Contains(text, "<=") || strings.Contains(text, "at most") {
		t.Errorf("all pods are seen:\n%s", text)
	}
}

func rowOf(text, node string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, node+" ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// The list, the GPUs' screen and a node's page count free GPUs alike: those
// that a pod could get.
func TestFreeIsOneNumber(t *testing.T) {
	f := demoFrame(t, 200, 54, themes.Options{})
	free := f.Diagnosis.Signals().Free(f.Snapshot)
	if free.Dead == 0 || free.Lost == 0 {
		t.Fatalf("the demo has GPUs that nobody can get: %+v", free)
	}
	var texts []string
	for _, part := range New().Title(f).Parts {
		texts = append(texts, part.Text)
	}
	title := strings.Join(texts, ", ")
	if free.Free != free.Slices {
		t.Fatalf("all that is free in the demo is a MIG slice: %+v", free)
	}
	if want := fmt.Sprintf("%d slices free, %s", free.Slices, free.Rest()); !strings.Contains(title, want) {
		t.Errorf("the title %q does not say %q", title, want)
	}
}

// Nodes of one kind are in the order of their numbers.
func TestNodesAreInTheOrderOfTheirNumbers(t *testing.T) {
	s := store.New(time.Now)
	for _, name := range []string{"node-10", "node-2", "node-1"} {
		s.Apply(store.Set{Kind: kinds.NodeKind, Object: &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
		}})
	}
	v, f := New(), screentest.Frame(t, s.Snapshot(), 80, 18, themes.Options{})
	check := func() {
		t.Helper()
		text := screentest.Plain(v, f)
		one, two, ten := strings.Index(text, "node-1 "), strings.Index(text, "node-2 "), strings.Index(text, "node-10")
		if one < 0 || two < one || ten < two {
			t.Errorf("the order is\n%s", text)
		}
	}
	check()
	v.Do(keymap.SortName, f)
	check()
}

// The order is by trouble: what needs attention, then what has a warning, then the rest.
func TestNodesWithAWarningComeBeforeThoseWithout(t *testing.T) {
	text := screentest.Plain(New(), demoFrame(t, 200, 54, themes.Options{}))
	at := func(node string) int { return strings.Index(text, node+" ") }
	if !(at("gpu-a100-04") < at("gpu-h100-11") && at("gpu-h100-11") < at("gpu-h100-01")) || at("gpu-a100-04") < 0 {
		t.Errorf("a fallen GPU at %d, idle GPUs at %d, none at %d:\n%s", at("gpu-a100-04"), at("gpu-h100-11"), at("gpu-h100-01"), text)
	}
}
