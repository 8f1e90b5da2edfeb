package gpus

import (
	"fmt"
	"github.com/traintop/traintop/views"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/testdata"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views/screentest"
)

func TestScreens(t *testing.T) {
	snapshot := screentest.Demo(t)
	for _, size := range []struct{ width, height int }{{80, 18}, {160, 39}, {200, 54}, {40, 5}, {20, 5}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden.RequireEqual(t, screentest.Plain(New(), screentest.Frame(t, snapshot, size.width, size.height, themes.Options{})))
		})
	}
	t.Run("map by job", func(t *testing.T) {
		v, f := New(), screentest.Frame(t, snapshot, 120, 20, themes.Options{})
		v.Do(keymap.GPUColours, f)
		v.Do(keymap.GPUParts, f)
		golden.RequireEqual(t, screentest.Screen(v, f))
	})
	for name, o := range map[string]themes.Options{"dark": {}, "light": {Light: true}, "plain": {NoColor: true}, "ascii": {ASCII: true, NoColor: true}} {
		t.Run(name, func(t *testing.T) {
			f := screentest.Frame(t, snapshot, 100, 24, o)
			if o.Light {
				f.Theme, _ = themes.Named("light", o)
			}
			text := screentest.Screen(New(), f)
			if o.ASCII {
				screentest.CheckASCII(t, text)
			}
			golden.RequireEqual(t, text)
		})
	}
}

// The one slow GPU among 64 of a job is labelled in the map, in a colour that
// no healthy cell has.
func TestTheSlowGPUStandsOut(t *testing.T) {
	snapshot := screentest.Demo(t)
	v, f := New(), screentest.Frame(t, snapshot, 160, 40, themes.Options{})
	lines := v.Render(f)
	for i, line := range lines {
		at := strings.Index(ansi.Strip(line), "gpu-h100-06")
		if at < 0 {
			continue
		}
		if below := ansi.Strip(lines[i+1]); !strings.Contains(below, "llama-70b slow") {
			t.Errorf("below gpu-h100-06 stands %q", below)
		}
		open := f.Theme.Open(themes.Waiting, false)
		if _, after, found := strings.Cut(line, "gpu-h100-06"); !found || strings.Count(after, open) != 1 {
			t.Errorf("the cell has no colour of its own: %q", after)
		}
		return
	}
	t.Error("the node is not in the map")
}

func choose(t *testing.T, v *View, node, index string) {
	t.Helper()
	for _, r := range v.Table.Rows() {
		if r.GPU.Node == node && r.GPU.Index == index {
			v.Select(r.Key)
			return
		}
	}
	t.Fatalf("there is no GPU %s of %s", index, node)
}

func TestEnterLeadsToTheRankThatHoldsIt(t *testing.T) {
	snapshot := screentest.Demo(t)
	v, f := New(), screentest.Frame(t, snapshot, 160, 40, themes.Options{})
	v.Render(f)
	choose(t, v, "gpu-h100-06", "3")
	effect, _ := v.Do(keymap.Open, f)
	rank, is := screentest.RouteOf[views.RankRoute](effect)
	job := snapshot.Job(rank.Job)
	if !is || job == nil || job.Ref.Name != "llama-70b" || job.Ranks[rank.Rank].Pod != "llama-70b-worker-4" {
		t.Errorf("enter goes to %+v", effect)
	}
	effect, _ = v.Do(keymap.OpenLogs, f)
	if logs, is := screentest.RouteOf[views.LogsRoute](effect); !is || len(logs.Ranks) != 1 {
		t.Errorf("the log is that of %+v", effect)
	}
	choose(t, v, "gpu-a100-04", "7")
	effect, _ = v.Do(keymap.Open, f)
	if node, is := screentest.RouteOf[views.NodeRoute](effect); !is || node.Name != "gpu-a100-04" {
		t.Errorf("enter on a GPU that nobody holds goes to %+v", effect)
	}
}

func TestCursorStaysOnItsGPU(t *testing.T) {
	s := cluster(20)
	v := New()
	f := screentest.Frame(t, s.Snapshot(), 120, 30, themes.Options{})
	v.Render(f)
	choose(t, v, "gpu-0011", "5")
	on := func(why string) {
		t.Helper()
		if r, _ := v.Current(); r.GPU.Node != "gpu-0011" || r.GPU.Index != "5" {
			t.Errorf("%s, the cursor is on GPU %s of %s", why, r.GPU.Index, r.GPU.Node)
		}
	}
	v.Do(keymap.SortUse, f)
	v.Render(f)
	on("sorted")
	s.Apply(measuredOn(0, 3))
	s.Apply(store.Measured{Source: "exporter/gpu-0003", Node: "gpu-0003"})
	f = screentest.Frame(t, s.Snapshot(), 120, 30, themes.Options{})
	v.Render(f)
	on("after new readings")
	v.Do(keymap.GPURight, f)
	if r, _ := v.Current(); r.GPU.Index != "6" {
		t.Errorf("to the right of 5 is %s", r.GPU.Index)
	}
	for range 2 {
		v.Do(keymap.GPURight, f)
	}
	if r, _ := v.Current(); r.GPU.Node != "gpu-0012" || r.GPU.Index != "0" {
		t.Errorf("after the last of a node comes GPU %s of %s", r.GPU.Index, r.GPU.Node)
	}
}

// A click on each cell of the map chooses the GPU that is drawn there.
func TestClickChoosesTheCell(t *testing.T) {
	v := New()
	f := screentest.Frame(t, cluster(64).Snapshot(), 120, 30, themes.Options{})
	lines := v.Render(f)
	hits := 0
	for y := range v.drawn.mapLines {
		line := ansi.Strip(lines[y])
		for _, node := range []string{"gpu-0000", "gpu-0003", "gpu-0004"} {
			at := strings.Index(line, node)
			if at < 0 {
				continue
			}
			x := len([]rune(line[:at])) + len(node) + 1 + 6
			v.Click(x, y, false, f)
			if r, _ := v.Current(); r.GPU.Node != node || r.GPU.Index != "6" {
				t.Errorf("a click on GPU 6 of %s chose GPU %s of %s", node, r.GPU.Index, r.GPU.Node)
			}
			hits++
		}
		if hits > 0 {
			break // the map may have scrolled
		}
	}
	if hits == 0 {
		t.Error("no node was found in the map")
	}
}

// Numbers are greyed after three intervals and gone after twelve.
func TestOldNumbersFade(t *testing.T) {
	s := cluster(1)
	at := func(age time.Duration) string {
		snapshot := *s.Snapshot()
		snapshot.Now = instant.Add(age)
		v := New()
		f := screentest.Frame(t, &snapshot, 140, 20, themes.Options{})
		return v.Title(f).Text + strings.Join(v.Render(f), "\n")
	}
	dim := func(s string) string {
		f := screentest.Frame(t, s0(), 1, 1, themes.Options{})
		return f.Theme.Open(themes.Dim, false) + s
	}
	if fresh := at(20 * time.Second); strings.Contains(fresh, dim("▇")) || !strings.Contains(fresh, "97 %") {
		t.Errorf("fresh numbers are greyed:\n%s", fresh)
	}
	if stale := at(time.Minute); !strings.Contains(stale, dim("█")) || !strings.Contains(ansi.Strip(stale), "97 %") {
		t.Errorf("stale numbers are not greyed:\n%s", stale)
	}
	if gone := ansi.Strip(at(10 * time.Minute)); strings.Contains(gone, "97 %") {
		t.Errorf("expired numbers are still there:\n%s", gone)
	}
}

func s0() *store.Snapshot { return store.New(func() time.Time { return instant }).Snapshot() }

func TestWithoutNumbersItSaysWhy(t *testing.T) {
	s := store.New(nil)
	if err := dump.New([]string{"cluster.yaml", "llm.yaml"}, dump.Options{FS: testdata.Demo}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	says := func(s *store.Store, want ...string) {
		t.Helper()
		text := screentest.Plain(New(), screentest.Frame(t, s.Snapshot(), 140, 30, themes.Options{}))
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%q is not in\n%s", w, text)
			}
		}
	}
	says(s, "nothing measures these GPUs", "llama-70b", "––––", "84 not measured")
	s.Apply(store.HealthChanged{Health: train.Health{Source: "exporters", State: train.SourceForbidden, Text: "get pods/proxy in gpu-operator was refused"}})
	says(s, "exporters: get pods/proxy in gpu-operator was refused")
	empty := store.New(func() time.Time { return instant })
	empty.Apply(store.HealthChanged{Health: train.Health{Source: "api", State: train.SourceLive}})
	says(empty, "no GPUs: no node offers any")
	unheld := store.New(nil)
	if err := dump.New([]string{"cluster.yaml"}, dump.Options{FS: testdata.Demo}).Run(t.Context(), unheld); err != nil {
		t.Fatal(err)
	}
	says(unheld, "GPUs 162", "no GPU is held or measured, as far as was read", ":nodes")
}

// A source that names no pods measures GPUs all the same.
func TestAMeasuredGPUWhoseHolderIsUnknown(t *testing.T) {
	s := store.New(func() time.Time { return instant })
	s.Apply(store.Measured{Source: "file", Node: "n", Readings: []train.GPUReading{reading("n", "0", "", 97)}})
	text := screentest.Plain(New(), screentest.Frame(t, s.Snapshot(), 140, 30, themes.Options{}))
	if !strings.Contains(text, "holder unknown") || strings.Contains(text, "n    not measured") {
		t.Errorf("a GPU at 97 %%:\n%s", text)
	}
}

// Whatever names and numbers there are, the screen keeps to its size and no
// escape sequence reaches the terminal.
func TestHostileAndAbsurd(t *testing.T) {
	s := store.New(func() time.Time { return instant })
	s.Apply(store.HealthChanged{Health: train.Health{Source: "exporters", State: train.SourceForbidden, Text: "no \x1b]0;x\x07 right"}})
	var all []train.GPUReading
	hostile := reading("n\x1b[2Jode", "\x1b[31m7", "p\x07od\n", 50)
	hostile.GPU.UUID = "GPU-0001aaaa"
	noIndex := reading("plain", "", "", 10)
	noIndex.GPU.UUID = "GPU-0002bbbb"
	nameless := train.GPUReading{At: instant}
	all = append(all, hostile, noIndex, nameless)
	for i := range 5000 {
		r := reading("sliced", "0", fmt.Sprint("p-", i), 20)
		r.GPU.MIG = train.MIG{Profile: "1g.10gb", Instance: fmt.Sprint(i)}
		all = append(all, r)
	}
	for i := range 3 {
		r := reading("shared", "0", fmt.Sprint("q-", i), 90)
		r.GPU.Share = fmt.Sprint(i)
		all = append(all, r)
	}
	s.Apply(store.Measured{Source: "x", Readings: all})
	snapshot := s.Snapshot()
	for _, width := range []int{1, 2, 7, 20, 33, 80, 200} {
		for _, height := range []int{1, 2, 3, 5, 8, 13, 40} {
			v := New()
			f := screentest.Frame(t, snapshot, width, height, themes.Options{})
			for range int(partsCount) {
				lines := v.Render(f)
				if len(lines) != height {
					t.Errorf("%d lines on %dx%d", len(lines), width, height)
				}
				for _, line := range lines {
					if ansi.StringWidth(line) > width {
						t.Errorf("%dx%d: %q is too wide", width, height, line)
					}
					if strings.ContainsAny(line, "\x07\n") || strings.Contains(line, "\x1b[2J") || strings.Contains(line, "\x1b]") {
						t.Errorf("%q reaches the terminal", line)
					}
				}
				v.Do(keymap.GPUParts, f)
				for y := range height {
					v.Click(width/2, y, false, f)
				}
			}
		}
	}
}

// Other pods of the node cannot see a GPU that none of them holds: no command
// runs in one of them in its place.
func TestNothingIsRunForAGPUThatIsFree(t *testing.T) {
	s := store.New(func() time.Time { return instant })
	held, free := reading("n", "0", "w-0", 97), reading("n", "1", "", 0)
	s.Apply(store.Measured{Source: "exporter/n", Node: "n", Readings: []train.GPUReading{held, free}, Every: 15 * time.Second})
	v := New()
	f := screentest.Frame(t, s.Snapshot(), 160, 40, themes.Options{})
	v.Render(f)
	for _, at := range []struct {
		gpu     string
		says    string
		handled bool
		kind    string
	}{{held.GPU.UUID, "", false, "Pod"}, {free.GPU.UUID, "nothing holds GPU 1 of node n", true, "Node"}} {
		v.Select(v.all[slices.IndexFunc(v.all, func(r *row) bool { return r.GPU.UUID == at.gpu })].Key)
		for _, action := range []keymap.Action{keymap.Shell, keymap.ForwardPort, keymap.ShowProbes} {
			effect, handled := v.Do(action, f)
			if handled != at.handled || !strings.Contains(screentest.In[views.Notice](effect).Text, at.says) || screentest.In[views.Notice](effect).Failed != at.handled {
				t.Errorf("%s on GPU %s: %+v, %t", action, at.gpu, effect, handled)
			}
		}
		if chosen := v.Selected(f); len(chosen) != 1 || chosen[0].Kind != at.kind {
			t.Errorf("GPU %s stands for %v", at.gpu, chosen)
		}
	}
	for _, r := range v.all {
		v.Select(r.Key)
		v.Do(keymap.Mark, f)
	}
	if chosen := v.Selected(f); len(chosen) != 1 || chosen[0].Name != "w-0" {
		t.Errorf("both stand for %v", chosen)
	}
}

// GPUs that nobody holds are free only where a pod could get them.
func TestOnlySchedulableGPUsAreCalledFree(t *testing.T) {
	s := store.New(func() time.Time { return instant })
	s.Apply(store.Listed{Kind: kinds.PodKind})
	for i, name := range []string{"open", "closed"} {
		eight := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}}
		node.Spec.Unschedulable = i == 1
		node.Status = corev1.NodeStatus{Capacity: eight, Allocatable: eight, Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}}
		var all []train.GPUReading
		for gpu := range 8 {
			all = append(all, reading(name, fmt.Sprint(gpu), "", 0))
		}
		s.Apply(store.Set{Kind: kinds.NodeKind, Object: node}, store.Measured{Source: "exporter/" + name, Node: name, Readings: all, Every: 15 * time.Second})
	}
	v, f := New(), screentest.Frame(t, s.Snapshot(), 100, 20, themes.Options{})
	screen := screentest.Plain(v, f)
	lines := strings.Split(screen, "\n")
	if !strings.Contains(lines[1], "closed") || !strings.Contains(lines[2], "cordoned") || strings.Count(lines[2], "free") != 1 {
		t.Errorf("got\n%s", screen)
	}
	v.Do(keymap.GPUParts, f)
	v.Do(keymap.GPUParts, f)
	_, table, _ := strings.Cut(screentest.Plain(v, f), "\n") // without the title
	if strings.Count(table, "cordoned") != 8 || strings.Count(table, "free") != 8 {
		t.Errorf("the table has\n%s", table)
	}
}

// The heading of one namespace counts its GPUs alone: those that are free are nobody's.
func TestTheHeadingOfOneNamespace(t *testing.T) {
	s := store.New(func() time.Time { return instant })
	s.Apply(store.Listed{Kind: kinds.PodKind})
	eight := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", UID: "n"}}
	node.Status = corev1.NodeStatus{Capacity: eight, Allocatable: eight, Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "w-0", Namespace: "ml", UID: "w-0"}}
	pod.Spec.NodeName, pod.Status.Phase = "n", corev1.PodRunning
	pod.Spec.Containers = []corev1.Container{{Name: "main", Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}}}}
	s.Apply(store.Set{Kind: kinds.NodeKind, Object: node}, store.Set{Kind: kinds.PodKind, Object: pod},
		store.Measured{Source: "exporter/n", Node: "n", Readings: []train.GPUReading{reading("n", "0", "w-0", 97), reading("n", "1", "", 0)}, Every: 15 * time.Second})
	for namespace, want := range map[string]string{"": "GPUs 8 on 1 node 1 busy 7 free", "ml": "GPUs 1 on 1 node 1 busy"} {
		f := screentest.Frame(t, s.Snapshot(), 120, 20, themes.Options{})
		f.Namespace = namespace
		title := New().Title(f)
		text := title.Text
		for _, part := range title.Parts {
			text += " " + part.Text
		}
		if text != want {
			t.Errorf("namespace %q: %q, want %q", namespace, text, want)
		}
	}
}

// Nodes are in the order of their numbers, in the map as in the table.
func TestNodesAreInTheOrderOfTheirNumbers(t *testing.T) {
	s := store.New(func() time.Time { return instant })
	for _, n := range []string{"10", "2", "1"} {
		name := "node-" + n
		s.Apply(store.Measured{Source: "exporter/" + name, Node: name, Readings: []train.GPUReading{reading(name, "0", "w-"+n, 97)}, Every: 15 * time.Second})
	}
	screen := screentest.Plain(New(), screentest.Frame(t, s.Snapshot(), 160, 39, themes.Options{}))
	_, table, _ := strings.Cut(screen, "JOB, RANK")
	for part, text := range map[string]string{"map": screen, "table": table} {
		second, tenth := strings.Index(text, "node-2"), strings.Index(text, "node-10")
		if second < 0 || tenth < second {
			t.Errorf("the %s:\n%s", part, screen)
		}
	}
}
