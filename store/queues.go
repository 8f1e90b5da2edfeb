package store

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/train"
)

// waits reports whether a job stands in a queue.
func waits(job *train.Job) bool {
	return job.Phase == train.Queued && job.Queue != nil && !job.Queue.Admitted
}

// placeInQueues numbers the jobs that wait in the same queue, in the order in
// which Kueue and Volcano try them: higher priority first, then longer wait.
// A job whose place changed is replaced by a copy, since snapshots share jobs.
func (d *derivation) placeInQueues() {
	type queue struct{ system, name string }
	waiting := map[queue][]*train.Job{}
	d.jobs.Scan(func(_ string, job *train.Job) bool {
		if waits(job) {
			at := queue{job.Queue.System, cmp.Or(job.Queue.Cluster, job.Ref.Namespace+"/"+job.Queue.Name)}
			waiting[at] = append(waiting[at], job)
		}
		return true
	})
	for _, line := range waiting {
		slices.SortStableFunc(line, func(a, b *train.Job) int {
			return cmp.Or(cmp.Compare(b.Queue.Priority, a.Queue.Priority), a.Queue.Since.Compare(b.Queue.Since))
		})
		for i, job := range line {
			if job.Queue.Place == i+1 {
				continue
			}
			placed, queue := *job, *job.Queue
			queue.Place = i + 1
			placed.Queue = &queue
			d.jobByID.Set(job.ID, &placed)
			d.jobs.Set(jobOrder(job), &placed)
		}
	}
}
