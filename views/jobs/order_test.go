package jobs

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

func TestWhatNeedsAPersonComesFirst(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	job := func(name string, phase train.Phase, age time.Duration) *train.Job {
		return &train.Job{Ref: train.Ref{Name: name}, Phase: phase, Created: at.Add(-age), Wanted: 2, Ready: 2}
	}
	queued := func(name string, place int, age time.Duration) *train.Job {
		j := job(name, train.Queued, age)
		j.Queue = &train.Queue{Place: place}
		return j
	}
	crashing := job("crashing", train.Running, time.Hour)
	crashing.Ready, crashing.Reason = 1, "worker-1: CrashLoopBackOff"
	jobs := []*train.Job{
		job("done", train.Succeeded, time.Second), job("well", train.Running, time.Second), crashing,
		queued("second", 2, time.Minute), queued("first", 1, time.Second), queued("nowhere", 0, time.Hour),
		job("old-failure", train.Failed, time.Hour), job("new-failure", train.Failed, time.Minute),
		job("unheard-of", "Exploded", time.Hour), job("pending", train.Pending, time.Hour),
	}
	slices.SortStableFunc(jobs, New(views.JobsRoute{}).needsYou)
	var names []string
	for _, j := range jobs {
		names = append(names, j.Ref.Name)
	}
	want := "new-failure old-failure unheard-of crashing pending nowhere first second well done"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestInQueue(t *testing.T) {
	j := &train.Job{Ref: train.Ref{Namespace: "team-a"}, Queue: &train.Queue{Name: "train", ClusterQueue: "gpu-cq"}}
	for queue, want := range map[string]bool{"train": true, "gpu-cq": true, "team-a/train": true, "team-b/train": false} {
		if inQueue(j, queue) != want {
			t.Errorf("in %s: %v", queue, !want)
		}
	}
}
