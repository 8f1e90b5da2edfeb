package views

import (
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train"
)

// FailedRank is the index in Job.Ranks of the rank to look at first: the one
// that failed first, -1 when none is in trouble. The diagnosis takes
// precedence; without it the rank that ended first counts.
func FailedRank(job *train.Job, answer *diagnose.Answer) int {
	if answer != nil {
		for i := range answer.Findings {
			f := &answer.Findings[i]
			if f.RootRank < 0 || f.Severity == train.SeverityInfo {
				continue
			}
			if at := indexOfRank(job, f.RootRank); at >= 0 {
				return at
			}
		}
	}
	first, since := -1, time.Time{}
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if !brokenRank(r.State) {
			continue
		}
		if at := endedAt(r); first < 0 || !at.IsZero() && (since.IsZero() || at.Before(since)) {
			first, since = i, at
		}
	}
	return first
}

// indexOfRank is the index in Job.Ranks of a rank, -1 when there is none.
func indexOfRank(job *train.Job, rank int) int {
	for i := range job.Ranks {
		if job.Ranks[i].Index == rank {
			return i
		}
	}
	return -1
}

func brokenRank(state train.RankState) bool {
	switch state {
	case train.RankFailed, train.RankLost, train.RankCrashing, train.RankWaiting:
		return true
	}
	return false
}

// endedAt is when the newest attempt of a rank that ended did so, or else since
// when the rank is in its state.
func endedAt(r *train.Rank) time.Time {
	for i := len(r.Attempts) - 1; i >= 0; i-- {
		if at := r.Attempts[i].Finished; !at.IsZero() {
			return at
		}
	}
	return r.Since
}
