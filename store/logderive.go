package store

import (
	"cmp"
	"strings"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// logDerivation assigns the logs of a frozen snapshot to ranks, once its jobs are
// derived, and derives the jobs that files of logs form.
type logDerivation struct {
	*derivation
	// changedFileJobs are the jobs of log files to derive again.
	changedFileJobs map[train.JobID]bool
	// logsCame is true when a log is new or gone.
	logsCame bool
}

// logsOf applies changed logs, and finds the ranks of new logs and of logs
// whose jobs are new.
func (d *logDerivation) logsOf(changes []logChange) {
	settles := d.settled && !d.before.settled
	if len(changes) == 0 && (d.logs.all == nil || len(d.derived) == 0 && !settles) {
		return
	}
	d.logs.all = writable(d.logs.all, logOrder)
	d.logs.slots, d.logs.bySlot = writable(d.logs.slots, byOwner), writable(d.logs.bySlot, bySlot)
	d.logs.versions = copyTree(d.logs.versions)
	d.changedFileJobs = map[train.JobID]bool{}
	if len(changes) > 0 {
		d.LogsVersion++
	}
	for _, change := range changes {
		d.applyLog(change)
	}
	for _, id := range d.derived {
		d.assignPodsOf(id)
	}
	if settles {
		d.assignFiles()
	}
	d.deriveFileJobs()
}

// applyLog enters one log into the tables.
func (d *logDerivation) applyLog(change logChange) {
	o := logOwnerOf(change.id)
	var before *Log
	if change.log == nil {
		before, _ = setOf(d.logs.all).Delete(&Log{ID: change.id})
		if d.logs.ownsNothing(o) {
			d.unassign(o)
		}
	} else {
		before, _ = setOf(d.logs.all).Set(change.log)
		d.place(o, change.log, before)
	}
	d.logsCame = d.logsCame || before == nil || change.log == nil
	if at, found := d.logs.slotOf(o); found {
		d.touchLogsOf(at.job, !sameMembership(before, change.log))
	}
}

func sameMembership(before, now *Log) bool {
	return before != nil && now != nil && before.Status.State == now.Status.State && hasSamples(before) == hasSamples(now)
}

// place finds the slot of a new log, or of a file that turned out to belong
// elsewhere.
func (d *logDerivation) place(o logOwner, log, before *Log) {
	at, has := d.logs.slotOf(o)
	if has && !isFileJob(at.job) {
		return
	}
	if !has && o.pod != "" {
		has = d.assignByPod(o) || log.ID.File == "" && d.assignLonePod(o)
	}
	if log.ID.File != "" && (!has || before != nil && (before.Job != log.Job || before.Rank != log.Rank)) {
		d.assignFile(o, log)
	}
}

func (d *logDerivation) touchLogsOf(id train.JobID, membership bool) {
	version, _ := mapOf(d.logs.versions).Get(id)
	version.any = d.LogsVersion
	if membership {
		version.membership = d.LogsVersion
	}
	mapOf(d.logs.versions).Set(id, version)
}

// assign gives an owner a slot and removes its previous one.
func (d *logDerivation) assign(o logOwner, at rankSlot) {
	before, had := d.logs.slotOf(o)
	if had && before == at {
		return
	}
	d.LogsVersion++
	d.unassign(o)
	d.logs.assign(assignedLog{owner: o, slot: at, generation: d.LogsVersion})
	d.touchLogsOf(at.job, true)
}

func (d *logDerivation) unassign(o logOwner) {
	if at, had := d.logs.slotOf(o); had {
		d.logs.unassign(o)
		if d.touchLogsOf(at.job, true); !d.logs.hasSlots(at.job) {
			mapOf(d.logs.versions).Delete(at.job)
			d.logs.runs.drop(at.job)
		}
		if isFileJob(at.job) {
			d.changedFileJobs[at.job] = true
		}
	}
}

// assignByPod looks for the pod of a new log in the known jobs.
func (d *logDerivation) assignByPod(o logOwner) bool {
	job := d.JobOf(kinds.PodKind, o.namespace, o.pod)
	if job == nil {
		return false
	}
	for rank := range job.Ranks {
		if wasHeldBy(&job.Ranks[rank], o.pod) {
			d.assign(o, slotOfRank(job, rank))
			return true
		}
	}
	return false
}

// wasHeldBy reports whether a pod of this name is or was the rank's. A pod
// with the same name and another UID was, too: a controller creates pods of
// one name for one rank.
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

// assignPodsOf assigns slots to the pods of a derived job that have logs.
func (d *logDerivation) assignPodsOf(id train.JobID) {
	job, found := mapOf(d.jobByID).Get(id)
	if !found {
		return
	}
	for rank := range job.Ranks {
		r := &job.Ranks[rank]
		namespace := cmp.Or(r.Namespace, job.Ref.Namespace)
		d.assignPod(job, rank, namespace, r.Pod)
		for i := range r.Attempts {
			if r.Attempts[i].Pod != r.Pod {
				d.assignPod(job, rank, namespace, r.Attempts[i].Pod)
			}
		}
	}
}

// assignPod assigns slots to all owners of logs under a pod's name.
func (d *logDerivation) assignPod(job *train.Job, rank int, namespace, pod string) {
	if pod == "" {
		return
	}
	var owners []logOwner
	setOf(d.logs.all).Ascend(&Log{ID: train.StreamID{Namespace: namespace, Pod: pod}}, func(log *Log) bool {
		o := logOwnerOf(log.ID)
		if o.namespace != namespace || o.pod != pod {
			return false
		}
		if n := len(owners); n == 0 || owners[n-1] != o {
			owners = append(owners, o)
		}
		return true
	})
	for _, o := range owners {
		if d.mayAssign(o, job, rank) {
			d.assign(o, slotOfRank(job, rank))
		}
	}
}

// mayAssign reports whether a job may get the log: output of a pod of an
// earlier job of the same name stays with that job.
func (d *logDerivation) mayAssign(o logOwner, job *train.Job, rank int) bool {
	at, has := d.logs.slotOf(o)
	if !has || at.job == job.ID || isFileJob(at.job) || IsLonePod(at.job) {
		return true
	}
	if o.uid == "" {
		return d.Job(at.job) == nil
	}
	return o.uid == job.Ranks[rank].PodUID
}

// orphans returns the logs that belong to no existing job.
func (d *logDerivation) orphans() []train.StreamID {
	var ids []train.StreamID
	d.logs.each(func(log *Log) bool {
		if at, found := d.logs.slotOf(logOwnerOf(log.ID)); !found || d.Job(at.job) == nil {
			ids = append(ids, log.ID)
		}
		return true
	})
	return ids
}

const fileJobPrefix = "log/"

func isFileJob(id train.JobID) bool { return strings.HasPrefix(string(id), fileJobPrefix) }
