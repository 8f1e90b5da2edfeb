package watcher

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/wait"
)

var pyTorchJob = schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}

// newSink waits for all jobs to run.
func newSink(t testing.TB, names ...string) (*Sink, *store.Store) {
	t.Helper()
	conditions, err := wait.ParseConditions([]string{"running"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	s := store.New(func() time.Time { return now })
	w := wait.New(wait.Options{Conditions: conditions, Names: names, Wanted: func(_ *store.Snapshot, job *train.Job) (bool, []int) {
		i := slices.Index(names, job.Ref.Name)
		return i >= 0, []int{i}
	}}, now)
	return New(s, w, func(*store.Snapshot) time.Time { return now }, true), s
}

// job is a PyTorchJob of so many workers, with a condition that the operator sets.
func job(name string, workers int, condition string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"namespace": "ml", "name": name, "uid": name},
		"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(workers)}}},
		"status":   map[string]any{"conditions": []any{map[string]any{"type": condition, "status": "True"}}},
	}}
}

func pod(of string, index int, phase corev1.PodPhase) *corev1.Pod {
	yes := true
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ml", Name: fmt.Sprintf("%s-worker-%d", of, index), UID: types.UID(fmt.Sprintf("%s-%d", of, index)),
			Labels:          map[string]string{"training.kubeflow.org/job-name": of, "training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": fmt.Sprint(index)},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: of, UID: types.UID(of), Controller: &yes}},
		},
		Spec:   corev1.PodSpec{NodeName: "n-" + of, Containers: []corev1.Container{{Name: "pytorch"}}},
		Status: corev1.PodStatus{Phase: phase, ContainerStatuses: []corev1.ContainerStatus{{Name: "pytorch", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}},
	}
}

func set(o kinds.Object) store.Event {
	if p, is := o.(*corev1.Pod); is {
		return store.Set{Kind: kinds.PodKind, Object: p}
	}
	return store.Set{Kind: pyTorchJob, Object: o}
}

func gone(p *corev1.Pod) store.Event {
	return store.Deleted{Kind: kinds.PodKind, Namespace: p.Namespace, Name: p.Name, UID: string(p.UID)}
}

// over is the state of the wait.
func over(k *Sink) (outcome wait.Outcome) {
	k.Do(func(w *wait.Wait) { outcome, _ = w.Over() })
	return outcome
}

func woken(k *Sink) bool {
	select {
	case <-k.Woken():
		return true
	default:
		return false
	}
}

// An object that comes twice in one batch had two states, and both count.
func TestEachStateOfABatchIsSeen(t *testing.T) {
	k, _ := newSink(t, "a")
	k.Apply(store.Listed{Kind: pyTorchJob}, store.Listed{Kind: kinds.PodKind})
	k.Release()
	if woken(k); over(k) != "" {
		t.Fatal("it is over before there is a job")
	}
	runs := pod("a", 0, corev1.PodRunning)
	k.Apply(set(job("a", 1, "Created")), set(pod("a", 0, corev1.PodPending)), set(runs), gone(runs), set(job("a", 1, "Failed")))
	if got := over(k); got != wait.Reached || !woken(k) {
		t.Errorf("it is %q", got)
	}
}

// Before every list was answered a job is known in part. An event of that time
// counts all the same.
func TestNothingIsDecidedBeforeTheListsCame(t *testing.T) {
	k, s := newSink(t, "a")
	k.Apply(store.Listed{Kind: pyTorchJob, Objects: []kinds.Object{job("a", 2, "Running")}}) // before its pods
	if got := over(k); got != "" {
		t.Errorf("without its pods it is %q", got)
	}
	k.Apply(store.Listed{Kind: kinds.PodKind, Objects: []kinds.Object{pod("a", 0, corev1.PodRunning), pod("a", 1, corev1.PodPending)}})
	second := pod("a", 1, corev1.PodRunning)
	k.Apply(set(second), gone(second))
	if n := s.Snapshot().Count(kinds.PodKind); n != 2 {
		t.Errorf("%d pods before the release", n)
	}
	k.Release()
	if got := over(k); got != wait.Reached {
		t.Errorf("both ranks ran, and it is %q", got)
	}
	if n := s.Snapshot().Count(kinds.PodKind); n != 1 {
		t.Errorf("%d pods after the release", n)
	}
	k.Release() // does nothing

	k, _ = newSink(t, "a")
	k.Apply(store.Listed{Kind: pyTorchJob, Objects: []kinds.Object{job("a", 2, "Running")}},
		store.Listed{Kind: kinds.PodKind, Objects: []kinds.Object{pod("a", 0, corev1.PodRunning), pod("a", 1, corev1.PodPending)}})
	k.Release()
	if got := over(k); got != "" {
		t.Errorf("one of two ranks runs, and it is %q", got)
	}
}

// Other events reach the store in their order, at once.
func TestOtherEventsPass(t *testing.T) {
	k, s := newSink(t, "a")
	id := train.StreamID{File: "a.log"}
	k.Apply(
		store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}},
		set(job("a", 1, "Created")),
		store.Logged{Stream: id, Lines: []train.LogLine{{Number: 1, Text: "x"}}},
		store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceLive}},
	)
	snapshot := s.Snapshot()
	if log := snapshot.Log(id); log == nil || log.LinesRead() != 1 || len(snapshot.Jobs()) != 1 || !snapshot.Settled() {
		t.Errorf("the store has %+v, %d jobs", log, len(snapshot.Jobs()))
	}
}

// Two hundred jobs run for a moment each, reported by many goroutines at once.
func TestManyGoroutines(t *testing.T) {
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("j%d", i))
	}
	k, _ := newSink(t, names...)
	k.Apply(store.Listed{Kind: pyTorchJob}, store.Listed{Kind: kinds.PodKind})
	k.Release()
	var running sync.WaitGroup
	for part := range 8 {
		running.Go(func() {
			for i := part; i < len(names); i += 8 {
				runs := pod(names[i], 0, corev1.PodRunning)
				k.Apply(set(job(names[i], 1, "Created")), set(runs))
				k.Apply(gone(runs))
			}
		})
	}
	running.Wait()
	var missed []string
	k.Do(func(w *wait.Wait) {
		for _, r := range w.Results() {
			if r.Outcome != wait.Reached {
				missed = append(missed, r.Name+r.Job.Name)
			}
		}
	})
	if got := over(k); got != wait.Reached || len(missed) > 0 {
		t.Errorf("it is %q, missed are %s", got, strings.Join(missed, " "))
	}
}

// BenchmarkApply applies the status of one pod in a cluster of 10,000, where 200
// jobs of one rank are waited for.
func BenchmarkApply(b *testing.B) {
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("j%d", i))
	}
	k, _ := newSink(b, names...)
	jobs, pods := store.Listed{Kind: pyTorchJob}, store.Listed{Kind: kinds.PodKind}
	for i := range 1000 {
		jobs.Objects = append(jobs.Objects, job(fmt.Sprintf("j%d", i), 10, "Created"))
		for rank := range 10 {
			pods.Objects = append(pods.Objects, pod(fmt.Sprintf("j%d", i), rank, corev1.PodPending))
		}
	}
	k.Apply(jobs, pods)
	k.Release()
	states := []store.Event{set(pod("j7", 3, corev1.PodRunning)), set(pod("j7", 3, corev1.PodPending))}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k.Apply(states[i%2])
	}
}
