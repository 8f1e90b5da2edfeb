package diagnose

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Sum summarizes what is wrong in some jobs.
type Sum struct {
	Looked int // jobs that have an answer
	// Errors and Warnings count the jobs that need a person, by how severe their
	// trouble is.
	Errors, Warnings int
	// Unknown counts the jobs of which too little was read.
	Unknown int
	// LogsRead counts the jobs of which a log was read.
	LogsRead int
	// First is the job that needs a person most, nil when none does.
	First *train.Job
}

// Sum summarizes the jobs that show accepts (nil for all).
func (r *Report) Sum(s *store.Snapshot, show func(*train.Job) bool) Sum {
	var sum Sum
	var most train.Severity // of First
	for _, id := range r.Jobs() {
		job := s.Job(id)
		if job == nil || show != nil && !show(job) {
			continue
		}
		sum.Looked++
		if r.Job(id).Verdict() == NotEnoughRead {
			sum.Unknown++
		}
		if a := r.Job(id); a != nil && a.Conclusion != nil && a.Conclusion.logsRead > 0 {
			sum.LogsRead++
		}
		need := r.Need(job)
		switch need {
		case train.SeverityError:
			sum.Errors++
		case train.SeverityWarning:
			sum.Warnings++
		default:
			continue
		}
		if sum.First == nil || CompareNeed(job, need, sum.First, most) < 0 {
			sum.First, most = job, need
		}
	}
	return sum
}

// Needs is how many jobs need a person.
func (s Sum) Needs() int { return s.Errors + s.Warnings }

// NeedWords is "2 jobs need you".
func (s Sum) NeedWords() string {
	if s.Needs() == 1 {
		return "1 job needs you"
	}
	return termtext.Count(s.Needs(), "job") + " need you"
}

// Need returns how urgently a job needs a person, "" for not at all: by its
// first finding, by the worst of its signals while it runs, or because it
// failed, restarts or lacks ranks without any. Notices do not count, and a job
// that succeeded, or was suspended and has no pods, needs nobody.
func (r *Report) Need(job *train.Job) train.Severity {
	if pods, _, _ := job.LivePods(); job.Phase == train.Succeeded || job.Phase == train.Suspended && pods == 0 {
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

// StandsStill reports whether a finding says that a job makes no steps: its
// rate and the time left are those of before.
func (r *Report) StandsStill(id train.JobID) bool {
	answer := r.Job(id)
	return answer != nil && slices.ContainsFunc(answer.Findings, func(f train.Finding) bool {
		return f.Severity != train.SeverityInfo && f.Cause == "hang-no-output"
	})
}
