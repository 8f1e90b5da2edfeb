package store

import (
	"cmp"

	"github.com/traintop/traintop/train"
)

// logOwner identifies whose logs they are: a pod's, or a file's where no pod
// is known. A pod with an unknown UID is an owner of its own.
type logOwner struct{ namespace, pod, uid, file string }

func logOwnerOf(id train.StreamID) logOwner {
	if id.Pod == "" {
		return logOwner{file: id.File}
	}
	return logOwner{namespace: id.Namespace, pod: id.Pod, uid: id.UID}
}

// first is where the owner's logs begin in the order of streams.
func (o logOwner) first() train.StreamID {
	return train.StreamID{Namespace: o.namespace, Pod: o.pod, UID: o.uid, File: o.file}
}

func (o logOwner) compare(p logOwner) int {
	return cmp.Or(cmp.Compare(o.namespace, p.namespace), cmp.Compare(o.pod, p.pod), cmp.Compare(o.uid, p.uid), cmp.Compare(o.file, p.file))
}

// rankSlot is a rank of a job as a container for logs. It outlives the pod:
// what a deleted pod printed stays in its slot.
type rankSlot struct {
	job   train.JobID
	role  string
	index int
}

func (a rankSlot) compare(b rankSlot) int {
	return cmp.Or(cmp.Compare(a.job, b.job), cmp.Compare(a.role, b.role), cmp.Compare(a.index, b.index))
}

// assignedLog records that an owner of logs has (or had) a slot.
type assignedLog struct {
	owner logOwner
	slot  rankSlot
	// generation increases: later owners of a slot have a higher one.
	generation uint64
}

func byOwner(a, b assignedLog) bool { return a.owner.compare(b.owner) < 0 }

func bySlot(a, b assignedLog) bool {
	return cmp.Or(a.slot.compare(b.slot), a.owner.compare(b.owner)) < 0
}

func slotOfRank(job *train.Job, rank int) rankSlot {
	return rankSlot{job.ID, job.Ranks[rank].Role, job.Ranks[rank].RoleIndex}
}

// rankAt returns the index of a slot in job.Ranks, -1 when the job has shrunk
// since.
func rankAt(job *train.Job, s rankSlot) int {
	for i := range job.Ranks {
		if job.Ranks[i].RoleIndex == s.index && job.Ranks[i].Role == s.role {
			return i
		}
	}
	return -1
}

func (t *logTables) slotOf(o logOwner) (rankSlot, bool) {
	if t.slots == nil {
		return rankSlot{}, false
	}
	s, found := setOf(t.slots).Get(assignedLog{owner: o})
	return s.slot, found
}

// at calls visit with all owners of a slot, in no particular order.
func (t *logTables) at(s rankSlot, visit func(assignedLog)) {
	if t.bySlot == nil {
		return
	}
	setOf(t.bySlot).Ascend(assignedLog{slot: s}, func(one assignedLog) bool {
		if one.slot != s {
			return false
		}
		visit(one)
		return true
	})
}

// ofJob calls visit with all owners of a slot in a job.
func (t *logTables) ofJob(id train.JobID, visit func(assignedLog)) {
	if t.bySlot == nil {
		return
	}
	setOf(t.bySlot).Ascend(assignedLog{slot: rankSlot{job: id, index: unassigned}}, func(one assignedLog) bool {
		if one.slot.job != id {
			return false
		}
		visit(one)
		return true
	})
}

func (t *logTables) hasSlots(id train.JobID) bool {
	has := false
	setOf(t.bySlot).Ascend(assignedLog{slot: rankSlot{job: id, index: unassigned}}, func(one assignedLog) bool {
		has = one.slot.job == id
		return false
	})
	return has
}

func (t *logTables) assign(one assignedLog) {
	if before, had := setOf(t.slots).Set(one); had {
		setOf(t.bySlot).Delete(before)
	}
	setOf(t.bySlot).Set(one)
}

func (t *logTables) unassign(o logOwner) {
	if before, had := setOf(t.slots).Delete(assignedLog{owner: o}); had {
		setOf(t.bySlot).Delete(before)
	}
}
