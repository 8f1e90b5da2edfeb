package diagnose

import (
	"slices"

	"github.com/traintop/traintop/train"
)

// unmeasuredRanks returns the running ranks of a measured job that hold GPUs
// without a reading: an exporter does not answer, or counts fewer than the pod
// holds. nil where no GPU of the job is measured.
func (w *pass) unmeasuredRanks(job *train.Job) []int {
	if job.Phase != train.Running || job.GPUs == 0 || !w.JobMeasured(job.ID) {
		return nil
	}
	if sum := w.JobGPUs(job); sum == nil || sum.Measured >= sum.Wanted {
		return nil
	}
	var unread []int
	for _, gpu := range w.GPUsOf(job) {
		if len(gpu.Sources) > 0 && gpu.Freshness(w.Now) <= train.Stale || gpu.Rank < 0 {
			continue
		}
		at := slices.IndexFunc(job.Ranks, func(r train.Rank) bool { return r.Index == gpu.Rank })
		if at >= 0 && job.Ranks[at].State == train.RankRunning && !slices.Contains(unread, gpu.Rank) {
			unread = append(unread, gpu.Rank)
		}
	}
	slices.Sort(unread)
	return unread
}
