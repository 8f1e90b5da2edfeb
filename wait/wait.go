package wait

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Options define what is waited for.
type Options struct {
	// Conditions are tried in order; the first that holds ends the wait for a job.
	Conditions []Condition
	// NoProgress is how long a job may run without a new step or line; 0 is for
	// ever. Timeout is how long all may take; 0 is for ever.
	NoProgress, Timeout time.Duration
	// LooksEvery is how long may pass between two looks of a process that runs. A longer
	// time was spent stopped (ctrl-z, a paused machine), so what arrived meanwhile is not
	// read yet, and it is no time without progress. 0 where time is that of a recording.
	LooksEvery time.Duration
	// Any ends the wait with the first job that is there, instead of with all.
	Any bool
	// Names are the names that were typed, none where jobs are chosen otherwise.
	Names []string
	// Wanted reports whether a job of a snapshot is waited for, and by which of
	// Names.
	Wanted func(*store.Snapshot, *train.Job) (wanted bool, names []int)
	// Place is where jobs are looked for, for messages.
	Place string
	// Near are the names of jobs that a person may have meant by one that no job
	// has, nil for none.
	Near func(s *store.Snapshot, name string) []string
}

// Wait is the wait for some jobs. It has one caller at a time.
type Wait struct {
	o     Options
	began time.Time
	jobs  []*job // in the order in which they were first seen
	byRef map[train.Ref]*job
	// named are the indexes of Names that a job was seen for.
	named []bool
	// version is the JobsVersion in which jobs were last looked for.
	version  uint64
	searched bool
	silent   bool
	timedOut bool
	lines    []Line
}

// New begins a wait. now is the time from which Timeout counts.
func New(o Options, now time.Time) *Wait {
	return &Wait{o: o, began: now, byRef: map[train.Ref]*job{}, named: make([]bool, len(o.Names))}
}

// Begin reports which jobs are not there yet. Call it after the first Look.
func (w *Wait) Begin(s *store.Snapshot) {
	for _, name := range w.Missing() {
		line := newLine(EventWaiting, s.Now)
		line.Why = fmt.Sprintf("there is no job %q in %s yet; waiting for it", name, w.o.Place)
		if w.o.Near != nil {
			if near := w.o.Near(s, name); len(near) > 0 {
				line.Why += "; there is " + strings.Join(near, ", ")
			}
		}
		w.lines = append(w.lines, line)
	}
	if len(w.o.Names) == 0 && len(w.jobs) == 0 {
		line := newLine(EventWaiting, s.Now)
		line.Why = fmt.Sprintf("there is no such job in %s yet; waiting for one", w.o.Place)
		w.lines = append(w.lines, line)
	}
}

// Missing returns the names of which no job was seen.
func (w *Wait) Missing() []string {
	var missing []string
	for i, name := range w.o.Names {
		if !w.named[i] {
			missing = append(missing, name)
		}
	}
	return missing
}

// Changed looks at the waited jobs after an event about objects. created is the
// job object that the event is about, "" for any other object. It costs little
// where nothing of them changed. It reports whether there are new lines.
func (w *Wait) Changed(s *store.Snapshot, created train.JobID, now time.Time) bool {
	w.lookAtConnection(s)
	if created != "" {
		if of := s.Job(created); of != nil {
			w.consider(s, of)
		}
	}
	for _, j := range w.jobs {
		if j.outcome == "" && s.Job(j.id) != j.last {
			w.observe(j, s, nil, now)
		}
	}
	return len(w.lines) > 0
}

// Look looks for jobs and at all that is known of them. r is a diagnosis of this
// snapshot, nil where none was made. now is the time of the caller's clock.
func (w *Wait) Look(s *store.Snapshot, r *diagnose.Report, now time.Time) {
	w.lookAtConnection(s)
	if !w.searched || s.JobsVersion != w.version {
		w.searched, w.version = true, s.JobsVersion
		for _, of := range slices.Concat(s.Jobs(), s.LogJobs()) {
			w.consider(s, of)
		}
	}
	for _, j := range w.jobs {
		if j.outcome == "" {
			w.observe(j, s, r, now)
		}
	}
	if w.Late(now) {
		w.endAll(s, TimedOut, "not reached within "+w.o.Timeout.String())
		w.timedOut = true
	}
}

// Late reports whether Timeout is over: the next Look is the last.
func (w *Wait) Late(now time.Time) bool {
	return w.o.Timeout > 0 && now.Sub(w.began) >= w.o.Timeout
}

// End ends the wait because the source has nothing more to report: what does not
// hold now never will.
func (w *Wait) End(s *store.Snapshot, r *diagnose.Report, now time.Time, why string) {
	w.Look(s, r, now)
	for _, j := range w.jobs {
		switch {
		case j.outcome != "":
		case !j.deletedAt.IsZero():
			w.end(j, s, Gone, "", "it was deleted, and "+why)
		default:
			w.end(j, s, Failed, "", j.whyNot(why))
		}
	}
}

// whyNot adds to the reason of an end that its logs do not print what is waited for.
func (j *job) whyNot(why string) string {
	if j.absent != "" {
		why += "; " + j.absent
	}
	return why
}

// Interrupt ends the wait because somebody asked for it.
func (w *Wait) Interrupt(s *store.Snapshot) { w.endAll(s, Interrupted, "not reached yet") }

func (w *Wait) endAll(s *store.Snapshot, outcome Outcome, why string) {
	for _, j := range w.jobs {
		if j.outcome == "" {
			w.end(j, s, outcome, "", j.whyNot(why))
		}
	}
}

// lookAtConnection reports that the cluster gives no answer, and that it does
// again.
func (w *Wait) lookAtConnection(s *store.Snapshot) {
	if silent := s.Silent(); silent != w.silent {
		w.silent = silent
		line := newLine(EventReachable, s.Now)
		line.Why = "the cluster can be reached again"
		if silent {
			line.Event, line.Why = EventUnreachable, "the cluster cannot be reached, and it is tried again"
			for _, h := range s.Health() {
				if h.Source == "kube" && h.Text != "" {
					line.Why += ": " + h.Text
				}
			}
		}
		w.lines = append(w.lines, line)
	}
}

// consider begins to wait for a job that is wanted.
func (w *Wait) consider(s *store.Snapshot, of *train.Job) {
	key := of.Ref
	key.UID = ""
	if j, known := w.byRef[key]; known {
		if j.id != of.ID && j.outcome == "" && j.deleted(s, s.Job(j.id)) {
			w.recreated(j, s, of)
		}
		return
	}
	wanted, names := w.o.Wanted(s, of)
	if !wanted {
		return
	}
	for _, i := range names {
		w.named[i] = true
	}
	j := newJob(of)
	w.jobs = append(w.jobs, j)
	w.byRef[key] = j
}

func (w *Wait) recreated(j *job, s *store.Snapshot, of *train.Job) {
	j.recreate(of)
	line := newLine(EventRecreated, s.Now)
	line.Job, line.Attempt = of.Ref, j.attempt
	line.Why = fmt.Sprintf("it was deleted and created again; this is attempt %d", j.attempt)
	w.lines = append(w.lines, line)
}

// observe looks at one job, reports changes and decides.
func (w *Wait) observe(j *job, s *store.Snapshot, r *diagnose.Report, now time.Time) {
	of := s.Job(j.id)
	if j.deleted(s, of) {
		w.missing(j, s, now)
		return
	}
	if of == nil { // which does not mean that it is gone
		if !j.unread {
			j.unread = true
			w.note(j, s, "it cannot be read any more; waiting until it can")
		}
		return
	}
	j.deletedAt, j.unread = time.Time{}, false
	j.learn(s, of, w.o.Conditions)
	if r != nil {
		j.learnReport(s, of, r)
	}
	if line, changed := j.change(s, of); changed {
		w.lines = append(w.lines, line)
	}
	if w.o.NoProgress > 0 {
		j.progress.allowStop(w.o.LooksEvery, now)
		j.progress.look(s, of, j.facts.step, now)
		w.noteUnreadable(j, s, now)
	}
	w.judge(j, s, of, now)
	if j.similar && !j.named && j.outcome == "" {
		j.named = true
		w.note(j, s, j.absent)
	}
}

// missing handles a job whose object is gone.
func (w *Wait) missing(j *job, s *store.Snapshot, now time.Time) {
	if j.deletedAt.IsZero() {
		j.deletedAt = now
		line := newLine(EventDeleted, s.Now)
		line.Job, line.Attempt = j.refNow(), j.attempt
		line.Why = fmt.Sprintf("it was deleted; waiting %s for it to be created again", recreatedWithin)
		w.lines = append(w.lines, line)
	}
	if now.Sub(j.deletedAt) >= recreatedWithin {
		w.end(j, s, Gone, "", fmt.Sprintf("it was deleted and not created again within %s", recreatedWithin))
	}
}

// noteUnreadable reports once that a log cannot be read, unless that passes soon: a
// container that begins has no log yet.
func (w *Wait) noteUnreadable(j *job, s *store.Snapshot, now time.Time) {
	if j.unreadable == "" || j.noted || now.Sub(j.unreadableAt) < unreadableFor {
		return
	}
	j.noted = true
	w.note(j, s, "its log cannot be read, so whether it makes progress is not known: "+j.unreadable)
}

func (w *Wait) note(j *job, s *store.Snapshot, text string) {
	line := newLine(EventNote, s.Now)
	line.Job, line.Attempt, line.Why = j.refNow(), j.attempt, text
	w.lines = append(w.lines, line)
}

// judge ends the wait for a job where a condition holds, or none can any more.
func (w *Wait) judge(j *job, s *store.Snapshot, of *train.Job, now time.Time) {
	for i := range w.o.Conditions {
		if c := &w.o.Conditions[i]; c.holds(&j.facts) {
			w.end(j, s, Reached, c.Text, "")
			return
		}
	}
	switch {
	case of.LogsOnly && !w.NeedsLogs() && w.o.NoProgress == 0:
		w.end(j, s, Failed, "", "a log alone does not say in which phase its job is")
	case of.Phase.Terminal():
		if j.endedAt.IsZero() {
			j.endedAt = now
		}
		if !w.mayStillHold(j, s, of, now) {
			w.end(j, s, Failed, "", endedOtherwise(of))
		}
	case j.progress.stuck(w.o.NoProgress, now):
		lead := leadRank(s.Run(of))
		if lead < len(of.Ranks) {
			lead = of.Ranks[lead].Index
		}
		w.end(j, s, Stuck, "", j.progress.why(w.o.NoProgress, lead))
	}
}

// endedOtherwise explains why a job that ended did not reach what was asked.
func endedOtherwise(of *train.Job) string {
	why := "the job ended as " + string(of.Phase)
	if of.Reason != "" {
		why += ": " + of.Reason
	}
	return why
}

// mayStillHold reports whether the logs of a job that ended may still fulfil a
// condition.
func (w *Wait) mayStillHold(j *job, s *store.Snapshot, of *train.Job, now time.Time) bool {
	logs, diagnosis := w.NeedsLogs(), w.NeedsDiagnosis()
	if !logs || now.Sub(j.endedAt) >= logsEndWithin {
		return false
	}
	return !logsOver(s, of) || diagnosis && !j.diagnosed
}

// NeedsLogs, NeedsWholeLogs and NeedsDiagnosis report what any of the conditions
// needs.
func (w *Wait) NeedsLogs() bool {
	return slices.ContainsFunc(w.o.Conditions, func(c Condition) bool { return c.NeedsLogs() })
}

// NeedsWholeLogs reports whether logs have to be read from their beginning.
func (w *Wait) NeedsWholeLogs() bool {
	return slices.ContainsFunc(w.o.Conditions, func(c Condition) bool { return c.NeedsWholeLogs() })
}

// NeedsDiagnosis reports whether Look needs reports.
func (w *Wait) NeedsDiagnosis() bool {
	return slices.ContainsFunc(w.o.Conditions, func(c Condition) bool { return c.NeedsDiagnosis() })
}

// AwaitsReport reports whether a job has ended and only a diagnosis of its logs
// is missing.
func (w *Wait) AwaitsReport() bool {
	return w.NeedsDiagnosis() && slices.ContainsFunc(w.jobs, func(j *job) bool { return j.outcome == "" && !j.endedAt.IsZero() })
}

// Open returns the jobs that are still waited for.
func (w *Wait) Open() []train.JobID {
	var open []train.JobID
	for _, j := range w.jobs {
		if j.outcome == "" {
			open = append(open, j.id)
		}
	}
	return open
}

// end decides about a job and reports it.
func (w *Wait) end(j *job, s *store.Snapshot, outcome Outcome, condition, why string) {
	j.end(outcome, condition, why)
	line := newLine(EventOutcome, s.Now)
	line.Job, line.Attempt, line.Phase = j.refNow(), j.attempt, j.phase
	line.Outcome, line.Condition, line.Why = outcome, condition, why
	w.lines = append(w.lines, line)
}

// Over returns how the wait as a whole ended, and false while it goes on: with
// Any once one job reached or none can any more, otherwise once all reached or
// one cannot any more.
func (w *Wait) Over() (Outcome, bool) {
	var bad Outcome
	open, reached := len(w.Missing()), 0
	for _, j := range w.jobs {
		switch {
		case j.outcome == "":
			open++
		case j.outcome == Reached:
			reached++
		default:
			bad = worst(bad, j.outcome)
		}
	}
	switch {
	case w.o.Any && reached > 0, !w.o.Any && reached > 0 && open == 0 && bad == "":
		return Reached, true
	case bad != "" && !w.o.Any:
		return bad, true
	case w.timedOut:
		return TimedOut, true
	case bad != "" && open == 0:
		return bad, true
	}
	return "", false
}

// Lines returns the lines since the last call.
func (w *Wait) Lines() []Line {
	lines := w.lines
	w.lines = nil
	return lines
}

// Results returns the state of the wait for each job, and for each name without a
// job.
func (w *Wait) Results() []Result {
	var all []Result
	for _, j := range w.jobs {
		all = append(all, j.result())
	}
	for _, name := range w.Missing() {
		all = append(all, Result{Name: name, Why: "no such job was seen"})
	}
	return all
}

// Summary returns one line on how many jobs reached what was asked for.
func (w *Wait) Summary() string {
	results := w.Results()
	reached := 0
	for i := range results {
		if results[i].Outcome == Reached {
			reached++
		}
	}
	return fmt.Sprintf("%d of %s reached what was waited for", reached, termtext.Count(len(results), "job"))
}
