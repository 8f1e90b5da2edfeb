package wait

import (
	"cmp"
	"math"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

const (
	// recreatedWithin is how long a deleted job may be missing before it is gone.
	recreatedWithin = 30 * time.Second
	// logsEndWithin is how long the logs of a job that ended are waited for: the
	// kubelet has the last lines later than the operator has the end.
	logsEndWithin = 20 * time.Second
	// unreadableFor is how long a log may not be readable before that is reported.
	unreadableFor = 30 * time.Second
	// minorEvery is how often a line reports ready ranks or the reason alone.
	minorEvery = time.Second
	// progressEvery is how often a line reports steps alone.
	progressEvery = time.Minute
)

// job is what is known of one waited job.
type job struct {
	// ref has no UID; id is that of the object that has the name now.
	ref     train.Ref
	id      train.JobID
	attempt int
	facts
	progress

	last *train.Job
	// logsVersion is that of its logs when they were last read.
	logsVersion uint64
	// finding is the title of the worst finding.
	finding  string
	reported reported

	// deletedAt is when the object was missing first, endedAt when it ended,
	// zero otherwise.
	deletedAt, endedAt time.Time
	// diagnosed is true where a report was made after the logs ended.
	diagnosed bool
	// noted is true once it was reported that its log cannot be read, unread while
	// its object cannot.
	noted, unread bool
	// named is true once it was reported that its logs name a metric otherwise.
	named bool

	outcome   Outcome
	condition string
	why       string
}

// reported is what the newest line of a job contained.
type reported struct {
	any                     bool
	phase                   train.Phase
	why                     string
	wanted, ready, restarts int
	step                    float64
	at                      time.Time
}

func newJob(of *train.Job) *job {
	ref := of.Ref
	ref.UID = ""
	return &job{ref: ref, id: of.ID, attempt: 1, facts: newFacts()}
}

// recreate begins the next attempt: another object has the name.
func (j *job) recreate(of *train.Job) {
	*j = job{ref: j.ref, id: of.ID, attempt: j.attempt + 1, facts: newFacts()}
}

// deleted reports whether the object is known to be absent, or another one has
// its name. One that merely cannot be read any more is not.
func (j *job) deleted(s *store.Snapshot, now *train.Job) bool {
	if now != nil && !now.Gone {
		return false
	}
	o, presence := s.Object(schema.GroupKind{Group: j.ref.Group, Kind: j.ref.Kind}, j.ref.Namespace, j.ref.Name)
	switch presence {
	case train.Absent:
		return true
	case train.Present:
		return o.GetUID() != "" && train.JobID(o.GetUID()) != j.id
	}
	return false
}

// learn adds what a snapshot contains about the job.
func (j *job) learn(s *store.Snapshot, now *train.Job, conditions []Condition) {
	if now != j.last {
		j.last = now
		j.learnJob(s, now)
	}
	if version := s.JobLogsVersion(j.id); version != j.logsVersion {
		j.logsVersion = version
		j.learnRun(s.Run(now), conditions)
	}
}

// learnReport adds what a diagnosis of the same snapshot reports.
func (j *job) learnReport(s *store.Snapshot, now *train.Job, r *diagnose.Report) {
	j.learnAnswer(r.Job(j.id))
	j.finding = ""
	if worst := r.Worst(j.id); worst != nil && worst.Severity != train.SeverityInfo {
		j.finding = worst.Title
	}
	j.diagnosed = j.diagnosed || now.Phase.Terminal() && logsOver(s, now)
}

// change returns the line about what changed, false where nothing did.
func (j *job) change(s *store.Snapshot, now *train.Job) (Line, bool) {
	line := newLine(EventState, s.Now)
	line.Job, line.Attempt = now.Ref, j.attempt
	line.Phase, line.Wanted, line.Ready, line.Restarts = now.Phase, now.Wanted, now.Ready, now.Restarts
	line.Why = cmp.Or(j.finding, now.Reason)
	if run := s.Run(now); run != nil {
		line.Step, line.TotalSteps = run.Step, run.TotalSteps
		if run.LossName != "" && series.IsLoss(run.LossName) {
			line.Loss, line.HasLoss = run.Loss, true
		}
	}
	t := reported{true, line.Phase, line.Why, line.Wanted, line.Ready, line.Restarts, line.Step, s.Now}
	stepped := !math.IsNaN(t.step) && t.step != j.reported.step && (math.IsNaN(j.reported.step) || t.at.Sub(j.reported.at) >= progressEvery)
	if sameState(j.reported, t) && !stepped || minor(j.reported, t) && t.at.Sub(j.reported.at) < minorEvery {
		return line, false
	}
	j.reported = t
	return line, true
}

// sameState compares all but step and time: NaN is not equal to itself.
func sameState(a, b reported) bool {
	a.step, b.step, a.at, b.at = 0, 0, time.Time{}, time.Time{}
	return a == b
}

// minor reports whether only ready ranks and the reason differ: a job of a
// thousand ranks changes a thousand times while it starts. The newest state is
// reported a little later.
func minor(before, t reported) bool {
	return before.any && before.phase == t.phase && before.restarts == t.restarts && before.wanted == t.wanted
}

// end decides how the wait for the job ended.
func (j *job) end(outcome Outcome, condition, why string) {
	j.outcome, j.condition, j.why = outcome, condition, why
}

func (j *job) result() Result {
	return Result{Job: j.refNow(), ID: j.id, Attempt: j.attempt, Phase: j.phase, Outcome: j.outcome, Condition: j.condition, Why: j.why}
}

func (j *job) refNow() train.Ref {
	if j.last != nil {
		return j.last.Ref
	}
	return j.ref
}
