package views

import (
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train"
)

func TestFailedRank(t *testing.T) {
	ten := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	ended := func(index int, after time.Duration) train.Rank {
		return train.Rank{Index: index, State: train.RankFailed, Attempts: []train.Attempt{{Finished: ten.Add(after)}}}
	}
	well := train.Rank{Index: 0, State: train.RankRunning}
	job := &train.Job{Ranks: []train.Rank{well, ended(1, 2*time.Second), ended(2, time.Second), {Index: 3, State: train.RankLost}}}
	if got := FailedRank(job, nil); got != 2 {
		t.Errorf("rank %d, want 2, which ended first", got)
	}
	answer := &diagnose.Answer{Findings: []train.Finding{{RootRank: -1, Severity: train.SeverityError}, {RootRank: 3, Severity: train.SeverityError}}}
	if got := FailedRank(job, answer); got != 3 {
		t.Errorf("rank %d, want 3, which was diagnosed", got)
	}
	answer.Findings = []train.Finding{{RootRank: 1, Severity: train.SeverityInfo}, {RootRank: 9, Severity: train.SeverityError}}
	if got := FailedRank(&train.Job{Ranks: []train.Rank{well}}, answer); got != -1 {
		t.Errorf("rank %d of a job without trouble", got)
	}
}
