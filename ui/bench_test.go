package ui

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// manyJobs is a store with PyTorchJobs of ten ranks in all phases.
func manyJobs(n int) *store.Store {
	s := store.New(func() time.Time { return nine })
	kind := schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}
	for i := range n {
		name, namespace := fmt.Sprintf("train-%05d", i), fmt.Sprintf("team-%02d", i%20)
		word := []string{"Created", "Running", "Succeeded", "Failed", "Suspended"}[i%5]
		s.Apply(store.Set{Kind: kind, Object: &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
			"metadata": map[string]any{"name": name, "namespace": namespace, "uid": name, "creationTimestamp": nine.Add(-time.Duration(i) * time.Minute).Format(time.RFC3339)},
			"spec": map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(10), "template": map[string]any{
				"spec": map[string]any{"containers": []any{map[string]any{"name": "pytorch", "resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "8"}}}}}}}}},
			"status": map[string]any{"conditions": []any{map[string]any{"type": word, "status": "True", "reason": "PyTorchJob" + word, "message": "the job is " + word}}},
		}}})
	}
	return s
}

// BenchmarkKey is one Update and View at 160x50: the cursor moves.
func BenchmarkKey(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("jobs=%d", n), func(b *testing.B) {
			m := benchModel(b, manyJobs(n))
			keys := []tea.Msg{keyPress("down"), keyPress("pgdown"), keyPress("up"), keyPress("pgup")}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m.Update(keys[i%len(keys)])
				_ = m.View()
			}
		})
	}
}

// BenchmarkPicture is one Update and View after a job changed.
func BenchmarkPicture(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("jobs=%d", n), func(b *testing.B) {
			s := manyJobs(n)
			m := benchModel(b, s)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				s.Apply(store.Set{Kind: kinds.PodKind, Object: ownedPod(i)})
				p := snapshotTaken{s, s.Snapshot()}
				b.StartTimer()
				m.Update(p)
				_ = m.View()
			}
		})
	}
}

func ownedPod(i int) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "team-00", Name: fmt.Sprint("train-00000-worker-", i%10), OwnerReferences: []metav1.OwnerReference{{
		APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "train-00000", UID: "train-00000", Controller: new(true),
	}}}, Status: corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &metav1.Time{Time: nine.Add(-time.Duration(i) * time.Second)}}}
}

func benchModel(tb testing.TB, s *store.Store) *model {
	tb.Helper()
	m, err := newModel(context.Background(), Options{Session: Session{Store: s, Context: "bench"}, Width: 160, Height: 50})
	if err != nil {
		tb.Fatal(err)
	}
	m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
	return m
}

// The cost of a key must not grow with the number of jobs. The test counts
// allocations, since they do not depend on the machine.
func TestAKeyCostsTheSameForAnyNumberOfJobs(t *testing.T) {
	cost := func(n int) float64 {
		m := benchModel(t, manyJobs(n))
		return testing.AllocsPerRun(20, func() {
			m.Update(keyPress("down"))
			_ = m.View()
		})
	}
	few, many := cost(100), cost(3_000)
	if many > few*1.1 {
		t.Errorf("a key allocates %.0f times with 100 jobs and %.0f times with 3,000", few, many)
	}
}

// BenchmarkBar is the bar of a copy.
func BenchmarkBar(b *testing.B) {
	m := benchModel(b, manyJobs(10))
	b.ReportAllocs()
	for b.Loop() {
		_ = m.painter.bar(0.3)
	}
}
