package diagnose

import (
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// liveLog is a rank whose log is followed, with the newest life of it.
type liveLog struct {
	rank   *train.Rank
	log    *store.Log
	newest time.Time // of its lines
}

// liveLogs are the ranks whose logs are being followed: silence of another log
// says nothing, nor does that of one that was opened a moment ago.
func (s *jobContext) liveLogs() []liveLog {
	if s.liveMade {
		return s.live
	}
	s.liveMade = true
	for i := range s.job.Ranks {
		log := s.RankLog(s.job, i)
		if log == nil || !isFollowed(log.Status.State) || log.Lines.Len() == 0 || !s.settled(&log.Status) {
			continue
		}
		if at := newestTime(log); !at.IsZero() {
			s.live = append(s.live, liveLog{rank: &s.job.Ranks[i], log: log, newest: at})
		}
	}
	return s.live
}

// settled reports whether silence of a log says something yet.
func (s *jobContext) settled(status *train.StreamStatus) bool {
	if status.Settled(s.now) {
		return true
	}
	s.opening = true
	s.deps.until(status.Since.Add(train.StreamSettles))
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
func (v *liveLog) lastStep() (step float64, known bool) {
	rows := v.log.Samples.Rows
	if len(rows) == 0 {
		return 0, false
	}
	return rows[len(rows)-1].X, true
}

// lineEvidence is a line of a rank's log.
func (s *jobContext) lineEvidence(v *liveLog, line int64, text string) train.Evidence {
	r := v.rank
	return train.Evidence{
		Kind: train.EvidenceLog, Object: coreRef("Pod", r.Namespace, r.Pod), Text: plain(text), Time: v.newest, Rank: r.Index, Stream: v.log.ID, Line: line,
	}
}

// lastLine is the newest line of a rank's log, as evidence.
func (s *jobContext) lastLine(v *liveLog) train.Evidence {
	at := v.log.Lines.Len() - 1
	text := plain(v.log.Lines.Plain(at))
	if text == "" {
		text = "(an empty line)"
	}
	return s.lineEvidence(v, v.log.Lines.At(at).Number, text)
}
