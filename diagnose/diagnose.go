// Package diagnose finds why a training job is stuck, failed or slow: the root
// cause, the evidence, what was ruled out, what to do next.
//
//	snapshot ─► signals ─┐
//	snapshot ─► rules ───┴─► findings and checks of each job, root cause first
//
// It is pure: a snapshot in, a report out. Rules are lists that anyone can
// read; they mark guesses as such, and report what could not be checked.
package diagnose

import (
	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Options control how a snapshot is diagnosed.
type Options struct {
	Thresholds signals.Thresholds
	// Probes are the results of checks that were run inside ranks; they become
	// evidence beside the findings whose steps name the check. Not changed
	// while Run reads it.
	Probes []ProbeAnswer
	// Asked contains which logs were requested; for jobs not in it, the logs
	// that a source tried to read count.
	Asked map[train.JobID]*Asked
	// Reach is put into the commands of findings.
	Reach Reach
}

// Report is the diagnosis of one snapshot. It never changes for its readers; a
// nil report is empty.
type Report struct {
	signals   *signals.Report
	order     []train.JobID
	answers   []*Answer // in that order
	positions map[train.JobID]int
	version   uint64
	inputs    inputs

	// The state from which the next run starts: the snapshot itself is not
	// kept.
	nodes   *capacity.ClusterCapacity
	of      versions
	secrets *redact.Redactor
	warned  warnedObjects
}

// versions are those of a snapshot.
type versions struct{ objects, events, logs, nodes uint64 }

func versionsOf(s *store.Snapshot) versions {
	return versions{objects: s.ObjectsVersion, events: s.EventsVersion, logs: s.LogsVersion, nodes: s.NodesVersion}
}

// Answer is the diagnosis of one job.
type Answer struct {
	// Findings are in order: the root cause first, what it explains hidden
	// under it, then independent ones.
	Findings []train.Finding
	// Checks contain the result of looking for each cause.
	Checks []train.Check
	// Conclusion sums them up. Jobs that just run share theirs.
	Conclusion *Conclusion

	seen *answerInputs
}

// Signals returns those of the snapshot.
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

// Job returns the answer for one job, nil when it was not diagnosed.
func (r *Report) Job(id train.JobID) *Answer {
	if r == nil {
		return nil
	}
	position, known := r.positions[id]
	if !known {
		return nil
	}
	return r.answers[position]
}

// Worst returns the first finding of a job, nil when it has none.
func (r *Report) Worst(id train.JobID) *train.Finding {
	answer := r.Job(id)
	if answer == nil || len(answer.Findings) == 0 {
		return nil
	}
	return &answer.Findings[0]
}

// Jobs returns the jobs that have an answer, in the order of Snapshot.Jobs and
// then Snapshot.LogJobs.
func (r *Report) Jobs() []train.JobID {
	if r == nil {
		return nil
	}
	return r.order
}

// pass holds what one diagnosis of a snapshot shares between its jobs.
type pass struct {
	*rule.ClusterContext
	probes map[train.JobID][]ProbeAnswer
	// inputs are the sources of the snapshot; asked are the requested logs.
	inputs *inputs
	asked  map[train.JobID]*Asked
	reach  Reach
	// conclusions are shared by calm jobs.
	conclusions map[conclusionSort]*Conclusion
	// warned are the objects about which there is a warning that no rule knows.
	warned warnedObjects
}

// Run diagnoses a snapshot. before is the report of an earlier one, or nil:
// Run reuses answers that cannot have changed. Two runs must not start from
// the same report at once.
func Run(s *store.Snapshot, o Options, before *Report) *Report {
	if before == nil {
		before = &Report{}
	}
	r := &Report{version: before.version, of: versionsOf(s), inputs: inputsOf(s), signals: signals.Find(s, o.Thresholds, before.signals)}
	w := &pass{
		ClusterContext: &rule.ClusterContext{Snapshot: s, Now: s.Now, Signals: r.signals, Causes: causes, Nodes: capacity.NewClusterCapacity(s, before.nodes), Pressed: noteNodeEvents(s, rule.NodesUnderPressure(s.Nodes()))},
		probes:         byJob(o.Probes), inputs: &r.inputs, asked: o.Asked, reach: o.Reach,
	}
	was, first := before.of, before.nodes == nil
	changed := changes{
		objects: first || was.objects != r.of.objects, events: first || was.events != r.of.events,
		logs: first || was.logs != r.of.logs, signals: before.signals != r.signals,
		inputs: !first && !r.inputs.same(&before.inputs),
	}
	if r.warned = before.warned; changed.events {
		r.warned = warnedObjectsOf(s)
	}
	w.warned = r.warned
	r.line(before, s.Jobs(), s.LogJobs())
	lists, next := newCheckLists(), 0
	if r.secrets = before.secrets; r.secrets == nil {
		r.secrets = redact.New()
	}
	for _, jobs := range [...][]*train.Job{s.Jobs(), s.LogJobs()} {
		for _, job := range jobs {
			answer := before.at(next, job.ID)
			if answer == nil || !answer.seen.same(w, job, changed) {
				answer = diagnoseJob(w, job, lists)
				redactFindings(r.secrets, answer.Findings)
				answer.Conclusion = w.conclusionOf(job, answer)
				redactConclusion(r.secrets, answer.Conclusion)
				r.version++
			}
			r.answers[next] = answer
			next++
		}
	}
	r.nodes = w.Nodes.Trimmed()
	if first || len(before.order) != len(r.order) {
		r.version++
	}
	return r
}

// line lists the jobs. Mostly they are those of the previous report, and share
// its table.
func (r *Report) line(before *Report, objects, files []*train.Job) {
	n := len(objects) + len(files)
	r.answers = make([]*Answer, n)
	all := func(i int) train.JobID {
		if i < len(objects) {
			return objects[i].ID
		}
		return files[i-len(objects)].ID
	}
	same := len(before.order) == n
	for i := 0; same && i < n; i++ {
		same = before.order[i] == all(i)
	}
	if same {
		r.order, r.positions = before.order, before.positions
		return
	}
	r.order, r.positions = make([]train.JobID, n), make(map[train.JobID]int, n)
	for i := range n {
		r.order[i] = all(i)
		r.positions[r.order[i]] = i
	}
}

// at returns the answer for a job that probably has a position.
func (r *Report) at(position int, id train.JobID) *Answer {
	if position < len(r.order) && r.order[position] == id {
		return r.answers[position]
	}
	return r.Job(id)
}
