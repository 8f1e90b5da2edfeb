package store

import (
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
	"Kueue":   {kinds.KueueWorkloadKind, kinds.LocalQueueKind},
	"Volcano": {{Group: "scheduling.volcano.sh", Kind: "PodGroup"}},
	"KAI":     {{Group: "scheduling.run.ai", Kind: "PodGroup"}},
}

// queueKey identifies a queue: its system and name, and the namespace that
// holds all of its jobs, "" where they may be in any.
type queueKey struct{ system, name, namespace string }

func queueKeyOf(job *train.Job) queueKey {
	return queueKeyIn(job.Ref.Namespace, job.Queue.System, job.Queue.Name, job.Queue.ClusterQueue)
}

func queueKeyIn(namespace, system, name, cluster string) queueKey {
	if cluster != "" {
		return queueKey{system: system, name: cluster}
	}
	return queueKey{system, namespace + "/" + name, namespace}
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

// placeInQueues numbers the jobs that wait in the same queue: as Kueue does where
// it was asked, else by what was read. A job whose place changed is replaced by a
// copy, because snapshots share jobs; placeInQueues reports whether there is one.
func (d *derivation) placeInQueues() (changed bool) {
	waiting := map[queueKey][]*train.Job{}
	mapOf(d.jobs).Scan(func(_ string, job *train.Job) bool {
		if waits(job) {
			key := queueKeyOf(job)
			waiting[key] = append(waiting[key], job)
		}
		return true
	})
	d.counted = false
	for key, jobs := range waiting {
		places, known := d.kueuePlaces(jobs)
		if !known {
			places, d.counted = d.placesCounted(key, jobs), true
		}
		for _, job := range jobs {
			place := places[job]
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

// kueuePlaces returns the places that Kueue gave for the jobs of a queue, told
// where it gave any. A job of another LocalQueue, of which it was not asked, has
// none then: numbers of two counts would contradict each other.
func (d *derivation) kueuePlaces(jobs []*train.Job) (places map[*train.Job]int, known bool) {
	places = make(map[*train.Job]int, len(jobs))
	for _, job := range jobs {
		if answer := d.placedFor(job); answer != nil {
			places[job], known = answer.of(job), true
		}
	}
	return places, known
}

// placesCounted returns the places of the jobs of a queue in the order in which
// Kueue and Volcano try them: higher priority first, then longer wait. Workloads
// of Kueue that represent no job count as well. Where not everything that may wait
// there was read, no place is known.
func (d *derivation) placesCounted(key queueKey, jobs []*train.Job) map[*train.Job]int {
	if !d.known(key) {
		return nil
	}
	line := make([]inLine, 0, len(jobs))
	for _, job := range jobs {
		line = append(line, inLine{job, job.Queue.Priority, job.Queue.Since})
	}
	line = append(line, d.otherWorkloads(key, jobs)...)
	slices.SortStableFunc(line, inLine.compare)
	places := make(map[*train.Job]int, len(jobs))
	for i := range line {
		if line[i].job != nil {
			places[line[i].job] = i + 1
		}
	}
	return places
}
