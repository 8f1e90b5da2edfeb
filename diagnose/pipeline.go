package diagnose

import (
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// StageState is one word for where a job stands with one stage of its way.
type StageState string

const (
	StagePassed  StageState = "passed"
	StageWaiting StageState = "waiting" // under way, or waits for what is not there yet
	StageWarned  StageState = "warning" // passed or under way, with a finding
	StageFailed  StageState = "failed"
	StageUnknown StageState = "unknown" // nothing to tell by
	StageAhead   StageState = "ahead"   // not reached
)

// StageStatus is one stage of a job's way.
type StageStatus struct {
	Stage train.Stage
	State StageState
	// Text says in a few words what the state rests on: "4 of 8 ranks have a node".
	Text string
}

// Pipeline is the way of a job, one status for each of train.Stages. What has
// been found decides; beyond that, how far the job's ranks have come.
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

// way is the way of one job while it is made out.
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

// ahead marks what lies behind the first stage that waits.
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

// found puts findings over what the ranks tell: the first of the worst of each
// stage says it.
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

// stopped marks what a job did not reach that ended before any rank started.
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
