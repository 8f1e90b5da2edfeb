package store

import (
	"testing"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// A pod that belongs to no job is a job of one rank for those who ask for it, with the log
// that was read; once a job turns out to own the pod, the log is that of its rank.
func TestTheLogOfAPodOfNoJob(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 0)
	pod := worker(job, -1, "n0")
	owners := pod.OwnerReferences
	pod.OwnerReferences, pod.Labels = nil, nil
	s.Apply(setPod(pod), text(logOf(pod, 0), 1, 5))
	snapshot := s.Snapshot()
	id, is := snapshot.LonePod(pod.Namespace, pod.Name)
	if !is || !IsLonePod(id) {
		t.Fatalf("the pod is %q, %t", id, is)
	}
	lone := snapshot.Job(id)
	if lone == nil || lone.Gone || len(lone.Ranks) != 1 || lone.Ranks[0].Pod != pod.Name || len(snapshot.Jobs())+len(snapshot.LogJobs()) != 0 {
		t.Fatalf("the job of the pod is %+v, listed are %d", lone, len(snapshot.Jobs()))
	}
	if log := snapshot.RankLog(lone, 0); log == nil || log.Lines.Len() != 5 {
		t.Errorf("its log is %+v", log)
	}
	owned := worker(job, -1, "n0")
	owned.OwnerReferences = owners
	s.Apply(setJob(job), setPod(owned))
	snapshot = s.Snapshot()
	if _, is := snapshot.LonePod(pod.Namespace, pod.Name); is || snapshot.Job(id) != nil && len(snapshot.Jobs()) != 1 {
		t.Error("it is alone although a job owns it")
	}
	rank := snapshot.Jobs()[0]
	if log := snapshot.RankLog(rank, 0); log == nil || log.Lines.Len() != 5 {
		t.Errorf("the log of the rank is %+v", log)
	}
	s.Apply(Deleted{Kind: kinds.PodKind, Namespace: pod.Namespace, Name: pod.Name})
	if s.Snapshot().Job(id) != nil {
		t.Error("the pod is there after its end")
	}
}

// A log of an earlier pod of the same name is not that of the pod.
func TestTheLogOfAnEarlierPodOfTheName(t *testing.T) {
	s := newStore()
	pod := worker(pyTorchJob("ml", "bert", "u1", 0), -1, "n0")
	pod.OwnerReferences, pod.Labels = nil, nil
	earlier := logOf(pod, 0)
	earlier.UID = "another"
	s.Apply(setPod(pod), text(earlier, 1, 5))
	snapshot := s.Snapshot()
	id, _ := snapshot.LonePod(pod.Namespace, pod.Name)
	if log := snapshot.RankLog(snapshot.Job(id), 0); log != nil {
		t.Errorf("its log is %+v of %+v", log.ID, train.StreamID{})
	}
}
