// Package diagnose says why a training job is stuck, failed or slow: the root
// cause, the evidence, what was ruled out, what to do next.
//
//	snapshot ─► signals ─┐
//	snapshot ─► rules ───┴─► findings and checks of each job, root cause first
//
// It is pure: a snapshot in, a report out. Rules are lists that anyone can
// read; they never guess in silence, and what could not be looked at is said.
package diagnose

import (
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Options say how a picture is diagnosed.
type Options struct {
	Thresholds signals.Thresholds
}

// Report is the diagnosis of one picture. It never changes; a nil report
// knows nothing.
type Report struct {
	signals *signals.Report
	jobs    map[train.JobID]*Answer
	order   []train.JobID
}

// Answer is what is known of one job.
type Answer struct {
	// Findings stand in order: the root cause first, what it explains hidden
	// under it, then independent ones.
	Findings []train.Finding
	// Checks say what became of looking for each cause.
	Checks []train.Check
}

// Signals are those of the picture.
func (r *Report) Signals() *signals.Report {
	if r == nil {
		return nil
	}
	return r.signals
}

// Job is the answer for one job, nil when it was not looked at.
func (r *Report) Job(id train.JobID) *Answer {
	if r == nil {
		return nil
	}
	return r.jobs[id]
}

// Worst is the first finding of a job, nil when it has none.
func (r *Report) Worst(id train.JobID) *train.Finding {
	answer := r.Job(id)
	if answer == nil || len(answer.Findings) == 0 {
		return nil
	}
	return &answer.Findings[0]
}

// Jobs are the jobs that have an answer, in the order of Snapshot.Jobs and
// then Snapshot.LogJobs.
func (r *Report) Jobs() []train.JobID {
	if r == nil {
		return nil
	}
	return r.order
}

// Run diagnoses a picture. before is the report of an earlier one, or nil:
// answers that cannot have changed are taken from it.
func Run(s *store.Snapshot, o Options, before *Report) *Report {
	r := &Report{jobs: map[train.JobID]*Answer{}}
	r.signals = signals.Find(s, o.Thresholds, before.Signals())
	return r
}
