package store

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// A pod that its operator makes anew under its name, as the training-operator
// does under restart policy ExitCode, is a restart for whoever saw both.
func TestReplacedPodsThatWereSeenAreRestarts(t *testing.T) {
	s, job := newStore(), pyTorchJob("ml", "bert", "u", 1)
	s.Apply(setJob(job), setPod(worker(job, -1, "n1")))
	next := func(i int) *corev1.Pod {
		pod := worker(job, 0, "n1")
		pod.UID, pod.CreationTimestamp = types.UID(fmt.Sprint("p", i)), metav1.NewTime(instant.Add(time.Duration(i-60)*time.Minute))
		pod.Status.StartTime = &pod.CreationTimestamp
		return pod
	}
	want := func(when string, restarts, attempts int) {
		t.Helper()
		is := s.Snapshot().Jobs()[0]
		if is.Restarts != restarts || len(is.Ranks[1].Attempts) != attempts {
			t.Errorf("%s: got %d restarts, %d attempts; want %d, %d", when, is.Restarts, len(is.Ranks[1].Attempts), restarts, attempts)
		}
	}
	const replaced = maxGone + 5
	for i := range replaced {
		pod := next(i)
		s.Apply(setPod(pod))
		want("it runs", i, min(i, maxGone)+1)
		failed := pod.DeepCopy()
		failed.Status.Phase = corev1.PodFailed
		failed.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 134, FinishedAt: metav1.NewTime(pod.CreationTimestamp.Add(30 * time.Second))}}
		s.Apply(setPod(failed))
		s.Apply(Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: pod.Name, UID: string(pod.UID)})
		want("it is gone", i, min(i+1, maxGone))
	}
	s.Apply(setPod(next(replaced)))
	want("the last", replaced, maxGone+1)
	if first := s.Snapshot().Jobs()[0].Ranks[1].Attempts[maxGone-1]; first.ExitCode == nil || *first.ExitCode != 134 {
		t.Errorf("got %+v", first)
	}
	if GonePod(s.Snapshot(), fmt.Sprint("p", replaced-1)) == nil || GonePod(s.Snapshot(), "p0") != nil {
		t.Error("the newest are not those that are kept")
	}
}

// Pods of a run that a suspension ended, of another job of that name and of kinds
// that are no longer watched are no restarts.
func TestPodsThatWereNotReplaced(t *testing.T) {
	s, job := newStore(), pyTorchJob("ml", "bert", "u", 1)
	pod := worker(job, 0, "n1")
	restarts := func(about string) {
		t.Helper()
		if got := s.Snapshot().Jobs()[0].Restarts; got != 0 {
			t.Errorf("%s: got %d restarts", about, got)
		}
	}
	later := pod.DeepCopy()
	later.UID, later.CreationTimestamp = "later", metav1.NewTime(instant.Add(-time.Minute))
	s.Apply(setJob(job), setPod(pod), Unwatched{Kind: kinds.PodKind}, setPod(later))
	restarts("no longer watched")

	s = newStore()
	s.Apply(setJob(job), setPod(pod), setPod(later), Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: pod.Name}, setPod(pod), Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: pod.Name}, setPod(later))
	if got := s.Snapshot().Jobs()[0].Restarts; got != 1 {
		t.Errorf("a pod that came again: got %d restarts", got)
	}

	s = newStore()
	released := pod.DeepCopy()
	released.OwnerReferences = nil
	s.Apply(setJob(job), setPod(pod), Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: pod.Name}, setPod(released))
	restarts("came again, and its controller had released it")

	s = newStore()
	resumed := job.DeepCopy()
	resumed.Object["status"] = map[string]any{"startTime": instant.Add(-2 * time.Minute).Format(time.RFC3339)}
	s.Apply(setJob(resumed), setPod(pod), setPod(later))
	restarts("resumed")

	s = newStore()
	again := pyTorchJob("ml", "bert", "v", 1)
	s.Apply(setJob(job), setPod(pod), Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: pod.Name}, setJob(again), setPod(worker(again, 0, "n1")))
	restarts("another job of the name")
	if state := s.Snapshot().Jobs()[0].Ranks[1].State; state != train.RankRunning {
		t.Errorf("got %s", state)
	}
}
