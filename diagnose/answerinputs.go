package diagnose

import (
	"slices"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// answerInputs records what an answer depends on. As long as all of it is the
// same in a later snapshot, and its time has not come, the answer is reused.
type answerInputs struct {
	*rule.Dependencies
	job     *train.Job
	signals []signals.Signal
	hits    int             // lines of logs that matched causes
	reading rule.LogReading // of its logs
	trends  *trends
	// badEnd is the last line of its logs if it reports an end.
	badEnd string
	// waits is the last line of its logs if they end in a wait.
	waits string
	// uneven is what the logs of its ranks lack beside one another.
	uneven unevenLogs
	// unknown is trouble of it that no rule names; warned is true while there is
	// a warning about it or its pods that no rule knows.
	unknown unknownTrouble
	warned  bool
	// trains is true when its logs are those of training.
	trains bool
	// measured is true when any GPU of the job is measured.
	measured bool
	// pressure describes the pressure on its nodes.
	pressure string
	// probes are the results of checks that were run in its ranks.
	probes []ProbeAnswer
	// asked are its logs that were requested.
	asked *Asked
	// unmeasured are the ranks of a measured job whose GPUs were not all read.
	unmeasured []int
	// readings are those beside it.
	readings readings
	// faultyDevices is true when a device that it holds is unhealthy.
	faultyDevices bool
	// broken are the rules that panicked.
	broken []brokenRule
}

// newAnswerInputs records what the logs of the job contain so far.
func newAnswerInputs(w *pass, s *rule.JobContext, trends *trends) *answerInputs {
	s.Reading = rule.LogReadingOf(w.Snapshot, s.Job)
	unknown := unknownTroubleOf(s) // before its dependencies are taken
	return &answerInputs{unknown: unknown, warned: w.warned.has(s.Job), Dependencies: s.Deps, job: s.Job, trends: trends, reading: s.Reading, hits: countHits(w.Snapshot, s.Job), badEnd: badEndOf(w.Snapshot, s.Job), waits: waitAtEnd(w.Snapshot, s.Job), uneven: unevenLogsOf(w.Snapshot, s.Job), trains: showsTraining(w.Snapshot, s.Job)}
}

// same reports whether a snapshot contains the job unchanged. changed lists
// which parts of the snapshot differ from the previous one.
func (n *answerInputs) same(w *pass, job *train.Job, changed changes) bool {
	switch {
	case n.job != job, changed.inputs, n.asked != w.asked[job.ID], !slices.Equal(n.probes, w.probes[job.ID]), n.Expired(w.Now):
		return false
	case changed.signals && !sameSignals(n.signals, w.Signals.Job(job.ID)), n.measured != w.JobMeasured(job.ID), !slices.Equal(n.unmeasured, w.unmeasuredRanks(job)), n.readings != w.readingsBeside(job):
		return false
	case n.pressure != w.PressureOn(job), n.warned != w.warned.has(job):
		return false
	case changed.logs && !n.sameLogs(w, job), !n.sameSilence(w, job):
		return false
	case changed.objects && (!n.SameObjects(w.Snapshot) || n.faultyDevices != holdsFaultyDevices(w.ClusterContext, job)):
		return false
	case changed.events && !n.SameEvents(w.Snapshot):
		return false
	}
	return n.SameNodes(w.ClusterContext)
}

// sameSignals compares the text of signals, not the lists: they are rebuilt
// while their text stays.
func sameSignals(a, b []signals.Signal) bool {
	return slices.EqualFunc(a, b, func(x, y signals.Signal) bool {
		return x.Kind == y.Kind && x.Severity == y.Severity && x.Text == y.Text && x.GPU == y.GPU && x.Rank == y.Rank
	})
}

// sameLogs skips jobs with unchanged logs. For others it adopts the current
// trends when their findings are the same.
func (n *answerInputs) sameLogs(w *pass, job *train.Job) bool {
	if n.trends != nil && w.JobLogsVersion(job.ID) == n.trends.version || n.trends == nil && w.JobLogsVersion(job.ID) == 0 {
		return true
	}
	return countHits(w.Snapshot, job) == n.hits && badEndOf(w.Snapshot, job) == n.badEnd && waitAtEnd(w.Snapshot, job) == n.waits && unevenLogsOf(w.Snapshot, job) == n.uneven && showsTraining(w.Snapshot, job) == n.trains && rule.LogReadingOf(w.Snapshot, job) == n.reading && n.updateTrends(w, job)
}

// sameSilence checks a job again whose silence has lasted until its time came.
func (n *answerInputs) sameSilence(w *pass, job *train.Job) bool {
	return n.trends == nil || n.trends.due.IsZero() || w.Now.Before(n.trends.due) || n.updateTrends(w, job)
}

func (n *answerInputs) updateTrends(w *pass, job *train.Job) bool {
	now := trendsOf(w.ClusterContext, job)
	if !n.trends.same(now) {
		return false
	}
	n.trends = now
	return true
}

// countHits counts what the logs of a job contain: their hits and, of a short
// text that is no job's, its lines too, in which words alone may hint at a
// cause.
func countHits(s *store.Snapshot, job *train.Job) int {
	n := rule.HitsOf(s, job)
	for i := range job.Ranks {
		if !job.LogsOnly {
			break
		}
		for _, log := range s.RankLogs(job, i) {
			n += logfindings.FewLines(log)
		}
	}
	return n
}

// changes lists which parts of a snapshot differ from the previous one.
type changes struct{ objects, events, logs, signals, inputs bool }
