package store

import (
	"cmp"
	"strings"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

// logsOf takes over the logs that changed, and finds the places of those that
// are new and of those whose jobs are.
func (d *derivation) logsOf(changes []logChange) {
	settles := d.settled && !d.before.settled
	if len(changes) == 0 && (d.logs.all == nil || len(d.derived) == 0 && !settles) {
		return
	}
	d.logs.all = writable(d.logs.all, logOrder)
	d.logs.seats, d.logs.bySeat = writable(d.logs.seats, byOwner), writable(d.logs.bySeat, bySeat)
	d.logs.versions = *d.logs.versions.Copy()
	d.fileJobs = map[train.JobID]bool{}
	if len(changes) > 0 {
		d.LogsVersion++
	}
	for _, change := range changes {
		d.takeLog(change)
	}
	for _, id := range d.derived {
		d.seatPodsOf(id)
	}
	if settles {
		d.seatFiles()
	}
	d.deriveFileJobs()
}

// takeLog enters one log into the tables.
func (d *derivation) takeLog(change logChange) {
	o := ownerOf(change.id)
	var before *Log
	if change.log == nil {
		before, _ = d.logs.all.Delete(&Log{ID: change.id})
		if d.ownsNothing(o) {
			d.leave(o)
		}
	} else {
		before, _ = d.logs.all.Set(change.log)
		d.place(o, change.log, before)
	}
	d.logsCame = d.logsCame || before == nil || change.log == nil
	if at, found := d.logs.seatOf(o); found {
		d.touchLogsOf(at.job, !sameShape(before, change.log))
	}
}

func sameShape(before, now *Log) bool {
	return before != nil && now != nil && before.Status.State == now.Status.State && speaks(before) == speaks(now)
}

func (d *derivation) ownsNothing(o owner) bool {
	nothing := true
	d.logs.of(o, func(*Log) bool {
		nothing = false
		return false
	})
	return nothing
}

// place finds the seat of a log that is new, or of a file that turned out to
// belong elsewhere.
func (d *derivation) place(o owner, log, before *Log) {
	at, has := d.logs.seatOf(o)
	if has && !isFileJob(at.job) {
		return
	}
	if !has && o.pod != "" {
		has = d.seatByPod(o)
	}
	if log.ID.File != "" && (!has || before != nil && (before.Job != log.Job || before.Rank != log.Rank)) {
		d.seatFile(o, log)
	}
}

func (d *derivation) touchLogsOf(id train.JobID, shape bool) {
	version, _ := d.logs.versions.Get(id)
	version.any = d.LogsVersion
	if shape {
		version.shape = d.LogsVersion
	}
	d.logs.versions.Set(id, version)
}

// sit gives an owner a seat and takes the one away that it had.
func (d *derivation) sit(o owner, at seat) {
	before, had := d.logs.seatOf(o)
	if had && before == at {
		return
	}
	d.LogsVersion++
	d.leave(o)
	d.logs.sit(seated{owner: o, seat: at, came: d.LogsVersion})
	d.touchLogsOf(at.job, true)
}

func (d *derivation) leave(o owner) {
	if at, had := d.logs.seatOf(o); had {
		d.logs.leave(o)
		if d.touchLogsOf(at.job, true); !d.logs.hasSeats(at.job) {
			d.logs.versions.Delete(at.job)
			d.logs.runs.drop(at.job)
		}
		if isFileJob(at.job) {
			d.fileJobs[at.job] = true
		}
	}
}

// seatByPod looks for the pod of a new log in the jobs that are known.
func (d *derivation) seatByPod(o owner) bool {
	job := d.JobOf(kinds.PodKind, o.namespace, o.pod)
	if job == nil {
		return false
	}
	for rank := range job.Ranks {
		if wasHeldBy(&job.Ranks[rank], o.pod) {
			d.sit(o, seatOfRank(job, rank))
			return true
		}
	}
	return false
}

// wasHeldBy reports whether a pod of this name is or was at a rank's place. A
// pod that has the name and another UID was there too: what makes pods of one
// name makes them for one place.
func wasHeldBy(rank *train.Rank, pod string) bool {
	if rank.Pod == pod {
		return true
	}
	for i := range rank.Attempts {
		if rank.Attempts[i].Pod == pod {
			return true
		}
	}
	return false
}

// seatPodsOf gives the pods of a job that was derived their seats, as far as
// they have logs.
func (d *derivation) seatPodsOf(id train.JobID) {
	job, found := d.jobByID.Get(id)
	if !found {
		return
	}
	for rank := range job.Ranks {
		r := &job.Ranks[rank]
		namespace := cmp.Or(r.Namespace, job.Ref.Namespace)
		d.seatPod(job, rank, namespace, r.Pod)
		for i := range r.Attempts {
			if r.Attempts[i].Pod != r.Pod {
				d.seatPod(job, rank, namespace, r.Attempts[i].Pod)
			}
		}
	}
}

// seatPod seats all that own logs under a pod's name.
func (d *derivation) seatPod(job *train.Job, rank int, namespace, pod string) {
	if pod == "" {
		return
	}
	var owners []owner
	d.logs.all.Ascend(&Log{ID: train.StreamID{Namespace: namespace, Pod: pod}}, func(log *Log) bool {
		o := ownerOf(log.ID)
		if o.namespace != namespace || o.pod != pod {
			return false
		}
		if n := len(owners); n == 0 || owners[n-1] != o {
			owners = append(owners, o)
		}
		return true
	})
	for _, o := range owners {
		if d.maySit(o, job, rank) {
			d.sit(o, seatOfRank(job, rank))
		}
	}
}

// maySit: what a pod of an earlier job of the same name has printed stays
// with that job.
func (d *derivation) maySit(o owner, job *train.Job, rank int) bool {
	at, has := d.logs.seatOf(o)
	if !has || at.job == job.ID || isFileJob(at.job) {
		return true
	}
	if o.uid == "" {
		return d.Job(at.job) == nil
	}
	return o.uid == job.Ranks[rank].PodUID
}

// orphans are the logs of no job that is there.
func (d *derivation) orphans() []train.StreamID {
	var ids []train.StreamID
	d.logs.each(func(log *Log) bool {
		if at, found := d.logs.seatOf(ownerOf(log.ID)); !found || d.Job(at.job) == nil {
			ids = append(ids, log.ID)
		}
		return true
	})
	return ids
}

const fileJobPrefix = "log/"

func isFileJob(id train.JobID) bool { return strings.HasPrefix(string(id), fileJobPrefix) }
