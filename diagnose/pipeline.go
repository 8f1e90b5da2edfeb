package diagnose

import (
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// StageState is the state of one stage of a job.
type StageState string

const (
	StagePassed  StageState = "passed"
	StageWaiting StageState = "waiting" // under way, or waits for something missing
	StageWarned  StageState = "warning" // passed or under way, with a finding
	StageFailed  StageState = "failed"
	StageUnknown StageState = "unknown" // no information
	StageAhead   StageState = "ahead"   // not reached
)

// StageStatus is the status of one stage of a job.
type StageStatus struct {
	Stage train.Stage
	State StageState
	// Text is the reason for the state in a few words: "4 of 8 ranks have a
	// node".
	Text string
}

// Pipeline returns one status for each of train.Stages. Findings decide;
// otherwise, how far the job's ranks have come.
func Pipeline(s *store.Snapshot, job *train.Job, answer *Answer) []StageStatus {
	w := way{snapshot: s, job: job, stages: make([]StageStatus, len(train.Stages))}
	for i, stage := range train.Stages {
		w.stages[i] = StageStatus{Stage: stage, State: StageUnknown}
	}
	if job == nil {
		return w.stages
	}
	if job.LogsOnly {
		w.printed()
	} else {
		w.pods()
	}
	w.steps()
	w.speed()
	if !job.Phase.Terminal() {
		w.ahead()
	}
	if answer != nil {
		w.found(answer.Findings)
	}
	return w.stages
}

// way holds the stages of one job while they are determined.
type way struct {
	snapshot *store.Snapshot
	job      *train.Job
	stages   []StageStatus
}

func (w *way) set(stage train.Stage, state StageState, text string) {
	at := w.at(stage)
	at.State, at.Text = state, text
}

func (w *way) at(stage train.Stage) *StageStatus { return &w.stages[slices.Index(train.Stages, stage)] }

// ahead marks the stages after the first one that waits.
func (w *way) ahead() {
	waits := slices.IndexFunc(w.stages, func(s StageStatus) bool { return s.State == StageWaiting })
	if waits < 0 {
		return
	}
	for i := waits + 1; i < len(w.stages); i++ {
		if w.stages[i].State != StagePassed {
			w.stages[i].State, w.stages[i].Text = StageAhead, ""
		}
	}
}

// found applies findings, which override the state of the ranks: the first of
// the worst of each stage decides.
func (w *way) found(findings []train.Finding) {
	for i := range findings {
		f := &findings[i]
		if !slices.Contains(train.Stages, f.Stage) {
			continue
		}
		at := w.at(f.Stage)
		switch {
		case f.Severity == train.SeverityError && at.State != StageFailed:
			at.State, at.Text = StageFailed, f.Title
		case f.Severity == train.SeverityWarning && at.State != StageFailed && at.State != StageWarned:
			at.State, at.Text = StageWarned, f.Title
		}
	}
	w.stopped()
}

// stopped marks the stages that a job did not reach because it ended before
// any rank started.
func (w *way) stopped() {
	failed := slices.IndexFunc(w.stages, func(s StageStatus) bool { return s.State == StageFailed })
	if failed < 0 || failed >= slices.Index(train.Stages, train.StageStart) {
		return
	}
	for i := failed + 1; i < len(w.stages); i++ {
		if w.stages[i].State == StageUnknown {
			w.stages[i].State, w.stages[i].Text = StageAhead, ""
		}
	}
}
