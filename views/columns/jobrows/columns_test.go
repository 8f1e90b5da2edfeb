package jobrows

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

var nine = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func facts() *Facts {
	s := store.New(func() time.Time { return nine })
	s.Apply(store.Clock{Now: nine})
	return &Facts{Snapshot: s.Snapshot(), Ages: &draw.Ages{Now: nine}}
}

func printed(t *testing.T, j *train.Job, titles ...string) string {
	t.Helper()
	var b strings.Builder
	if err := facts().Columns().Named(titles...).Print(&b, 1, []*train.Job{j}); err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(b.String(), "\n")
	return strings.Join(strings.Fields(line), " ")
}

func TestEveryTitleHasOneColumn(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range facts().Columns() {
		if seen[c.Title] {
			t.Errorf("two columns are called %s", c.Title)
		}
		seen[c.Title] = true
	}
}

// A job without any facts draws and prints that, without a log, a reading or a
// diagnosis.
func TestAJobOfWhichNothingIsKnown(t *testing.T) {
	f := facts()
	for _, c := range f.Columns() {
		c.Cell(&train.Job{}, columns.PlainInk())
	}
	if got, want := printed(t, &train.Job{}, TitleQueue, TitleRoles, TitleAge, TitleStarted, TitleDuration, TitleStep, TitleLoss, TitleUse, TitleOwner, TitleWhy), "- - - - - - - - -"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestWhatACommandPrintsOfAJob(t *testing.T) {
	j := &train.Job{
		Ref: train.Ref{Kind: "PyTorchJob", Namespace: "ml", Name: "bert"}, Phase: train.Running, Ready: 3, Wanted: 4, GPUs: 1024, Restarts: 2,
		Queue: &train.Queue{Name: "team", Place: 7}, Created: nine.Add(-2 * time.Hour), Started: nine.Add(-time.Hour), Finished: nine.Add(-50 * time.Minute),
		Roles:  []train.Role{{Name: "Master", Ready: 1, Wanted: 1}, {Name: "Worker", Ready: 2, Wanted: 3}},
		Reason: "token=ghp_0123456789abcdefghijklmnopqrstuvwxyz\x1b[31m is wrong",
	}
	want := "ml bert PyTorchJob running 3/4 1024 team #7 2 120m Master 1/1, Worker 2/3 60m 10m"
	if got := printed(t, j, TitleNamespace, TitleName, TitleKind, TitlePhase, TitleRanks, TitleGPUs, TitleQueue, TitleRestarts, TitleAge, TitleRoles, TitleStarted, TitleDuration); !strings.EqualFold(got, want) {
		t.Errorf("printed %q, want %q", got, want)
	}
	if why := printed(t, j, TitleWhy); strings.Contains(why, "\x1b") || strings.Contains(why, "ghp_") || !strings.Contains(why, "is wrong") {
		t.Errorf("why is printed as %q", why)
	}
}

// Of a job that succeeded the ranks that are done count, a parameter server that still
// runs among them; where nobody knows how many are done, only how many there were.
func TestRanksOfAJobThatSucceeded(t *testing.T) {
	rank := func(role string, index int, state train.RankState) train.Rank {
		return train.Rank{Role: role, RoleIndex: index, State: state, Ready: state == train.RankRunning}
	}
	j := &train.Job{Phase: train.Succeeded, Ready: 1, Wanted: 3, Roles: []train.Role{{Name: "Worker", Wanted: 2}, {Name: "PS", Wanted: 1, Ready: 1}}, Ranks: []train.Rank{
		rank("Worker", 0, train.RankSucceeded), rank("Worker", 1, train.RankSucceeded), rank("PS", 0, train.RankRunning), rank("Worker", 2, train.RankSucceeded),
	}}
	if got, want := printed(t, j, TitleRanks, TitleRoles), "3/3 Worker 2/2, PS 1/1"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	j.Ranks[1].State = train.RankMissing
	if got, want := printed(t, j, TitleRanks, TitleRoles), "3 Worker 2, PS 1/1"; got != want {
		t.Errorf("of pods that are gone: printed %q, want %q", got, want)
	}
	j.Phase = train.Failed
	if got, want := printed(t, j, TitleRanks, TitleRoles), "1/3 Worker 0/2, PS 1/1"; got != want {
		t.Errorf("of one that failed: printed %q, want %q", got, want)
	}
}

// A pending job without a known reason for its wait shows that.
func TestWhatNothingExplainsIsSaid(t *testing.T) {
	waits, missing, starts := train.Rank{State: train.RankPending}, train.Rank{State: train.RankMissing}, train.Rank{State: train.RankStarting}
	for _, c := range []struct {
		job  train.Job
		want string
	}{
		{train.Job{Ranks: []train.Rank{waits, missing}}, "its pods wait for a node, and neither their status nor an event says why"},
		{train.Job{Ranks: []train.Rank{missing}, Unread: true}, "its status and its events do not say why, and its pods were not read"},
		{train.Job{Ranks: []train.Rank{missing}}, "it has no pods, and no event says why"},
		{train.Job{Ranks: []train.Rank{missing, starts}}, ""},
		{train.Job{Ranks: []train.Rank{waits}, Reason: "waits for a claim"}, "waits for a claim"},
	} {
		c.job.Phase = train.Pending
		if got := printed(t, &c.job, TitleWhy); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// MIG slices are distinguished from whole GPUs.
func TestSlicesAreNoGPUs(t *testing.T) {
	for want, job := range map[string]train.Job{"2 MIG": {GPUs: 2, Slices: 2}, "8": {GPUs: 8}, "8 + 1 MIG": {GPUs: 9, Slices: 1}, "0": {}} {
		if got := printed(t, &job, TitleGPUs); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Fast steps are counted whole: "1.25e+03/s" is no number for a column.
func TestTheRateHasNoExponent(t *testing.T) {
	for each, want := range map[time.Duration]string{
		800 * time.Microsecond: "1,250/s", time.Millisecond: "1,000/s", 10 * time.Millisecond: "100/s", 3 * time.Millisecond: "333/s",
		time.Nanosecond: "1,000,000,000/s", 2500 * time.Millisecond: "2.5 s",
	} {
		if got := rateText(each); got != want {
			t.Errorf("a step takes %v: %q, want %q", each, got, want)
		}
	}
}
