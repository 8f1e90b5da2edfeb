package store

import (
	"cmp"
	"time"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// waitingWorkload is a Kueue Workload that waits for quota, whatever it represents:
// a job, a plain pod, a Deployment, a Workload that somebody made by hand.
type waitingWorkload struct {
	namespace string
	*train.Queue
}

// workloadsOf keeps the Workloads that wait, from the objects that changed. It
// reports whether one came, left or changed.
func (d *derivation) workloadsOf(changed map[string]dirtyObject) (differ bool) {
	for at, object := range changed {
		if object.kind != kinds.KueueWorkloadKind {
			continue
		}
		var queue *train.Queue
		now, presence := d.Object(object.kind, object.o.GetNamespace(), object.o.GetName())
		if presence == train.Present {
			queue = kinds.WaitingWorkload(now)
		}
		if _, waited := mapOf(d.workloads).Get(at); !waited && queue == nil {
			continue
		}
		if !differ {
			d.workloads, differ = copyTree(d.workloads), true
		}
		if queue == nil {
			mapOf(d.workloads).Delete(at)
		} else {
			mapOf(d.workloads).Set(at, waitingWorkload{now.GetNamespace(), queue})
		}
	}
	return differ
}

// inLine is one that waits in a queue: a job, or a Workload of something else.
type inLine struct {
	job      *train.Job // nil for another one
	priority int
	since    time.Time
}

func (a inLine) compare(b inLine) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), a.since.Compare(b.since))
}

// otherWorkloads returns those that wait in a queue of Kueue and represent none of
// the jobs that wait there.
func (d *derivation) otherWorkloads(queue queueKey, jobs []*train.Job) (others []inLine) {
	if queue.system != "Kueue" || mapOf(d.workloads).Len() == 0 {
		return nil
	}
	own := make(map[string]bool, len(jobs))
	for _, job := range jobs {
		own[keyOf(job.Ref.Namespace, job.Queue.Workload)] = true
	}
	mapOf(d.workloads).Scan(func(_ string, w waitingWorkload) bool {
		if !own[keyOf(w.namespace, w.Workload)] && queueOfWorkload(d.Snapshot, w) == queue {
			others = append(others, inLine{nil, w.Priority, w.Since})
		}
		return true
	})
	return others
}

func queueOfWorkload(s *Snapshot, w waitingWorkload) queueKey {
	local, _ := s.Object(kinds.LocalQueueKind, w.namespace, w.Name)
	return queueKeyIn(w.namespace, w.System, w.Name, kinds.ClusterQueueOf(local))
}
