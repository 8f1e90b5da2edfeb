package diagnose

import (
	"slices"

	"github.com/traintop/traintop/train"
)

// isOfRunningRanks reports whether a finding rests on nothing but lines that
// ranks print about themselves and which still run: such a line does not
// explain how another rank failed.
func isOfRunningRanks(job *train.Job, f *train.Finding) bool {
	if len(f.Evidence) == 0 || len(f.Ranks) == 0 || slices.ContainsFunc(f.Evidence, func(e train.Evidence) bool { return e.Kind != train.EvidenceLog }) {
		return false
	}
	return !slices.ContainsFunc(f.Ranks, func(index int) bool {
		at := slices.IndexFunc(job.Ranks, func(r train.Rank) bool { return r.Index == index })
		return at < 0 || job.Ranks[at].State != train.RankRunning || troubled(&job.Ranks[at])
	})
}

// besideFailure returns which findings are of ranks that still run while the
// log of a rank that failed was not read: how that rank ended comes before
// them, and they do not explain it. nil where there is none.
func (w *pass) besideFailure(job *train.Job, found []train.Finding) []train.Cause {
	ends := slices.ContainsFunc(found, func(f train.Finding) bool { return onlyEnds[f.Cause] && !saysWhy(&f) })
	var beside []train.Cause
	for i := range found {
		if f := &found[i]; ends && !onlyEnds[f.Cause] && isOfRunningRanks(job, f) {
			beside = append(beside, f.Cause)
		}
	}
	if len(beside) == 0 || !w.logsOf(job, &Answer{Findings: found}).troubledUnread {
		return nil
	}
	return beside
}
