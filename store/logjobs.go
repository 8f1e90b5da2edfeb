package store

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/train"
)

// unassigned is the index of a file's slot until deriveFileJobs sets it.
const unassigned = -1

// assignFile adds a log file to the job that its files form.
func (d *logDerivation) assignFile(o logOwner, log *Log) {
	if d.assignNamedRank(o, log) {
		return
	}
	if o.pod != "" && !d.settled && len(d.health) > 0 {
		return // its pod may arrive later
	}
	id := fileJobOf(o, log)
	if at, has := d.logs.slotOf(o); !has || at.job != id {
		d.assign(o, rankSlot{job: id, index: unassigned})
	}
	d.changedFileJobs[id] = true
}

// assignNamedRank assigns a file to the rank of an existing job that it names,
// and reports whether it did.
func (d *logDerivation) assignNamedRank(o logOwner, log *Log) bool {
	job, known := mapOf(d.jobByID).Get(train.JobID(log.Job))
	if !known {
		return false
	}
	rank := slices.IndexFunc(job.Ranks, func(r train.Rank) bool { return r.Index == log.Rank })
	if rank >= 0 {
		d.assign(o, slotOfRank(job, rank))
	}
	return rank >= 0
}

// assignFiles adds the files whose pods did not arrive.
func (d *logDerivation) assignFiles() {
	d.logs.each(func(log *Log) bool {
		o := logOwnerOf(log.ID)
		if _, has := d.logs.slotOf(o); !has && log.ID.File != "" {
			d.assignFile(o, log)
		}
		return true
	})
}

// fileJobOf returns the ID of the job that a file belongs to: that of all
// files of one run, else one of its own (the files of a pod's containers share
// one).
func fileJobOf(o logOwner, log *Log) train.JobID {
	switch {
	case log.Job != "":
		return train.JobID(fileJobPrefix + "run/" + log.Job)
	case o.pod != "":
		return train.JobID(fileJobPrefix + "pod/" + o.namespace + "/" + o.pod + "/" + o.uid)
	}
	return train.JobID(fileJobPrefix + "file/" + o.file)
}

// deriveFileJobs derives the jobs whose files changed.
func (d *logDerivation) deriveFileJobs() {
	if len(d.changedFileJobs) == 0 {
		return
	}
	d.JobsVersion++
	d.logs.fileJobs = copyTree(d.logs.fileJobs)
	for id := range d.changedFileJobs {
		if job := d.fileJob(id); job != nil {
			mapOf(d.logs.fileJobs).Set(id, job)
		} else {
			mapOf(d.logs.fileJobs).Delete(id)
			mapOf(d.logs.versions).Delete(id)
			d.logs.runs.drop(id)
		}
	}
	d.logs.jobList = mapOf(d.logs.fileJobs).Values()
}

// rankFile is a file, or the files of a pod, as a rank of a job of log files.
type rankFile struct {
	owner logOwner
	log   *Log
}

// fileJob builds a job from its files and gives each its slot; nil without
// files.
func (d *logDerivation) fileJob(id train.JobID) *train.Job {
	var files []rankFile
	d.logs.ofJob(id, func(s assignedLog) {
		d.logs.of(s.owner, func(log *Log) bool {
			files = append(files, rankFile{s.owner, log})
			return false
		})
	})
	if len(files) == 0 {
		return nil
	}
	slices.SortFunc(files, func(a, b rankFile) int {
		return cmp.Or(cmp.Compare(uint(a.log.Rank), uint(b.log.Rank)), a.owner.compare(b.owner))
	})
	first := files[0].log
	name := cmp.Or(first.Job, first.ID.Base())
	if first.Job == "" && first.ID.Pod != "" {
		name = first.ID.Pod
	}
	job := &train.Job{ID: id, Ref: train.Ref{Kind: train.LogKind, Namespace: first.ID.Namespace, Name: name}, Training: true, LogsOnly: true}
	d.addFileRanks(job, files)
	job.Wanted = len(job.Ranks)
	return job
}

// addFileRanks numbers the ranks: those with a given rank, then the others in
// the order of their files. Two files of one rank are two attempts.
func (d *logDerivation) addFileRanks(job *train.Job, files []rankFile) {
	next := 0
	for _, file := range files {
		n := len(job.Ranks)
		if file.log.Rank < 0 {
			job.Ranks = append(job.Ranks, train.Rank{Index: next, Assumed: true, RoleIndex: n})
			next++
		} else if n == 0 || job.Ranks[n-1].Index != file.log.Rank {
			job.Ranks = append(job.Ranks, train.Rank{Index: file.log.Rank, RoleIndex: n})
			next = file.log.Rank + 1
		}
		r := &job.Ranks[len(job.Ranks)-1]
		r.Namespace, r.Pod, r.PodUID = file.owner.namespace, file.owner.pod, file.owner.uid
		d.assign(file.owner, slotOfRank(job, len(job.Ranks)-1))
	}
}
