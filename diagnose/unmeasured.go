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
		if w.isMeasured(gpu) || gpu.Rank < 0 {
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

func (w *pass) isMeasured(gpu *train.GPUState) bool {
	return len(gpu.Sources) > 0 && gpu.Freshness(w.Now) <= train.Stale
}

// ranksWithoutReadings returns those of the unmeasured ranks of which no GPU at
// all has a reading: no cause that GPUs show is ruled out for them.
func (w *pass) ranksWithoutReadings(job *train.Job) []int {
	unread := w.unmeasuredRanks(job)
	if len(unread) == 0 {
		return nil
	}
	for _, gpu := range w.GPUsOf(job) {
		if w.isMeasured(gpu) {
			unread = slices.DeleteFunc(unread, func(rank int) bool { return rank == gpu.Rank })
		}
	}
	return unread
}
