package diagnose

import (
	"slices"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// answerInputs notes what an answer rests on. As long as all of it looks the same in
// a later snapshot, and its time has not come, the answer stands.
type answerInputs struct {
	*rule.Dependencies
	job     *train.Job
	signals []signals.Signal
	hits    int             // lines of logs that tell of causes
	reading rule.LogReading // of its logs
	course  *trends
	// badEnd is the last line of its logs where it speaks of an end.
	badEnd string
	// trains is true when its logs are those of training.
	trains bool
	// measured is whether any GPU of the job is.
	measured bool
	// pressure is that on its nodes.
	pressure string
	// probes are the answers of checks that were run in its ranks.
	probes []ProbeAnswer
	// asked are its logs that somebody asked for.
	asked *Asked
}

// newAnswerInputs notes what the logs of the job told so far.
func newAnswerInputs(w *pass, s *rule.JobContext, course *trends) *answerInputs {
	s.Reading = rule.LogReadingOf(w.Snapshot, s.Job)
	return &answerInputs{Dependencies: s.Deps, job: s.Job, course: course, reading: s.Reading, hits: toldIn(w.Snapshot, s.Job), badEnd: badEndOf(w.Snapshot, s.Job), trains: showsTraining(w.Snapshot, s.Job)}
}

// same reports whether a snapshot shows a job as it was seen. changed says
// which parts of the snapshot are others than those of the snapshot before.
func (n *answerInputs) same(w *pass, job *train.Job, changed changes) bool {
	switch {
	case n.job != job, changed.inputs, n.asked != w.asked[job.ID], !slices.Equal(n.probes, w.probes[job.ID]), n.Expired(w.Now):
		return false
	case changed.signals && !sameSignals(n.signals, w.Signals.Job(job.ID)), n.measured != w.JobMeasured(job.ID):
		return false
	case n.pressure != w.PressureOn(job):
		return false
	case changed.logs && !n.sameLogs(w, job), !n.sameSilence(w, job):
		return false
	case changed.objects && !n.SameObjects(w.Snapshot):
		return false
	case changed.events && !n.SameEvents(w.Snapshot):
		return false
	}
	return n.SameNodes(w.ClusterContext)
}

// sameSignals compares what signals say, not the lists: they are made anew
// while their text stays.
func sameSignals(a, b []signals.Signal) bool {
	return slices.EqualFunc(a, b, func(x, y signals.Signal) bool {
		return x.Kind == y.Kind && x.Severity == y.Severity && x.Text == y.Text && x.GPU == y.GPU && x.Rank == y.Rank
	})
}

// sameLogs passes over jobs whose logs stand still. Of others it takes the
// course as it is now, when that says the same.
func (n *answerInputs) sameLogs(w *pass, job *train.Job) bool {
	if n.course != nil && w.JobLogsVersion(job.ID) == n.course.version || n.course == nil && w.JobLogsVersion(job.ID) == 0 {
		return true
	}
	return toldIn(w.Snapshot, job) == n.hits && badEndOf(w.Snapshot, job) == n.badEnd && showsTraining(w.Snapshot, job) == n.trains && rule.LogReadingOf(w.Snapshot, job) == n.reading && n.takeCourse(w, job)
}

// sameSilence looks again at a job whose silence has lasted until its time came.
func (n *answerInputs) sameSilence(w *pass, job *train.Job) bool {
	return n.course == nil || n.course.due.IsZero() || w.Now.Before(n.course.due) || n.takeCourse(w, job)
}

func (n *answerInputs) takeCourse(w *pass, job *train.Job) bool {
	now := trendsOf(w.ClusterContext, job)
	if !n.course.same(now) {
		return false
	}
	n.course = now
	return true
}

// toldIn counts what the logs of a job have told: their hits and, of a short
// text that is no job's, its lines too, in which words alone may tell.
func toldIn(s *store.Snapshot, job *train.Job) int {
	n := rule.HitsOf(s, job)
	for i := range job.Ranks {
		if !job.LogsOnly {
			break
		}
		for _, log := range s.RankLogs(job, i) {
			n += logs.FewLines(log)
		}
	}
	return n
}

// changes say which parts of a snapshot are others than in the one before.
type changes struct{ objects, events, logs, signals, inputs bool }
