package streams

import (
	"fmt"
	"slices"
	"strings"
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
)

var (
	instant = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	jobKind = schema.GroupKind{Group: "batch", Kind: "Job"}
)

func newStore() *store.Store { return store.New(func() time.Time { return instant }) }

// An indexed Job and its pods, as kube-apiserver 1.36 writes them, reduced to
// what is read.
func indexedJob(name string, ranks int) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "batch/v1", "kind": "Job",
		"metadata": map[string]any{"namespace": "ml", "name": name, "uid": name},
		"spec":     map[string]any{"completions": int64(ranks), "parallelism": int64(ranks), "completionMode": "Indexed"},
	}}
}

func podOf(job string, rank int) *corev1.Pod {
	yes := true
	name := fmt.Sprintf("%s-%d-x", job, rank)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ml", Name: name, UID: types.UID(name), Annotations: map[string]string{"batch.kubernetes.io/job-completion-index": fmt.Sprint(rank)},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: job, UID: types.UID(job), Controller: &yes}},
		},
		Spec: corev1.PodSpec{
			NodeName: "n0", Containers: []corev1.Container{{Name: "train"}, {Name: "istio-proxy"}},
			InitContainers: []corev1.Container{{Name: "fetch"}},
		},
		Status: corev1.PodStatus{
			Phase:                 corev1.PodRunning,
			ContainerStatuses:     []corev1.ContainerStatus{running("train", 0), running("istio-proxy", 3)},
			InitContainerStatuses: []corev1.ContainerStatus{ended("fetch", 1)},
		},
	}
}

func running(name string, restarts int32) corev1.ContainerStatus {
	return corev1.ContainerStatus{Name: name, RestartCount: restarts, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}
}

func ended(name string, code int32) corev1.ContainerStatus {
	return corev1.ContainerStatus{Name: name, State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code}}}
}

// apply returns a store with one job of so many ranks, whose pods change may
// alter; false leaves a pod out.
func apply(s *store.Store, job string, ranks int, change func(rank int, pod *corev1.Pod) bool) train.JobID {
	s.Apply(store.Set{Kind: jobKind, Object: indexedJob(job, ranks)})
	for rank := range ranks {
		if pod := podOf(job, rank); change == nil || change(rank, pod) {
			s.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
		}
	}
	return train.JobID(job)
}

func chosen(p *Plan) (all []string) {
	for _, c := range p.Chosen {
		text := c.ID.String()
		if c.Previous {
			text += " previous"
		}
		if c.Whole {
			text += " whole"
		}
		all = append(all, text)
	}
	return all
}

func wantChosen(t *testing.T, p *Plan, want ...string) {
	t.Helper()
	if got := chosen(p); !slices.Equal(got, want) {
		t.Errorf("chosen are %q, want %q", got, want)
	}
}

func TestWithoutRanksTheTellingOnesAreChosen(t *testing.T) {
	s := newStore()
	job := apply(s, "a", 6, func(rank int, pod *corev1.Pod) bool {
		if rank == 3 {
			pod.Status.Phase = corev1.PodFailed
			pod.Status.ContainerStatuses[0] = ended("train", 1)
		}
		return true
	})
	wantChosen(t, Choose(s.Snapshot(), []Want{{Job: job}}, 10), "a-0-x/train", "a-5-x/train", "a-3-x/train")

	// once a rank prints the loss, it is chosen instead of the last
	s.Apply(store.Logged{Stream: train.StreamID{Namespace: "ml", Pod: "a-2-x", UID: "a-2-x", Container: "train"}, Samples: []train.Sample{
		{Line: 1, Rank: -1, Step: 1, HasStep: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 2}}},
	}})
	wantChosen(t, Choose(s.Snapshot(), []Want{{Job: job}}, 10), "a-0-x/train", "a-2-x/train", "a-3-x/train")
}

func TestWhatIsShownComesFirst(t *testing.T) {
	s := newStore()
	a, b := apply(s, "a", 4, nil), apply(s, "b", 4, nil)
	wants := []Want{{Job: a}, {Job: b, Ranks: []int{1, 0}}, {Job: b, Ranks: []int{3, 2}, Shown: true, Whole: true}}
	plan := Choose(s.Snapshot(), wants, 4)
	wantChosen(t, plan, "b-3-x/train whole", "b-2-x/train whole", "a-0-x/train", "a-3-x/train")
	if why := plan.Why(b, 1); !strings.Contains(why, "limit of 4 logs") || !strings.Contains(why, "logStreams") {
		t.Errorf("rank 1 of b is left out: %q", why)
	}
	if why := plan.Why(b, 3); why != "" {
		t.Errorf("rank 3 of b is followed, and yet: %q", why)
	}
}

func TestALogIsChosenOnce(t *testing.T) {
	s := newStore()
	job := apply(s, "a", 2, nil)
	wants := []Want{{Job: job, Ranks: []int{0, 1}}, {Job: job, Ranks: []int{1}, Whole: true}, {Job: "no such"}, {Job: job, Ranks: []int{7, -1}}}
	wantChosen(t, Choose(s.Snapshot(), wants, 10), "a-0-x/train", "a-1-x/train whole")
}

func TestContainersAndTheirLives(t *testing.T) {
	s := newStore()
	job := apply(s, "a", 1, func(_ int, pod *corev1.Pod) bool {
		train := running("train", 2)
		train.LastTerminationState = ended("train", 137).State
		pod.Status.ContainerStatuses[0] = train
		return true
	})
	f := func(w Want, want ...string) {
		t.Helper()
		w.Job, w.Ranks = job, []int{0}
		wantChosen(t, Choose(s.Snapshot(), []Want{w}, 10), want...)
	}
	f(Want{}, "a-0-x/train#2")
	f(Want{Previous: true}, "a-0-x/train#2", "a-0-x/train#1 previous")
	f(Want{Container: "istio-proxy"}, "a-0-x/istio-proxy#3")
	f(Want{Container: "istio-proxy", Previous: true}, "a-0-x/istio-proxy#3")
	f(Want{Container: "fetch"}, "a-0-x/fetch")
	f(Want{Container: "no such"}, "a-0-x/train#2")
}

// Between two container instances the newest log is that of the one that
// ended, under its own restart count.
func TestAContainerThatWaitsToStartAgain(t *testing.T) {
	s := newStore()
	job := apply(s, "a", 1, func(_ int, pod *corev1.Pod) bool {
		status := corev1.ContainerStatus{Name: "train", RestartCount: 4, State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}}
		status.LastTerminationState = ended("train", 1).State
		pod.Status.ContainerStatuses[0] = status
		return true
	})
	wantChosen(t, Choose(s.Snapshot(), []Want{{Job: job, Previous: true}}, 10), "a-0-x/train#4")
}

func TestWhyARankIsNotFollowed(t *testing.T) {
	s := newStore()
	job := apply(s, "a", 4, func(rank int, pod *corev1.Pod) bool {
		switch rank {
		case 1:
			return false
		case 2:
			pod.Status.Phase = corev1.PodPending
			pod.Status.InitContainerStatuses = nil
			pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "train", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff"}}}}
		case 3:
			pod.Spec.NodeName = ""
			pod.Status = corev1.PodStatus{Phase: corev1.PodPending}
		}
		return true
	})
	s.Apply(store.Set{Kind: kinds.EventKind, Object: &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "e"}, Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Message: "0/3 nodes are available",
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "ml", Name: "a-3-x", UID: "a-3-x"}, LastTimestamp: metav1.NewTime(instant),
	}})
	plan := Choose(s.Snapshot(), []Want{{Job: job, Ranks: []int{0, 1, 2, 3}}}, 10)
	wantChosen(t, plan, "a-0-x/train")
	f := func(rank int, want string) {
		t.Helper()
		if why := plan.Why(job, rank); !strings.HasPrefix(why, want) {
			t.Errorf("rank %d: %q, want %q", rank, why, want)
		}
	}
	f(0, "")
	f(1, "no pod yet")
	f(2, "not started yet: waiting, ImagePullBackOff")
	f(3, "not started yet: pending, FailedScheduling: 0/3 nodes are available")
	var none *Plan
	if none.Why(job, 0) != "" {
		t.Error("no plan has reasons")
	}
}

func TestAPodThatWasNotReadIsNotSaidToBeMissing(t *testing.T) {
	s := newStore()
	job := apply(s, "a", 2, func(rank int, _ *corev1.Pod) bool { return rank == 0 })
	list := train.Health{Source: "kube/pods", Resource: "pods", State: train.SourceRetrying, Text: "reading pods: etcdserver: request timed out"}
	s.Apply(store.HealthChanged{Health: list})
	plan := Choose(s.Snapshot(), []Want{{Job: job, Ranks: []int{0, 1}}}, 10)
	if why := plan.Why(job, 1); why != "its pod was not read: "+list.Text {
		t.Errorf("the pods could not be listed, and of rank 1 it says %q", why)
	}
	if why := plan.Why(job, 0); why != "" {
		t.Errorf("the pod of rank 0 is known, and it says %q", why)
	}
}

func TestFinishedContainersAreRead(t *testing.T) {
	s := newStore()
	job := apply(s, "a", 2, func(_ int, pod *corev1.Pod) bool {
		pod.Status.Phase = corev1.PodSucceeded
		pod.Status.ContainerStatuses[0] = ended("train", 0)
		return true
	})
	wantChosen(t, Choose(s.Snapshot(), []Want{{Job: job, Ranks: []int{1}}}, 10), "a-1-x/train")
}

func TestFilesNeedNoAsking(t *testing.T) {
	s := newStore()
	s.Apply(store.StreamChanged{Stream: train.StreamID{File: "train.log"}, Status: train.StreamStatus{State: train.StreamLive}, Rank: -1})
	snapshot := s.Snapshot()
	wantChosen(t, Choose(snapshot, []Want{{Job: snapshot.LogJobs()[0].ID}}, 10))
}

// 40 jobs are on the screen, of 1,000 with 10 ranks each. It runs with every
// redraw: budget 1 ms.
func BenchmarkChoose(b *testing.B) {
	s := newStore()
	var wants []Want
	for i := range 1000 {
		job := apply(s, fmt.Sprintf("job-%04d", i), 10, nil)
		if i%25 == 0 {
			wants = append(wants, Want{Job: job, Shown: true})
		}
	}
	snapshot := s.Snapshot()
	b.ReportAllocs()
	for b.Loop() {
		if plan := Choose(snapshot, wants, 64); len(plan.Chosen) != 64 {
			b.Fatal(len(plan.Chosen))
		}
	}
}
