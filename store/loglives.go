package store

import (
	"cmp"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// life is a log at a rank's place.
type life struct {
	log *Log
	// attempt counts the lives at the place from 0: earlier pods and earlier
	// containers of the same pod, whether their logs are known or not.
	attempt int
	// trains is false for sidecars and init containers.
	trains bool
}

// lives are the logs at the place of a rank, oldest first.
func (s *Snapshot) lives(job *train.Job, rank int) []life {
	if job == nil || rank < 0 || rank >= len(job.Ranks) {
		return nil
	}
	r := &job.Ranks[rank]
	var pods []podLogs
	s.logs.at(seatOfRank(job, rank), func(one seated) {
		pods = append(pods, s.logs.podLogs(one, r))
	})
	slices.SortStableFunc(pods, byAge)
	var all []life
	base := 0
	for _, pod := range pods {
		all, base = appendLives(all, base, pod, r.Container)
	}
	return all
}

// podLogs are the logs of one pod that is or was at a rank's place.
type podLogs struct {
	logs []*Log
	// known is the pod's place in Rank.Attempts, -1 when it left none there.
	known int
	// first is when the oldest line kept was printed, zero when nobody tells.
	first time.Time
	came  uint64
}

func (t *logTables) podLogs(one seated, r *train.Rank) podLogs {
	p := podLogs{known: -1, came: one.came}
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

// byAge orders the pods of a place: those that nothing but their logs tell of
// first, by the time of their lines or else as they came, then the others as
// the job has them.
func byAge(a, b podLogs) int {
	if order := cmp.Compare(a.known, b.known); order != 0 {
		return order
	}
	if !a.first.IsZero() && !b.first.IsZero() {
		return a.first.Compare(b.first)
	}
	return cmp.Compare(a.came, b.came)
}

// appendLives adds the logs of a pod by life, within one life the training
// container first. base counts the lives before the pod.
func appendLives(all []life, base int, pod podLogs, container string) ([]life, int) {
	slices.SortStableFunc(pod.logs, func(a, b *Log) int {
		return cmp.Or(cmp.Compare(a.ID.Restart, b.ID.Restart), -cmp.Compare(yes(trains(a, container)), yes(trains(b, container))))
	})
	last := 0
	for _, log := range pod.logs {
		one := life{log: log, attempt: base + log.ID.Restart, trains: trains(log, container)}
		if one.trains {
			last = log.ID.Restart
		}
		all = append(all, one)
	}
	return all, base + last + 1
}

// trains reports whether a log is the training container's. A file whose
// container nobody told is taken for it, and so is all where the container
// is not known.
func trains(log *Log, container string) bool {
	return log.ID.Container == "" || container == "" || log.ID.Container == container
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}
