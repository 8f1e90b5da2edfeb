package store

import (
	"cmp"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// containerInstance is one log of a rank.
type containerInstance struct {
	log *Log
	// attempt counts the earlier container instances of the rank, from 0:
	// those of earlier pods and of the same pod, whether their logs are known
	// or not.
	attempt int
	// trains is false for sidecars and init containers.
	trains bool
}

// containerInstances returns the logs of a rank, oldest first.
func (s *Snapshot) containerInstances(job *train.Job, rank int) []containerInstance {
	if job == nil || rank < 0 || rank >= len(job.Ranks) {
		return nil
	}
	r := &job.Ranks[rank]
	var pods []podLogs
	add := func(one assignedLog) { pods = append(pods, s.logs.podLogs(one, r)) }
	if IsDeletedJob(job.ID) {
		s.logsOfPods(job, rank, add)
	} else {
		s.logs.at(slotOfLogs(job, rank), add)
	}
	slices.SortStableFunc(pods, byAge)
	var all []containerInstance
	base := 0
	for _, pod := range pods {
		all, base = appendInstances(all, base, pod, r.Container)
	}
	return all
}

// podLogs holds the logs of one pod that is or was the rank's.
type podLogs struct {
	logs []*Log
	// known is the pod's index in Rank.Attempts, -1 when it has no attempt
	// there.
	known int
	// first is when the oldest kept line was printed, zero when unknown.
	first      time.Time
	generation uint64
}

func (t *logTables) podLogs(one assignedLog, r *train.Rank) podLogs {
	p := podLogs{known: -1, generation: one.generation}
	for i := range r.Attempts {
		if a := &r.Attempts[i]; a.Pod == one.owner.pod && !differ(a.PodUID, one.owner.uid) {
			p.known = i
		}
	}
	t.of(one.owner, func(log *Log) bool {
		p.logs = append(p.logs, log)
		if log.Lines.Len() > 0 {
			if at := log.Lines.At(0).Time; p.first.IsZero() || !at.IsZero() && at.Before(p.first) {
				p.first = at
			}
		}
		return true
	})
	return p
}

// byAge orders the pods of a rank. Pods known only from their logs come first,
// by the time of their first line, else in order of arrival; the others follow
// in the job's order.
func byAge(a, b podLogs) int {
	if order := cmp.Compare(a.known, b.known); order != 0 {
		return order
	}
	if !a.first.IsZero() && !b.first.IsZero() {
		return a.first.Compare(b.first)
	}
	return cmp.Or(cmp.Compare(yes(b.previous()), yes(a.previous())), cmp.Compare(a.generation, b.generation))
}

// previous reports whether the logs are files of the instance before the newest, by
// their names.
func (p *podLogs) previous() bool { return len(p.logs) > 0 && p.logs[0].ID.Previous() }

// appendInstances appends the logs of a pod by container instance, within one
// instance a file of the instance before, of which no status knows, and then the
// training container first. base counts the instances before the
// pod.
func appendInstances(all []containerInstance, base int, pod podLogs, container string) ([]containerInstance, int) {
	slices.SortStableFunc(pod.logs, func(a, b *Log) int {
		return cmp.Or(cmp.Compare(a.ID.Restart, b.ID.Restart), cmp.Compare(yes(b.ID.Previous()), yes(a.ID.Previous())), -cmp.Compare(yes(trains(a, container)), yes(trains(b, container))))
	})
	last := 0
	for _, log := range pod.logs {
		one := containerInstance{log: log, attempt: base + log.ID.Restart, trains: trains(log, container)}
		if one.trains {
			last = log.ID.Restart
		}
		all = append(all, one)
	}
	return all, base + last + 1
}

// trains reports whether a log is the training container's. A file whose
// container is unknown counts as the training container's, and so does every
// log where the training container is not known.
func trains(log *Log, container string) bool {
	return log.ID.Container == "" || container == "" || log.ID.Container == container
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}
