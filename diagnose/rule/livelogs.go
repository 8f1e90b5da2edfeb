package rule

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// LiveLog is a rank whose log is followed, with its newest container instance.
type LiveLog struct {
	Rank   *train.Rank
	Log    *store.Log
	Newest time.Time // when its newest line was printed, by the clock of the snapshot
}

// LiveLogs returns the ranks whose logs are followed, or were read to their
// end just now: silence of another log means nothing, nor does that of one
// opened a moment ago.
func (s *JobContext) LiveLogs() []LiveLog {
	if s.liveMade {
		return s.live
	}
	if s.liveMade = true; s.Silent() || linesSkipped(s.Snapshot) {
		return nil // no newer line would be known
	}
	for i := range s.Job.Ranks {
		log := s.RankLog(s.Job, i)
		if log == nil || !s.showsNewest(log) || log.Lines.Len() == 0 || logfindings.OfEarlierRun(s.Snapshot, log) || logfindings.OfEarlierPod(s.Snapshot, log) {
			continue
		}
		into := &s.live
		if !s.settled(&log.Status) {
			into = &s.Opened
		}
		if at := newestTime(log); !at.IsZero() {
			*into = append(*into, LiveLog{Rank: &s.Job.Ranks[i], Log: log, Newest: log.Status.Printed(at)})
		}
	}
	return s.live
}

// CurrentLog returns the log of a rank that is followed or was read just now, so that a
// newer line would be known, and when its newest line was printed; nil for none.
func CurrentLog(s *store.Snapshot, job *train.Job, rankIndex int) (*store.Log, time.Time) {
	log := s.RankLog(job, rankIndex)
	if log == nil || !isCurrent(&log.Status, s.Now) || logfindings.OfEarlierRun(s, log) || logfindings.OfEarlierPod(s, log) {
		return nil, time.Time{}
	}
	return log, log.Status.Printed(newestTime(log))
}

// isCurrent reports whether a newer line of a log would be known, and older ones do not
// come any more.
func isCurrent(status *train.StreamStatus, now time.Time) bool {
	return status.State == train.StreamLive && status.Settled(now) || readNow(status, now)
}

// readNow reports whether a log was read once, a moment ago.
func readNow(status *train.StreamStatus, now time.Time) bool {
	return status.State == train.StreamStopped && !status.Since.IsZero() && now.Sub(status.Since).Abs() <= readJustNow
}

// linesSkipped reports whether a recording has no lines of logs at the instant of a
// snapshot: their absence shows nothing about a job.
func linesSkipped(s *store.Snapshot) bool {
	return slices.ContainsFunc(s.Health(), func(h train.Health) bool {
		lines, _ := h.SkipsLines()
		return lines
	})
}

// EndedFiles returns the logs of the ranks that run as files have them, which were
// read to their end, and whether there is one of each: what came after is not known.
// Those are left out whose times may be of another zone. A rank whose file is empty has
// printed nothing, which is known.
func EndedFiles(s *JobContext) (files []LiveLog, all bool) {
	all = true
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		if r.State != train.RankRunning {
			continue
		}
		if log := EndedFile(s.Snapshot, s.Job, i); log != nil {
			if at := newestTime(log); !at.IsZero() && knownZone(log, at) {
				files = append(files, LiveLog{Rank: r, Log: log, Newest: at})
				continue
			}
			if SaysNothing(log) {
				continue
			}
		}
		all = false
	}
	return files, all
}

// SaysNothing reports whether a log has no lines but blank ones.
func SaysNothing(log *store.Log) bool {
	const few = 8
	if log.LinesRead() > few {
		return false
	}
	for i := range log.Lines.Len() {
		if strings.TrimSpace(log.Lines.Plain(i)) != "" {
			return false
		}
	}
	return true
}

// EndedFile returns the newest log of a rank if it is a file of its pod that was read
// to its end, else nil.
func EndedFile(s *store.Snapshot, job *train.Job, rankIndex int) *store.Log {
	log := s.RankLog(job, rankIndex)
	if log == nil || log.ID.File == "" || log.Status.State != train.StreamEnded || logfindings.OfEarlierRun(s, log) || logfindings.OfEarlierPod(s, log) {
		return nil
	}
	return log
}

// clockTime matches a time of day in a line, and its zone.
var clockTime = regexp.MustCompile(`\b(\d\d:\d\d:\d\d)(?:[.,]\d+)? ?(Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d\b)?`)

// knownZone reports whether the zone of the newest time of a log is known: a collector
// or the container runtime wrote it in front of the line, or the program wrote its zone.
func knownZone(log *store.Log, newest time.Time) bool {
	for i := log.Lines.Len() - 1; i >= 0; i-- {
		if log.Lines.Time(i).Equal(newest) {
			printed := clockTime.FindStringSubmatch(log.Lines.Plain(i))
			return printed == nil || printed[1] != newest.UTC().Format("15:04:05") || printed[2] != ""
		}
	}
	return false
}

// settled reports whether silence of a log means something yet.
func (s *JobContext) settled(status *train.StreamStatus) bool {
	if status.State == train.StreamStopped || status.Settled(s.Now) {
		return true
	}
	s.Opening = true
	s.Deps.NoteDue(status.Since.Add(train.StreamSettles))
	return false
}

// readJustNow is how old the end of a log may be that was read once: a command
// reads logs and returns.
const readJustNow = time.Minute

// showsNewest reports whether a newer line of a log would be known.
func (s *JobContext) showsNewest(log *store.Log) bool {
	switch log.Status.State {
	case train.StreamLive, train.StreamOpening:
		return true
	}
	return readNow(&log.Status, s.Now)
}

// newestTime returns when the last line was printed, zero when unknown.
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

// LastStep returns the newest step of a rank's log, false when it prints none.
func (v *LiveLog) LastStep() (step float64, known bool) {
	rows := v.Log.Samples.Rows
	if len(rows) == 0 {
		return 0, false
	}
	return rows[len(rows)-1].X, true
}

// LineEvidence returns a line of a rank's log as evidence.
func (s *JobContext) LineEvidence(v *LiveLog, line int64, text string) train.Evidence {
	r := v.Rank
	return train.Evidence{
		Kind: train.EvidenceLog, Object: CoreRef("Pod", r.Namespace, r.Pod), Text: Plain(text), Time: v.Newest, Rank: r.Index, Stream: v.Log.ID, Line: line,
	}
}

// LastLine returns the newest line of a rank's log as evidence.
func (s *JobContext) LastLine(v *LiveLog) train.Evidence {
	at := v.Log.Lines.Len() - 1
	text := Plain(v.Log.Lines.Plain(at))
	if text == "" {
		text = "(an empty line)"
	}
	return s.LineEvidence(v, v.Log.Lines.At(at).Number, text)
}
