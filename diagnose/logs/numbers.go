package logs

import (
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Number is something that the numbers and the times of a log tell, where no
// line says it in words: a loss that is no number, one that rose and stayed,
// samples that stopped while lines go on.
type Number struct {
	Cause train.Cause
	Rank  int   // Rank.Index
	Line  int64 // where it began
}

// Numbers are what the newest lives of a job's ranks tell so. It costs little,
// so it can be asked after every line; Find says the same in full.
func Numbers(s *store.Snapshot, job *train.Job) []Number {
	var all []Number
	for i := range job.Ranks {
		log := s.RankLog(job, i)
		if log == nil || len(log.Samples.Rows) == 0 {
			continue
		}
		v := voice{rank: job.Ranks[i].Index}
		for _, c := range append(fromSamples(&v, log), silence(&v, log)...) {
			all = append(all, Number{Cause: c.cause, Rank: c.rank, Line: c.hit.Line})
		}
	}
	return all
}
