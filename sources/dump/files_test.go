package dump

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// heard is what a sink was told.
type heard struct {
	objects map[string]kinds.Object // by namespace/Kind/name
	health  map[string]train.Health
	now     time.Time
}

func (h *heard) Apply(events ...store.Event) {
	for _, event := range events {
		switch e := event.(type) {
		case store.Set:
			h.objects[e.Object.GetNamespace()+"/"+e.Kind.Kind+"/"+e.Object.GetName()] = e.Object
		case store.HealthChanged:
			h.health[e.Health.Source] = e.Health
		case store.Clock:
			h.now = e.Now
		}
	}
}

// read runs the source over paths.
func read(t *testing.T, o Options, paths ...string) (*heard, *Files, error) {
	t.Helper()
	h := &heard{objects: map[string]kinds.Object{}, health: map[string]train.Health{}}
	files := New(paths, o)
	err := files.Run(t.Context(), h)
	return h, files, err
}

// write puts text into a file of a fresh folder and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadsWhatKubectlPrints(t *testing.T) {
	h, files, err := read(t, Options{}, "testdata/pytorch-crashloop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	pod, isPod := h.objects["vision/Pod/clip-worker-1"].(*corev1.Pod)
	if !isPod {
		t.Fatalf("no typed pod; objects are %v", h.objects)
	}
	if pod.Status.ContainerStatuses[0].LastTerminationState.Terminated == nil {
		t.Error("the pod's last termination is lost")
	}
	if want := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC); h.now.Sub(want).Abs() > time.Hour {
		t.Errorf("clock pinned to %v", h.now)
	}
	if got := h.health["file testdata/pytorch-crashloop.yaml"]; got.State != train.SourceRead {
		t.Errorf("health is %+v", got)
	}
	if n := files.Summary().Objects[schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}]; n != 1 {
		t.Errorf("counted %d PyTorchJobs", n)
	}
}

func TestNothingReadIsAnError(t *testing.T) {
	_, _, err := read(t, Options{}, "testdata/no-such-file.yaml")
	if err == nil || !strings.Contains(err.Error(), "no-such-file.yaml: no such file") {
		t.Errorf("error is %v", err)
	}
}
