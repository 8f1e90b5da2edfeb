package streams

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// applyTraining applies a job that requests GPUs, so that it counts as
// training.
func applyTraining(s *store.Store, name string, ranks int, change func(rank int, pod *corev1.Pod)) {
	job := indexedJob(name, ranks)
	containers := []any{map[string]any{"name": "train", "resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "8"}}}}
	_ = unstructured.SetNestedSlice(job.Object, containers, "spec", "template", "spec", "containers")
	s.Apply(store.Set{Kind: jobKind, Object: job})
	for rank := range ranks {
		pod := podOf(name, rank)
		change(rank, pod)
		s.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
	}
}

// endedAt returns the state of a container that ended so many seconds after
// the instant.
func endedAt(code int32, second int) corev1.ContainerState {
	at := metav1.NewTime(instant.Add(time.Duration(second) * time.Second))
	return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, FinishedAt: at}}
}

func fail(pod *corev1.Pod, code int32, second int) {
	pod.Status.Phase = corev1.PodFailed
	pod.Status.ContainerStatuses[0] = corev1.ContainerStatus{Name: "train", State: endedAt(code, second)}
}

func names(logs []Chosen) []string { return chosen(&Plan{Chosen: logs}) }

// say applies the state of logs.
func say(s *store.Store, state train.StreamState, logs ...Chosen) {
	for _, log := range logs {
		s.Apply(store.StreamChanged{Stream: log.ID, Status: train.StreamStatus{State: state}, Rank: -1})
	}
}

func TestLogsOfFailedRanksAreReadOnce(t *testing.T) {
	s := newStore()
	applyTraining(s, "a", 4, func(rank int, pod *corev1.Pod) {
		switch rank {
		case 1:
			fail(pod, 1, 9)
		case 2:
			fail(pod, 0, 5) // ended well
		case 3:
			fail(pod, 137, 3)
		}
	})
	var f Failures
	next := f.Next(s.Snapshot())
	if got := names(next); !slices.Equal(got, []string{"a-1-x/train", "a-3-x/train"}) {
		t.Fatalf("to read: %q", got)
	}
	say(s, train.StreamEnded, next[0])
	say(s, train.StreamRetrying, next[1])
	if got := names(f.Next(s.Snapshot())); !slices.Equal(got, []string{"a-3-x/train"}) {
		t.Errorf("one is read to its end, and asked for are %q", got)
	}
	say(s, train.StreamForbidden, next[1])
	if got := f.Next(s.Snapshot()); len(got) != 0 {
		t.Errorf("nothing is left to read but %q", names(got))
	}
}

// Each instance that ends is read, under its own name: between two instances
// the newest log is that of the one that ended, afterwards it is the previous
// one.
// A Job makes a new pod for each attempt: the log of the newest that failed reports
// why there is another.
func TestLogsOfEarlierPodsAreRead(t *testing.T) {
	s := newStore()
	applyTraining(s, "a", 2, func(_ int, pod *corev1.Pod) { pod.CreationTimestamp = metav1.NewTime(instant) })
	for i, code := range []int32{1, 137, 0} {
		earlier := podOf("a", 1)
		earlier.Name, earlier.UID = fmt.Sprintf("a-1-%d", i), types.UID(fmt.Sprintf("uid-1-%d", i))
		earlier.CreationTimestamp = metav1.NewTime(instant.Add(time.Duration(i-10) * time.Minute))
		fail(earlier, code, i*60-500)
		s.Apply(store.Set{Kind: kinds.PodKind, Object: earlier})
	}
	want := []string{"a-1-1/train"}
	if got := names((&Failures{}).Next(s.Snapshot())); !slices.Equal(got, want) {
		t.Errorf("failures: %q, want %q", got, want)
	}
	job := s.Snapshot().Jobs()[0]
	of := func(w Want) []string {
		w.Job, w.Ranks = job.ID, []int{1}
		return chosen(Choose(s.Snapshot(), []Want{w}, 10))
	}
	if got := of(Want{Previous: true, Others: true}); !slices.Equal(got, append([]string{"a-1-x/train"}, want...)) {
		t.Errorf("a diagnosis reads %q", got)
	}
	if got := of(Want{}); !slices.Equal(got, []string{"a-1-x/train"}) {
		t.Errorf("a screen reads %q", got)
	}
}

func TestLogsOfCrashesAreReadLifeByLife(t *testing.T) {
	s := newStore()
	status := corev1.ContainerStatus{Name: "train", RestartCount: 1, LastTerminationState: endedAt(1, 1), State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}}
	crash := func() {
		applyTraining(s, "a", 1, func(_ int, pod *corev1.Pod) { pod.Status.ContainerStatuses[0] = status })
	}
	var f Failures
	crash()
	next := f.Next(s.Snapshot())
	if got := names(next); !slices.Equal(got, []string{"a-0-x/train#1"}) {
		t.Fatalf("between two lives: %q", got)
	}
	status.RestartCount, status.State = 2, corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	crash()
	if got := names(f.Next(s.Snapshot())); !slices.Equal(got, []string{"a-0-x/train#1 previous"}) {
		t.Errorf("it runs again: %q", got)
	}
	say(s, train.StreamEnded, next...)
	if got := f.Next(s.Snapshot()); len(got) != 0 {
		t.Errorf("a life that was read is asked for again: %q", names(got))
	}
	status.RestartCount, status.LastTerminationState = 3, endedAt(1, 60)
	crash()
	if got := names(f.Next(s.Snapshot())); !slices.Equal(got, []string{"a-0-x/train#2 previous"}) {
		t.Errorf("after the next crash: %q", got)
	}
}

func TestLogsOfInitContainersThatFail(t *testing.T) {
	s := newStore()
	applyTraining(s, "a", 1, func(_ int, pod *corev1.Pod) {
		pod.Status.Phase = corev1.PodFailed
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "train", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "PodInitializing"}}}}
		pod.Status.InitContainerStatuses[0].State = endedAt(3, 0)
	})
	var f Failures
	if got := names(f.Next(s.Snapshot())); !slices.Equal(got, []string{"a-0-x/fetch"}) {
		t.Errorf("%q", got)
	}
}

// A container that failed beside the training container is read too.
func TestLogsOfContainersThatFailBeside(t *testing.T) {
	s := newStore()
	job := apply(s, "a", 1, func(_ int, pod *corev1.Pod) bool {
		pod.Status.Phase = corev1.PodFailed
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{ended("train", 0), {Name: "istio-proxy"}, {Name: "uploader"}}
		pod.Status.ContainerStatuses[1].State, pod.Status.ContainerStatuses[2].State = endedAt(2, 5), endedAt(1, 9)
		return true
	})
	wantChosen(t, Choose(s.Snapshot(), []Want{{Job: job, Ranks: []int{0}, Others: true}}, 10), "a-0-x/train", "a-0-x/istio-proxy", "a-0-x/uploader")
	wantChosen(t, Choose(s.Snapshot(), []Want{{Job: job, Ranks: []int{0}}}, 10), "a-0-x/train")

	s = newStore()
	applyTraining(s, "a", 1, func(_ int, pod *corev1.Pod) {
		pod.Status.Phase = corev1.PodFailed
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{ended("train", 0), {Name: "uploader", State: endedAt(1, 0)}}
	})
	var f Failures
	if got := names(f.Next(s.Snapshot())); !slices.Equal(got, []string{"a-0-x/uploader"}) {
		t.Errorf("of failures alone: %q", got)
	}
}

// Of a job all of whose ranks fail, those that failed first are read: they
// show the cause.
func TestTheRanksThatFailedFirstAreRead(t *testing.T) {
	s := newStore()
	applyTraining(s, "a", 64, func(rank int, pod *corev1.Pod) { fail(pod, 1, 64-rank) })
	var f Failures
	seen := readAll(t, s, &f)
	if len(seen) != maxFailing || !seen["a-63-x/train"] || seen["a-0-x/train"] {
		t.Errorf("read %v", seen)
	}
}

// readAll reads the requested logs, batch by batch.
func readAll(t *testing.T, s *store.Store, f *Failures) map[string]bool {
	t.Helper()
	seen := map[string]bool{}
	for range 1_000 {
		next := f.Next(s.Snapshot())
		if len(next) == 0 {
			return seen
		}
		if len(next) > mostAtOnce {
			t.Fatalf("%d logs at once", len(next))
		}
		for _, name := range names(next) {
			if seen[name] {
				t.Fatalf("%s is asked for again", name)
			}
			seen[name] = true
		}
		say(s, train.StreamEnded, next...)
	}
	t.Fatal("it never ends")
	return nil
}

func manyFailed(s *store.Store, jobs, ranks int) {
	for i := range jobs {
		applyTraining(s, fmt.Sprintf("job-%03d", i), ranks, func(rank int, pod *corev1.Pod) { fail(pod, 1, rank) })
	}
}

func TestManyFailedJobsAreReadFewAtOnce(t *testing.T) {
	s := newStore()
	manyFailed(s, 200, 2)
	var f Failures
	if seen := readAll(t, s, &f); len(seen) != 400 {
		t.Errorf("%d logs of 400 were read", len(seen))
	}
	s.Apply(store.Deleted{Kind: jobKind, Namespace: "ml", Name: "job-000"})
	if next := f.Next(s.Snapshot()); len(next) != 0 {
		t.Errorf("afterwards %q", names(next))
	}
}

func TestADeletedJobIsNotReadFurther(t *testing.T) {
	s := newStore()
	manyFailed(s, 2, 1)
	var f Failures
	f.Next(s.Snapshot())
	s.Apply(store.Deleted{Kind: jobKind, Namespace: "ml", Name: "job-000"}, store.Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: "job-000-0-x"})
	if got := names(f.Next(s.Snapshot())); !slices.Equal(got, []string{"job-001-0-x/train"}) {
		t.Errorf("%q", got)
	}
}

func TestFurtherLogsComeLast(t *testing.T) {
	a, b := Chosen{ID: train.StreamID{Pod: "a"}}, Chosen{ID: train.StreamID{Pod: "b"}}
	p := &Plan{Most: 2, Chosen: []Chosen{a}}
	p.Add([]Chosen{a, b, {ID: train.StreamID{Pod: "c"}}})
	if !slices.Equal(p.Chosen, []Chosen{a, b}) {
		t.Errorf("%q", names(p.Chosen))
	}
}

// BenchmarkFailures measures what the logs of 200 failed jobs cost with each
// snapshot, while they are read and when all have been.
func BenchmarkFailures(b *testing.B) {
	for _, read := range []bool{false, true} {
		b.Run(fmt.Sprintf("read=%v", read), func(b *testing.B) {
			s := newStore()
			manyFailed(s, 200, 8)
			var f Failures
			for next := f.Next(s.Snapshot()); read && len(next) > 0; next = f.Next(s.Snapshot()) {
				say(s, train.StreamEnded, next...)
			}
			snapshot := s.Snapshot()
			b.ReportAllocs()
			for b.Loop() {
				f.Next(snapshot)
			}
		})
	}
}
