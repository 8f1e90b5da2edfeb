package store

import (
	"fmt"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

func names(s *Snapshot) (all []string) {
	for _, job := range s.Jobs() {
		all = append(all, job.Ref.String())
	}
	return all
}

func wantJobs(t *testing.T, s *Snapshot, want ...string) {
	t.Helper()
	if got := names(s); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("jobs are %v, want %v", got, want)
	}
}

func TestPodsAreJoinedToTheirJob(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 1)
	s.Apply(setJob(job), setPod(worker(job, -1, "n0")), setPod(worker(job, 0, "n1")))
	snapshot := s.Snapshot()
	wantJobs(t, snapshot, "ml/PyTorchJob/bert")
	got := snapshot.Jobs()[0]
	if got.Phase != train.Running || got.Ready != 2 || got.Wanted != 2 || got.GPUs != 16 {
		t.Errorf("got %s with %d/%d ranks and %d GPUs, want Running 2/2 with 16", got.Phase, got.Ready, got.Wanted, got.GPUs)
	}
	if of := snapshot.JobOf(kinds.PodKind, "ml", "bert-worker-0"); of != got {
		t.Errorf("the worker belongs to %v", of)
	}
}

func TestASnapshotNeverChanges(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 1)
	s.Apply(setJob(job), setPod(worker(job, -1, "n0")))
	before := s.Snapshot()
	s.Apply(setPod(worker(job, 0, "n1")), Set{pyTorchKind, pyTorchJob("ml", "other", "u2", 1)})
	after := s.Snapshot()
	if len(before.Jobs()) != 1 || before.Jobs()[0].Ready != 1 || before.Pod("ml", "bert-worker-0") != nil {
		t.Errorf("the first snapshot shows %v with %d ready", names(before), before.Jobs()[0].Ready)
	}
	wantJobs(t, after, "ml/PyTorchJob/bert", "ml/PyTorchJob/other")
}

// The order in which kinds arrive must not matter: child first, top first, or mixed.
func TestOneRowForAChainInAnyOrder(t *testing.T) {
	set := object(jobSetKind, "v1alpha2", "ml", "llm", "js", nil)
	child := object(batchKind, "v1", "ml", "llm-node-0", "job", ownedBy(jobSetKind, "v1alpha2", "llm", "js"))
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "llm-node-0-0-x", UID: "pod",
		OwnerReferences: []metav1.OwnerReference{*ownedBy(batchKind, "v1", "llm-node-0", "job")}}}
	events := []Event{Set{jobSetKind, set}, Set{batchKind, child}, setPod(pod)}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {2, 0, 1}} {
		for _, snapshots := range []bool{false, true} {
			s := newStore()
			for _, i := range order {
				s.Apply(events[i])
				if snapshots {
					s.Snapshot()
				}
			}
			snapshot := s.Snapshot()
			wantJobs(t, snapshot, "ml/JobSet/llm")
			if of := snapshot.JobOf(kinds.PodKind, "ml", pod.Name); of == nil || of.Ref.Kind != "JobSet" {
				t.Errorf("order %v: the pod belongs to %v", order, of)
			}
		}
	}
}

func TestAListRemovesPhantoms(t *testing.T) {
	s := newStore()
	jobs, _ := fill(s, 3)
	s.Snapshot()
	s.Apply(Listed{Kind: pyTorchKind, Objects: []kinds.Object{jobs[1]}})
	wantJobs(t, s.Snapshot(), "team-01/PyTorchJob/job-0001")
}

func TestAListOfOneNamespaceLeavesTheOthers(t *testing.T) {
	s := newStore()
	fill(s, 3)
	s.Apply(Listed{Kind: pyTorchKind, Namespace: "team-01"})
	wantJobs(t, s.Snapshot(), "team-00/PyTorchJob/job-0000", "team-02/PyTorchJob/job-0002")
}

func TestADeletedJobLeavesNoRowWhileItsPodsEnd(t *testing.T) {
	s := newStore()
	jobs, _ := fill(s, 1)
	s.Snapshot()
	s.Apply(Deleted{Kind: pyTorchKind, Namespace: "team-00", Name: "job-0000", UID: string(jobs[0].GetUID())})
	wantJobs(t, s.Snapshot())
}

func TestARecreatedJobIsAnother(t *testing.T) {
	s := newStore()
	jobs, _ := fill(s, 1)
	first := s.Snapshot().Jobs()[0]
	again := pyTorchJob("team-00", "job-0000", "later", 9)
	s.Apply(setJob(again))
	snapshot := s.Snapshot()
	wantJobs(t, snapshot, "team-00/PyTorchJob/job-0000")
	second := snapshot.Jobs()[0]
	if second.ID == first.ID || second.Ready != 0 {
		t.Errorf("the second job has ID %s and %d ready ranks of the first", second.ID, second.Ready)
	}
	s.Apply(Deleted{Kind: pyTorchKind, Namespace: "team-00", Name: "job-0000", UID: string(jobs[0].GetUID())})
	wantJobs(t, s.Snapshot(), "team-00/PyTorchJob/job-0000")
}

// Pods that name a job which cannot be read form a row of their own; once the
// job is known not to exist they form none.
func TestAJobThatCannotBeReadIsKnownByItsPods(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 1)
	s.Apply(health("kube/pods", train.SourceListing), setPod(worker(job, -1, "n0")), setPod(worker(job, 0, "n1")))
	wantJobs(t, s.Snapshot())
	s.Apply(live("kube/pods"), health("kube/pytorchjobs", train.SourceForbidden))
	snapshot := s.Snapshot()
	wantJobs(t, snapshot, "ml/PyTorchJob/bert")
	if got := snapshot.Jobs()[0]; !got.Gone || got.Ready != 2 {
		t.Errorf("the stub is gone=%v with %d ready", got.Gone, got.Ready)
	}
	s.Apply(Listed{Kind: pyTorchKind}, live("kube/pytorchjobs"))
	wantJobs(t, s.Snapshot())
	s.Apply(Unwatched{Kind: pyTorchKind})
	if _, presence := s.Snapshot().Object(pyTorchKind, "ml", "bert"); presence != train.Unknown {
		t.Errorf("after the kind is forgotten a look-up answers %v, want Unknown", presence)
	}
}

func TestLookUpsHaveThreeAnswers(t *testing.T) {
	s := newStore()
	s.Apply(Listed{Kind: kinds.PodKind, Namespace: "ml", Objects: []kinds.Object{worker(pyTorchJob("ml", "a", "u", 0), -1, "")}})
	snapshot := s.Snapshot()
	for _, c := range []struct {
		namespace, name string
		want            train.Presence
	}{{"ml", "a-master-0", train.Present}, {"ml", "b", train.Absent}, {"other", "a", train.Unknown}} {
		if _, got := snapshot.Object(kinds.PodKind, c.namespace, c.name); got != c.want {
			t.Errorf("%s/%s: %v, want %v", c.namespace, c.name, got, c.want)
		}
	}
}

// A broken device is no longer allocatable, and its pod still holds it: the sum
// never reports that more are held than there are.
func TestMoreAreHeldThanAllocatable(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 1)
	sick := gpuNode("n0", 8)
	sick.Status.Allocatable = gpuNode("n0", 7).Status.Allocatable
	s.Apply(setNode(sick), setNode(gpuNode("n1", 8)), setJob(job), setPod(worker(job, -1, "n0")))
	if got := s.Snapshot().GPUs(); got != (train.GPUTotals{Nodes: 2, All: 16, Held: 8}) {
		t.Errorf("totals %+v, want 8 of 16 held", got)
	}
	s.Apply(setNode(gpuNode("n0", 8)))
	if got := s.Snapshot().GPUs(); got != (train.GPUTotals{Nodes: 2, All: 16, Held: 8}) {
		t.Errorf("totals %+v once the device is back, want 8 of 16 held", got)
	}
}

func TestNodesSumTheirPods(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 1)
	pod := worker(job, -1, "n0")
	s.Apply(setNode(gpuNode("n0", 16)), setNode(gpuNode("n1", 8)), setJob(job), setPod(pod))
	check := func(held, n0 int) {
		t.Helper()
		snapshot := s.Snapshot()
		if got := snapshot.GPUs(); got != (train.GPUTotals{Nodes: 2, All: 24, Held: held}) {
			t.Errorf("totals %+v, want %d of 24 held", got, held)
		}
		if got := snapshot.Node("n0").Held; got != n0 {
			t.Errorf("n0 holds %d, want %d", got, n0)
		}
	}
	check(8, 8)
	moved := pod.DeepCopy()
	moved.Spec.NodeName = "n1"
	s.Apply(setPod(moved))
	check(8, 0)
	s.Apply(Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: pod.Name})
	check(0, 0)
	s.Apply(Deleted{Kind: kinds.NodeKind, Name: "n1"})
	if got := s.Snapshot().GPUs(); got.All != 16 || got.Nodes != 1 {
		t.Errorf("totals %+v after a node left", got)
	}
}

func TestEventsAreBoundedAndNormalOnesGoFirst(t *testing.T) {
	s := newStore()
	for i := range MaxEvents + 500 {
		e := &corev1.Event{
			ObjectMeta:    metav1.ObjectMeta{Namespace: "ml", Name: fmt.Sprintf("e%06d", i), UID: types.UID(fmt.Sprint(i))},
			LastTimestamp: metav1.NewTime(instant.Add(time.Duration(i) * time.Second)), Type: corev1.EventTypeNormal,
		}
		if i < 100 {
			e.Type = corev1.EventTypeWarning
		}
		s.Apply(Set{kinds.EventKind, e})
	}
	snapshot := s.Snapshot()
	if got := snapshot.Count(kinds.EventKind); got != MaxEvents || snapshot.DroppedEvents != 500 {
		t.Errorf("%d events kept and %d dropped, want %d and 500", got, snapshot.DroppedEvents, MaxEvents)
	}
	warnings, first := 0, ""
	snapshot.Events(func(e *corev1.Event) bool {
		if first == "" {
			first = e.Name
		}
		if e.Type == corev1.EventTypeWarning {
			warnings++
		}
		return true
	})
	if warnings != 100 || first != "e000099" {
		t.Errorf("%d warnings kept, %s first; want all 100 and the newest warning first", warnings, first)
	}
}

func TestAPinnedClockHoldsTime(t *testing.T) {
	s := newStore()
	at := instant.Add(-72 * time.Hour)
	s.Apply(Clock{at})
	if got := s.Snapshot().Now; !got.Equal(at) {
		t.Errorf("now is %v, want the pinned %v", got, at)
	}
	s.Apply(Clock{})
	if got := s.Snapshot().Now; !got.Equal(instant) {
		t.Errorf("now is %v, want the clock's %v", got, instant)
	}
}

func TestAnyBurstIsOneWakeUp(t *testing.T) {
	s := newStore()
	for range 10_000 {
		s.Apply(live("kube"))
	}
	<-s.Changed()
	select {
	case <-s.Changed():
		t.Error("a second wake-up waits after one burst")
	default:
	}
}

// Sources apply while a reader takes and reads snapshots; run with -race.
func TestApplyAndSnapshotTogether(t *testing.T) {
	s := newStore()
	jobs, pods := fill(s, 20)
	var sources sync.WaitGroup
	for source := range 4 {
		sources.Go(func() {
			for i := range 200 {
				pod := pods[(i*4+source)%len(pods)]
				s.Apply(setPod(pod), Deleted{Kind: kinds.PodKind, Namespace: pod.Namespace, Name: pod.Name}, setPod(pod), setJob(jobs[i%len(jobs)]))
			}
		})
	}
	done := make(chan struct{})
	go func() { sources.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		snapshot := s.Snapshot()
		for _, job := range snapshot.Jobs() {
			if job.Ready > job.Wanted {
				t.Errorf("%s has %d of %d ranks ready", job.Ref, job.Ready, job.Wanted)
			}
		}
		snapshot.Events(func(*corev1.Event) bool { return true })
	}
	if last := s.Snapshot(); len(last.Jobs()) != 20 || last.GPUs().Held != 200*8 {
		t.Errorf("in the end %d jobs and %d GPUs held, want 20 and 1600", len(last.Jobs()), last.GPUs().Held)
	}
}

// The GPUs that pods hold of a node which offers none any more are counted.
func TestGPUsHeldOfANodeThatOffersNone(t *testing.T) {
	s, job := newStore(), pyTorchJob("ml", "bert", "u1", 1)
	s.Apply(setJob(job), setNode(gpuNode("n0", 0)), setNode(gpuNode("n1", 8)), setPod(worker(job, 0, "n0")))
	got := s.Snapshot().GPUs()
	if got.Held == 0 || got.All != 8+got.Held {
		t.Errorf("%+v: the held ones are beside the 8 of the other node", got)
	}
}
