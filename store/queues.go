package store

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// waits reports whether a job is in a queue.
func waits(job *train.Job) bool {
	return job.Phase == train.Queued && job.Queue != nil && !job.Queue.Admitted
}

// queueLists are the lists that contain who waits in the queues of a system,
// in addition to the kinds of jobs.
var queueLists = map[string][]schema.GroupKind{
	"Kueue":   {{Group: "kueue.x-k8s.io", Kind: "Workload"}, {Group: "kueue.x-k8s.io", Kind: "LocalQueue"}},
	"Volcano": {{Group: "scheduling.volcano.sh", Kind: "PodGroup"}},
	"KAI":     {{Group: "scheduling.run.ai", Kind: "PodGroup"}},
}

// queueKey identifies a queue: its system and name, and the namespace that
// holds all of its jobs, "" where they may be in any.
type queueKey struct{ system, name, namespace string }

func queueKeyOf(job *train.Job) queueKey {
	if q := job.Queue; q.Cluster != "" {
		return queueKey{system: q.System, name: q.Cluster}
	}
	return queueKey{job.Queue.System, job.Ref.Namespace + "/" + job.Queue.Name, job.Ref.Namespace}
}

// known reports whether everything that may wait in a queue was read:
// otherwise no place in it is known.
func (d *derivation) known(queue queueKey) bool {
	lists := slices.Clone(queueLists[queue.system])
	for _, k := range kinds.Jobs() {
		lists = append(lists, k.GroupKind)
	}
	return !slices.ContainsFunc(lists, func(kind schema.GroupKind) bool {
		_, unread := d.Unread(kind, queue.namespace)
		return unread
	})
}

// placeAnew numbers the waiting jobs again when only the lists changed.
func (d *derivation) placeAnew() {
	d.jobs, d.jobByID = copyTree(d.jobs), copyTree(d.jobByID)
	if d.placeInQueues() {
		d.JobsVersion++
		d.jobList = mapOf(d.jobs).Values()
	}
}

// placeInQueues numbers the jobs that wait in the same queue, in the order in
// which Kueue and Volcano try them: higher priority first, then longer wait.
// Where not everything that may wait there was read, no place is known. A job
// whose place changed is replaced by a copy, because snapshots share jobs;
// placeInQueues reports whether there is one.
func (d *derivation) placeInQueues() (changed bool) {
	waiting := map[queueKey][]*train.Job{}
	mapOf(d.jobs).Scan(func(_ string, job *train.Job) bool {
		if waits(job) {
			key := queueKeyOf(job)
			waiting[key] = append(waiting[key], job)
		}
		return true
	})
	for key, jobs := range waiting {
		known := d.known(key)
		slices.SortStableFunc(jobs, func(a, b *train.Job) int {
			return cmp.Or(cmp.Compare(b.Queue.Priority, a.Queue.Priority), a.Queue.Since.Compare(b.Queue.Since))
		})
		for i, job := range jobs {
			place := 0
			if known {
				place = i + 1
			}
			if job.Queue.Place == place {
				continue
			}
			changed = true
			placed, queue := *job, *job.Queue
			queue.Place = place
			placed.Queue = &queue
			mapOf(d.jobByID).Set(job.ID, &placed)
			mapOf(d.jobs).Set(jobOrder(job), &placed)
		}
	}
	return changed
}
