package job

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

var nine = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// big is a store with a running PyTorchJob of some ranks of eight GPUs, a node
// each.
func big(ranks int) *store.Store {
	s := store.New(func() time.Time { return nine })
	s.Apply(store.Set{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"name": "llama", "namespace": "llm", "uid": "llama", "creationTimestamp": nine.Add(-5 * time.Hour).Format(time.RFC3339)},
		"spec": map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(ranks), "template": map[string]any{
			"spec": map[string]any{"containers": []any{map[string]any{"name": "pytorch", "resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "8"}}}}}}}}},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Running", "status": "True"}}},
	}}})
	for i := range ranks {
		s.Apply(store.Set{Kind: kinds.PodKind, Object: worker(i)})
	}
	return s
}

func worker(i int) *corev1.Pod {
	started := metav1.NewTime(nine.Add(-4 * time.Hour))
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "llm", Name: podOf(i), UID: types.UID(podOf(i)), CreationTimestamp: started,
			Labels: map[string]string{
				"training.kubeflow.org/job-name": "llama", "training.kubeflow.org/replica-type": "worker",
				"training.kubeflow.org/replica-index": fmt.Sprint(i), "training.kubeflow.org/operator-name": "pytorchjob-controller",
			},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "llama", UID: "llama", Controller: new(true)}},
		},
		Spec: corev1.PodSpec{NodeName: nodeOf(i), Containers: []corev1.Container{{
			Name: "pytorch", Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}},
		}}},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, StartTime: &started,
			Conditions:        []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "pytorch", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}}}},
		},
	}
}

func podOf(i int) string  { return fmt.Sprintf("llama-worker-%d", i) }
func nodeOf(i int) string { return fmt.Sprintf("gpu-%04d", i) }

// reading is the values of one GPU.
type reading struct{ use, power, tensor float64 }

// well is a GPU at full work.
var well = reading{97, 640, 0.45}

// measure applies readings of the exporter of each rank's node at some instant.
func measure(s *store.Store, ranks int, at time.Time, of func(rank, gpu int) reading) {
	for rank := range ranks {
		m := store.Measured{Source: "exporter/gpu/dcgm-" + nodeOf(rank), Node: nodeOf(rank), Every: 15 * time.Second}
		for gpu := range 8 {
			r := of(rank, gpu)
			reading := train.GPUReading{At: at, GPU: train.GPU{
				Node: nodeOf(rank), Index: fmt.Sprint(gpu), UUID: fmt.Sprintf("GPU-%08d-%04d", rank+1, gpu+1), Model: "NVIDIA H100 80GB HBM3",
				Namespace: "llm", Pod: podOf(rank), Container: "pytorch",
			}}
			reading.Values.Set(train.GPUUtilization, r.use)
			reading.Values.Set(train.GPUPower, r.power)
			reading.Values.Set(train.GPUTensorActive, r.tensor)
			reading.Values.Set(train.GPUMemoryUsed, 71000)
			reading.Values.Set(train.GPUMemoryTotal, 81559)
			m.Readings = append(m.Readings, reading)
		}
		s.Apply(m)
	}
}

// minutes measures every 15 s for some minutes until nine.
func minutes(s *store.Store, ranks, n int, of func(rank, gpu int) reading) {
	for at := nine.Add(-time.Duration(n) * time.Minute); !at.After(nine.Add(-5 * time.Second)); at = at.Add(15 * time.Second) {
		s.Apply(store.Clock{Now: at})
		measure(s, ranks, at, of)
		s.Snapshot() // events between two snapshots are thinned
	}
	s.Apply(store.Clock{Now: nine})
}

// screen draws the job's screen.
type screen struct {
	t     testing.TB
	store *store.Store
	v     *View
	f     views.Frame
}

func open(t testing.TB, s *store.Store, width, height int) *screen {
	t.Helper()
	theme, err := themes.Named("dark", themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sc := &screen{t: t, store: s, v: New(views.JobRoute{Job: "llama"})}
	sc.f = views.Frame{Width: width, Height: height, Theme: theme}
	return sc
}

// diagnosed analyses the newest snapshot.
func (s *screen) diagnosed() *screen {
	s.f.Diagnosis = diagnose.Run(s.store.Snapshot(), diagnose.Options{}, nil)
	return s
}

func (s *screen) coloured() []string {
	s.t.Helper()
	s.f.Snapshot = s.store.Snapshot()
	s.f.Ages = &draw.Ages{Now: s.f.Snapshot.Now}
	lines := s.v.Render(s.f)
	if len(lines) != s.f.Height {
		s.t.Errorf("%d lines for %d", len(lines), s.f.Height)
	}
	for _, line := range lines {
		if w := ansi.StringWidth(line); w > s.f.Width {
			s.t.Errorf("%d cells for %d: %q", w, s.f.Width, ansi.Strip(line))
		}
	}
	return lines
}

func (s *screen) draw() string {
	s.t.Helper()
	lines := s.coloured()
	for i := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}

func (s *screen) shows(texts ...string) {
	s.t.Helper()
	picture := s.draw()
	for _, text := range texts {
		if !strings.Contains(picture, text) {
			s.t.Errorf("%q is not in\n%s", text, picture)
		}
	}
}
