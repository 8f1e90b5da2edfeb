package diagnose

import (
	"cmp"

	"github.com/traintop/traintop/train"
)

// Need returns how urgently a job needs a person, "" for not at all: by its
// first finding, by the worst of its signals while it runs, or because it
// failed, restarts or lacks ranks without any. Notices do not count, and a job
// that succeeded and holds no GPUs, or was suspended and has no pods, needs nobody.
func (r *Report) Need(job *train.Job) train.Severity {
	if pods, _, _, _ := job.LivePods(); job.Phase == train.Succeeded && !holdsGPUs(job) || job.Phase == train.Suspended && pods == 0 {
		return ""
	}
	if f := r.Worst(job.ID); f != nil && f.Severity != train.SeverityInfo {
		return f.Severity
	}
	found := r.Signals().Job(job.ID)
	switch {
	case job.Phase == train.Running && len(found) > 0 && found[0].Severity != train.SeverityInfo:
		return found[0].Severity
	case job.Phase == train.Failed:
		return train.SeverityError
	case job.Phase == train.Restarting, InTrouble(job), job.Phase == train.Running && job.Ready < job.Wanted && job.Reason != "":
		return train.SeverityWarning
	}
	return ""
}

// CompareNeed orders two jobs by how much they need a person; needA and needB are
// what Need returns for them. Those that need one come first, by phase, and one with
// an error directly after those that have failed; then by place in their queue, and
// the newest first.
func CompareNeed(a *train.Job, needA train.Severity, b *train.Job, needB train.Severity) int {
	return cmp.Or(
		cmp.Compare(calm(a, needA), calm(b, needB)),
		cmp.Compare(urgency(a, needA), urgency(b, needB)),
		cmp.Compare(place(a), place(b)),
		b.Created.Compare(a.Created),
	)
}

// calm is 1 for a job that needs nobody. A phase of an unknown name is not calm.
func calm(job *train.Job, need train.Severity) int {
	if need == "" && (job.LogsOnly || job.Phase.Urgency() > 0) {
		return 1
	}
	return 0
}

func urgency(job *train.Job, need train.Severity) int {
	own := 2 * job.Phase.Urgency()
	if need == train.SeverityError {
		return min(own, 2*train.Failed.Urgency()+1)
	}
	return own
}

// place is a job's place in its queue, 0 for a job that waits in none.
func place(job *train.Job) int {
	if job.Phase != train.Queued || job.Queue == nil {
		return 0
	}
	return job.Queue.Place
}
