package logfindings

import (
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Number is a problem that the numbers and times of a log show, where no line
// reports it: a loss that is no number, one that rose and stayed high, samples
// that stopped while lines continue.
type Number struct {
	Cause train.Cause
	Rank  int   // Rank.Index
	Line  int64 // where it began
}

// Numbers returns such problems in the logs of the newest container instances
// of a job's ranks. It is cheap enough to call after every line; Find reports
// the same in full.
func Numbers(s *store.Snapshot, job *train.Job) []Number {
	var all []Number
	for i := range job.Ranks {
		log := s.RankLog(job, i)
		if log == nil || len(log.Samples.Rows) == 0 || OfEarlierRun(s, log) {
			continue
		}
		v := rankLog{rank: job.Ranks[i].Index}
		for _, c := range append(fromSamples(&v, log), silence(&v, log)...) {
			all = append(all, Number{Cause: c.cause, Rank: c.rank, Line: c.hit.Line})
		}
	}
	return all
}
