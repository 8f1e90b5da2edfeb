package store

import (
	"cmp"

	"github.com/traintop/traintop/train"
)

// owner is what logs are the logs of: a pod, or where no pod is known a file.
// A pod whose UID nobody told is an owner of its own.
type owner struct{ namespace, pod, uid, file string }

func ownerOf(id train.StreamID) owner {
	if id.Pod == "" {
		return owner{file: id.File}
	}
	return owner{namespace: id.Namespace, pod: id.Pod, uid: id.UID}
}

// first is where the logs of the owner begin in the order of streams.
func (o owner) first() train.StreamID {
	return train.StreamID{Namespace: o.namespace, Pod: o.pod, UID: o.uid, File: o.file}
}

func (o owner) compare(p owner) int {
	return cmp.Or(cmp.Compare(o.namespace, p.namespace), cmp.Compare(o.pod, p.pod), cmp.Compare(o.uid, p.uid), cmp.Compare(o.file, p.file))
}

// seat is a place of a rank in a job. It outlives the pod: what a pod that
// is gone has printed stays at its place.
type seat struct {
	job   train.JobID
	role  string
	index int
}

func (a seat) compare(b seat) int {
	return cmp.Or(cmp.Compare(a.job, b.job), cmp.Compare(a.role, b.role), cmp.Compare(a.index, b.index))
}

// seated says that an owner of logs has (or had) a seat.
type seated struct {
	owner owner
	seat  seat
	// came counts up: owners that came later to a seat have a higher one.
	came uint64
}

func byOwner(a, b seated) bool { return a.owner.compare(b.owner) < 0 }

func bySeat(a, b seated) bool {
	return cmp.Or(a.seat.compare(b.seat), a.owner.compare(b.owner)) < 0
}

func seatOfRank(job *train.Job, rank int) seat {
	return seat{job.ID, job.Ranks[rank].Role, job.Ranks[rank].RoleIndex}
}

// rankAt is the place in job.Ranks of a seat, -1 when the job has shrunk since.
func rankAt(job *train.Job, s seat) int {
	for i := range job.Ranks {
		if job.Ranks[i].RoleIndex == s.index && job.Ranks[i].Role == s.role {
			return i
		}
	}
	return -1
}

func (t *logTables) seatOf(o owner) (seat, bool) {
	if t.seats == nil {
		return seat{}, false
	}
	s, found := t.seats.Get(seated{owner: o})
	return s.seat, found
}

// at calls visit with those who have a seat, in no order that means anything.
func (t *logTables) at(s seat, visit func(seated)) {
	if t.bySeat == nil {
		return
	}
	t.bySeat.Ascend(seated{seat: s}, func(one seated) bool {
		if one.seat != s {
			return false
		}
		visit(one)
		return true
	})
}

// ofJob calls visit with all who have a seat in a job.
func (t *logTables) ofJob(id train.JobID, visit func(seated)) {
	if t.bySeat == nil {
		return
	}
	t.bySeat.Ascend(seated{seat: seat{job: id, index: unassigned}}, func(one seated) bool {
		if one.seat.job != id {
			return false
		}
		visit(one)
		return true
	})
}

func (t *logTables) hasSeats(id train.JobID) bool {
	has := false
	t.bySeat.Ascend(seated{seat: seat{job: id, index: unassigned}}, func(one seated) bool {
		has = one.seat.job == id
		return false
	})
	return has
}

func (t *logTables) sit(one seated) {
	if before, had := t.seats.Set(one); had {
		t.bySeat.Delete(before)
	}
	t.bySeat.Set(one)
}

func (t *logTables) leave(o owner) {
	if before, had := t.seats.Delete(seated{owner: o}); had {
		t.bySeat.Delete(before)
	}
}
