package job

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
	"github.com/traintop/traintop/views/screentest"
)

// failing is a job of four ranks, of which the third failed first and the first
// followed; rank 0 prints a loss, and both have a log.
func failing() *store.Store {
	s := big(4)
	end := func(i int, after time.Duration) {
		pod := worker(i)
		pod.Status.Phase = corev1.PodFailed
		pod.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			ExitCode: 1, Reason: "Error", StartedAt: *pod.Status.StartTime, FinishedAt: metav1.NewTime(nine.Add(after - time.Hour)),
		}}
		s.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
	}
	end(2, 0)
	end(0, 20*time.Second)
	for _, rank := range []int{0, 2} {
		id := train.StreamID{Namespace: "llm", Pod: podOf(rank), UID: podOf(rank), Container: "pytorch"}
		logged := store.Logged{Stream: id}
		for i := 1; i <= 60; i++ {
			logged.Lines = append(logged.Lines, train.LogLine{Number: int64(i), Time: nine.Add(time.Duration(i-60)*time.Second - time.Hour), Text: fmt.Sprintf("rank %d step %d", rank, i)})
			if rank == 0 {
				logged.Samples = append(logged.Samples, train.Sample{
					Line: int64(i), Time: nine.Add(time.Duration(i-60)*time.Second - time.Hour), Rank: -1, Step: float64(i), HasStep: true,
					Metrics: []train.Metric{{Name: train.MetricLoss, Value: 5 / math.Sqrt(float64(i))}},
				})
			}
		}
		s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}}, logged)
	}
	return s
}

// The room below the ranks shows the curve of the job and the end of the log of
// the rank under the cursor, which begins at the rank that failed first.
func TestTheRoomBelowShowsCurveAndLog(t *testing.T) {
	sc := open(t, failing(), 140, 40)
	sc.shows("── curve", "loss", "── log of rank 2", "rank 2 step 60", "enter log", "C charts")
	effect, _ := sc.v.Do(keymap.Open, sc.f)
	if route, is := screentest.RouteOf[views.LogsRoute](effect); !is || len(route.Ranks) != 1 || sc.v.job.Ranks[route.Ranks[0]].Index != 2 {
		t.Errorf("enter opens %+v, want the log of rank 2", effect)
	}
	effect, _ = sc.v.Do(keymap.OpenRank, sc.f)
	if route, is := screentest.RouteOf[views.RankRoute](effect); !is || route.Rank != 2 {
		t.Errorf("i opens %+v, want rank 2", effect)
	}
	sc.v.Do(keymap.Top, sc.f)
	sc.shows("── log of rank 0", "rank 0 step 60")
}

// Where there is little room the ranks have it.
func TestASmallScreenShowsRanksAlone(t *testing.T) {
	sc := open(t, failing(), 80, 14)
	if picture := sc.draw(); strings.Contains(picture, "── log") {
		t.Errorf("a log takes the room of ranks:\n%s", picture)
	}
	for _, width := range []int{1, 20, 39, 41, 200} {
		for height := range 60 {
			sc.f.Width, sc.f.Height = width, height+1
			sc.draw()
		}
	}
}

// The tabs are those that tab goes through; other screens are beside them with
// their keys.
func TestTabsAreThoseThatAreShown(t *testing.T) {
	sc := open(t, failing(), 140, 40)
	sc.shows("Ranks 4", "Events", "Objects", "│   4 YAML   5 describe   6 diagnosis")
}

// A file may have what a person wrote: nothing shows when it was created, or where.
func TestWhatIsNotKnownOfAJobIsLeftOut(t *testing.T) {
	s := store.New(func() time.Time { return nine })
	s.Apply(store.Set{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": map[string]any{"name": "llama", "uid": "llama"},
		"spec": map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(2)}}},
	}}})
	sc := open(t, s, 80, 24)
	if screen := sc.draw(); strings.Contains(screen, "ago") || strings.Contains(screen, "created") {
		t.Errorf("it was created at a time that nobody knows:\n%s", screen)
	}
	if title := sc.v.Title(sc.f).Text; title != "PyTorchJob llama" {
		t.Errorf("the title is %q", title)
	}
}

// A launcher runs no training process: it has no rank, and none is assumed. A job that has
// yet to run did not start, whatever its operator noted.
func TestAJobThatWaitsWithALauncher(t *testing.T) {
	s := store.New(func() time.Time { return nine })
	replicas := func(n int64) map[string]any { return map[string]any{"replicas": n} }
	s.Apply(store.Set{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "MPIJob"}, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v2beta1", "kind": "MPIJob",
		"metadata": map[string]any{"name": "llama", "namespace": "llm", "uid": "llama", "creationTimestamp": nine.Add(-2 * time.Hour).Format(time.RFC3339)},
		"spec":     map[string]any{"mpiReplicaSpecs": map[string]any{"Launcher": replicas(1), "Worker": replicas(2)}},
		"status":   map[string]any{"startTime": nine.Add(-time.Hour).Format(time.RFC3339), "conditions": []any{map[string]any{"type": "Created", "status": "True"}}},
	}}}, store.Listed{Kind: kinds.PodKind})
	sc := open(t, s, 120, 24)
	sc.shows("created 120m ago", "0  Worker 0", "1  Worker 1", "–  Launcher 0", "3 missing")
	if screen := sc.draw(); strings.Contains(screen, "started") || strings.Contains(screen, "assumed") {
		t.Errorf("a start or an assumption is on the screen:\n%s", screen)
	}
}

// One rank of which no pod is left is one rank.
func TestOneRankOfAJobThatSucceeded(t *testing.T) {
	s := store.New(func() time.Time { return nine })
	s.Apply(store.Set{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"name": "llama", "namespace": "llm", "uid": "llama", "creationTimestamp": nine.Add(-2 * time.Hour).Format(time.RFC3339)},
		"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Master": map[string]any{"replicas": int64(1)}}},
		"status":   map[string]any{"conditions": []any{map[string]any{"type": "Succeeded", "status": "True"}}},
	}}}, store.Listed{Kind: kinds.PodKind})
	if screen := open(t, s, 120, 24).draw(); !strings.Contains(screen, " 1 rank ") {
		t.Errorf("the screen says\n%s", screen)
	}
}

// A rank whose log counts within epochs is at the step of the run, as its job is.
func TestStepsOfRanksCountFromTheBeginningOfTheRun(t *testing.T) {
	s := big(2)
	id := train.StreamID{Namespace: "llm", Pod: podOf(1), UID: podOf(1), Container: "pytorch"}
	logged := store.Logged{Stream: id}
	for i := range 250 {
		logged.Lines = append(logged.Lines, train.LogLine{Number: int64(i + 1), Time: nine.Add(time.Duration(i-250) * time.Second), Text: "a line"})
		logged.Samples = append(logged.Samples, train.Sample{
			Line: int64(i + 1), Time: nine.Add(time.Duration(i-250) * time.Second), Rank: -1, Step: float64(i % 100), HasStep: true, Scope: train.ScopeEpoch,
			Epoch: float64(i / 100), HasEpoch: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 1}},
		})
	}
	s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}}, logged)
	job := s.Snapshot().Jobs()[0]
	log := s.Snapshot().RankLog(job, 1)
	if got, want := stepOf(log), draw.Step(s.Snapshot().Run(job).Progress.Step); got != want || got != "249" {
		t.Errorf("the rank is at step %s, the job at %s", got, want)
	}
}
