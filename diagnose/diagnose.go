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

// Report is the diagnosis of one picture. A reader sees it never change; a nil
// report knows nothing.
type Report struct {
	signals *signals.Report
	jobs    map[train.JobID]*Answer
	order   []train.JobID
	version uint64

	// What the next run starts from.
	nodes    *nodeRooms
	snapshot *store.Snapshot
}

// Answer is what is known of one job.
type Answer struct {
	// Findings stand in order: the root cause first, what it explains hidden
	// under it, then independent ones.
	Findings []train.Finding
	// Checks say what became of looking for each cause.
	Checks []train.Check

	seen *seen
}

// Signals are those of the picture.
func (r *Report) Signals() *signals.Report {
	if r == nil {
		return nil
	}
	return r.signals
}

// Version differs between two reports of one chain of runs when an answer
// differs; 0 for a nil report. Signals do not count.
func (r *Report) Version() uint64 {
	if r == nil {
		return 0
	}
	return r.version
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
// answers that cannot have changed are taken from it. Two runs must not start
// from the same report at once.
func Run(s *store.Snapshot, o Options, before *Report) *Report {
	r := &Report{jobs: make(map[train.JobID]*Answer, len(s.Jobs())), version: before.Version(), snapshot: s}
	r.signals = signals.Find(s, o.Thresholds, before.Signals())
	w := &world{Snapshot: s, now: s.Now, signals: r.signals, list: causes}
	changed := changes{objects: true, events: true, logs: true, signals: true}
	if before != nil {
		was := before.snapshot
		w.nodes = newNodeRooms(s, before.nodes)
		changed = changes{
			objects: was.ObjectsVersion != s.ObjectsVersion, events: was.EventsVersion != s.EventsVersion,
			logs: was.LogsVersion != s.LogsVersion, signals: before.signals != r.signals,
		}
	} else {
		w.nodes = newNodeRooms(s, nil)
	}
	r.nodes = w.nodes
	for _, jobs := range [][]*train.Job{s.Jobs(), s.LogJobs()} {
		for _, job := range jobs {
			r.put(w, job, before, changed)
		}
	}
	if before == nil || len(before.order) != len(r.order) {
		r.version++
	}
	return r
}

// put takes over the earlier answer for a job, or makes a new one.
func (r *Report) put(w *world, job *train.Job, before *Report, changed changes) {
	r.order = append(r.order, job.ID)
	if answer := before.Job(job.ID); answer != nil && answer.seen.same(w, job, changed) {
		r.jobs[job.ID] = answer
		return
	}
	r.jobs[job.ID] = diagnoseJob(w, job)
	r.version++
}
