package views

import (
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// Curves reports whether a job has curves to offer to a person, and what is known
// of them: its phase, or that its log is still to be read. A job whose logs
// were read without a metric in them, or that has none to read, has none.
func (f Frame) Curves(job *train.Job) (note string, offered bool) {
	if run := f.Snapshot.Run(job); run != nil && len(run.Metrics) > 0 {
		if job.LogsOnly {
			return "log", true
		}
		return draw.Phase(f.Theme, job.Phase).Word, true
	}
	if !f.FollowsLogs || job.LogsOnly {
		return "", false
	}
	pods := false
	for i := range job.Ranks {
		for _, log := range f.Snapshot.RankLogs(job, i) {
			if log.WasRead() {
				return "", false
			}
		}
		pods = pods || job.Ranks[i].Pod != "" && hasRun(job.Ranks[i].State)
	}
	return draw.Phase(f.Theme, job.Phase).Word + ", log not read yet", pods
}

// hasRun reports whether a rank in this state can have a log.
func hasRun(state train.RankState) bool {
	switch state {
	case train.RankMissing, train.RankGated, train.RankPending, train.RankStarting, train.RankWaiting:
		return false
	}
	return true
}
