package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/cli/findingmarks"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

func useCache(t *testing.T) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
}

func nodeIs(name string, ready corev1.ConditionStatus) store.Event {
	return store.Set{Kind: kinds.NodeKind, Object: &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}}},
	}}
}

// ready counts the nodes of a snapshot, and those that are ready.
func ready(s *store.Snapshot) (nodes, ready int) {
	for _, node := range s.Nodes() {
		nodes++
		if node.Ready {
			ready++
		}
	}
	return nodes, ready
}

func TestARunIsGoneBackOver(t *testing.T) {
	useCache(t)
	clock := clocktesting.NewFakeClock(time.Now())
	s := &session{store: store.New(clock.Now)}
	r, err := keepRewind(s, 1<<20, clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	sink := allSinks{r, s.store}
	if from, _ := r.Span(); !from.IsZero() {
		t.Error("something can be gone back to before anything was kept")
	}
	began := clock.Now()
	minute := func(events ...store.Event) {
		sink.Apply(events...)
		r.Watched(s.store.Snapshot(), diagnose.Run(s.store.Snapshot(), diagnose.Options{}, nil))
		clock.Step(time.Minute)
	}
	minute(nodeIs("a", corev1.ConditionTrue), store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceLive}})
	minute(nodeIs("b", corev1.ConditionTrue))
	minute(nodeIs("a", corev1.ConditionFalse))
	if at, err := r.Instant("-2m"); err != nil || !at.Equal(clock.Now().Add(-2*time.Minute)) {
		t.Errorf("the first instant that is typed is %s, %v", at, err)
	}
	if from, to := r.Span(); !from.Equal(began) || !to.Equal(clock.Now()) {
		t.Errorf("it spans %v to %v", from, to)
	}
	deadline := time.Now().Add(20 * time.Second)
	var shown *store.Store
	for { // until it is in the file: that is written on its own clock
		if shown, err = r.Load(t.Context(), began.Add(150*time.Second), s.store.Snapshot()); err != nil {
			t.Fatal(err)
		}
		if nodes, well := ready(shown.Snapshot()); nodes == 2 && well == 1 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("what happened half a minute ago never came into the file")
		}
		time.Sleep(50 * time.Millisecond)
		clock.Step(3 * time.Second)
	}
	for at, want := range map[time.Duration][2]int{30 * time.Second: {1, 1}, 90 * time.Second: {2, 2}, 150 * time.Second: {2, 1}} {
		shown, err := r.Load(t.Context(), began.Add(at), s.store.Snapshot())
		if err != nil {
			t.Fatal(err)
		}
		if nodes, well := ready(shown.Snapshot()); [2]int{nodes, well} != want {
			t.Errorf("%v: %d nodes, %d ready, want %v", at, nodes, well, want)
		}
		for _, h := range shown.Snapshot().Health() {
			if h.Source != "kube" {
				t.Errorf("%v: a source of its own: %+v", at, h)
			}
		}
	}
	shown, err = r.Load(t.Context(), began.Add(30*time.Second), s.store.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Next(t.Context(), began.Add(100*time.Second)); err != nil {
		t.Fatal(err)
	}
	if nodes, well := ready(shown.Snapshot()); nodes != 2 || well != 2 {
		t.Errorf("played on: %d nodes, %d ready", nodes, well)
	}
	moments, err := r.Moments(t.Context())
	for err == nil && len(moments) == 0 && time.Now().Before(deadline) { // marks are written on the file's own clock, too
		time.Sleep(50 * time.Millisecond)
		clock.Step(3 * time.Second)
		moments, err = r.Moments(t.Context())
	}
	if err != nil || len(moments) == 0 || !strings.Contains(moments[0].Text, "node a") {
		t.Errorf("moments: %v, %v", moments, err)
	}
	r.close()
	if left, _ := filepath.Glob(filepath.Join(rewindFolder(), "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWhatARunThatDiedLeftIsRemoved(t *testing.T) {
	useCache(t)
	if err := os.MkdirAll(rewindFolder(), 0o700); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(rewindFolder(), "1-1.ttrec")
	if err := os.WriteFile(left, []byte("traintop recording v1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := keepRewind(&session{store: store.New(time.Now)}, 1<<20, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	if _, err := os.Stat(left); err == nil {
		t.Error("it is still there")
	}
	if info, err := os.Stat(r.path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can read what was seen: %v, %v", info, err)
	}
}

func TestTheSizeOfThePast(t *testing.T) {
	for text, want := range map[string]int64{
		"": config.DefaultRewind, "rewind: off": 0, "rewind: \"off\"": 0, "rewind: 1Gi": 1 << 30, "rewind: 5000000": 5_000_000,
		"rewind: 12": config.DefaultRewind, "rewind: much": config.DefaultRewind, "rewind: [1]": config.DefaultRewind,
	} {
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, warnings, err := config.Read(path)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := c.Rewinding(); got != want {
			t.Errorf("%q keeps %d bytes, want %d", text, got, want)
		}
		if wrong := want == config.DefaultRewind && text != "" && !strings.Contains(text, "off"); wrong != (len(warnings) == 1) {
			t.Errorf("%q: warnings %q", text, warnings)
		}
	}
}

func TestFindingsAreMarkedWhenTheyCome(t *testing.T) {
	s := store.New(time.Now)
	s.Apply(store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceLive}})
	var f findingmarks.Marks
	var texts []string
	look := func() {
		of := s.Snapshot()
		for _, mark := range f.Next(of, diagnose.Run(of, diagnose.Options{}, nil)) {
			texts = append(texts, fmt.Sprint(mark.Kind, mark.Trouble, " ", mark.Text))
		}
	}
	look()
	if err := dump.New([]string{"testdata/pending.yaml"}, dump.Options{Now: time.Now}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	look()
	look()
	if len(texts) != 1 || !strings.HasPrefix(texts[0], "findingtrue llm/PyTorchJob/llama-70b: ") {
		t.Errorf("marked: %q", texts)
	}
}
