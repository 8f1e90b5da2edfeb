package diagnose

import (
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// course is what the logs of a running job tell as time goes on, where no line
// says it in words: numbers that go wrong, silence, steps that take long.
// Everything else about a job that just runs stands still.
type course struct {
	numbers []logs.Number
	found   []train.Finding
	// due is when silence alone changes it; zero for never.
	due     time.Time
	version uint64 // of the job's logs
}

// timed are the causes that only time tells of. Their rules look at a running
// job's logs and GPUs, are asked again whenever a line came, and so are cheap.
var timed = []*cause{&hangNoOutput, &straggler, &dataloaderBound, &checkpointStall, &activeDeadlineExceeded}

// courseOf asks the rules of time about a job; nil when nothing is read of it.
func courseOf(w *world, job *train.Job) *course {
	version := w.JobLogsVersion(job.ID)
	if version == 0 {
		return nil
	}
	c := &course{version: version, numbers: logs.Numbers(w.Snapshot, job)}
	if job.LogsOnly || job.Phase != train.Running {
		return c
	}
	s := newSubject(w, job)
	for _, rule := range timed {
		s.current = rule
		c.found = append(c.found, rule.find(s)...)
	}
	c.due = s.seen.due
	return c
}

// calm is true when time tells of no trouble.
func (c *course) calm() bool { return c == nil || len(c.numbers) == 0 && len(c.found) == 0 }

// same compares what two courses say; when they were looked at does not count.
func (c *course) same(other *course) bool {
	if c == nil || other == nil {
		return c.calm() && other.calm()
	}
	return slices.Equal(c.numbers, other.numbers) && slices.EqualFunc(c.found, other.found, func(a, b train.Finding) bool {
		return a.Cause == b.Cause && a.Title == b.Title && a.Severity == b.Severity && slices.Equal(a.Ranks, b.Ranks)
	})
}

// speaker is a rank whose log is followed, with the newest life of it.
type speaker struct {
	rank   *train.Rank
	log    *store.Log
	newest time.Time // of its lines
}

// speakers are the ranks whose logs are being followed: silence of another log
// says nothing, nor does that of one that was opened a moment ago.
func (s *subject) speakers() []speaker {
	if s.heard {
		return s.voices
	}
	s.heard = true
	for i := range s.job.Ranks {
		log := s.RankLog(s.job, i)
		if log == nil || !isFollowed(log.Status.State) || log.Lines.Len() == 0 || !s.settled(&log.Status) {
			continue
		}
		if at := newestTime(log); !at.IsZero() {
			s.voices = append(s.voices, speaker{rank: &s.job.Ranks[i], log: log, newest: at})
		}
	}
	return s.voices
}

// settled reports whether silence of a log says something yet.
func (s *subject) settled(status *train.StreamStatus) bool {
	if status.Settled(s.now) {
		return true
	}
	s.opening = true
	s.seen.until(status.Since.Add(train.StreamSettles))
	return false
}

func isFollowed(state train.StreamState) bool {
	return state == train.StreamLive || state == train.StreamOpening
}

// newestTime is when the last line was printed, zero when nobody tells.
func newestTime(log *store.Log) time.Time {
	const farthest = 16 // a traceback's lines may have none
	n := log.Lines.Len()
	for i := n - 1; i >= max(0, n-farthest); i-- {
		if at := log.Lines.Time(i); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// lastStep is the newest step of a rank's log, false when it prints none.
func (v *speaker) lastStep() (step float64, known bool) {
	rows := v.log.Samples.Rows
	if len(rows) == 0 {
		return 0, false
	}
	return rows[len(rows)-1].X, true
}

// lineEvidence is a line of a rank's log.
func (s *subject) lineEvidence(v *speaker, line int64, text string) train.Evidence {
	r := v.rank
	return train.Evidence{
		Kind: train.EvidenceLog, Object: coreRef("Pod", r.Namespace, r.Pod), Text: plain(text), Time: v.newest, Rank: r.Index, Stream: v.log.ID, Line: line,
	}
}

// lastLine is the newest line of a rank's log, as evidence.
func (s *subject) lastLine(v *speaker) train.Evidence {
	at := v.log.Lines.Len() - 1
	text := plain(v.log.Lines.Plain(at))
	if text == "" {
		text = "(an empty line)"
	}
	return s.lineEvidence(v, v.log.Lines.At(at).Number, text)
}
