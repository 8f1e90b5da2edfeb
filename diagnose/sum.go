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
	// Worst is the most urgent finding, nil when there is none.
	Worst *train.Finding
}

// Sum summarizes the jobs that show accepts (nil for all). The worst finding
// is one of the greatest severity: that of a failed job before that of one
// that may still run, then that of the newest job.
func (r *Report) Sum(s *store.Snapshot, show func(*train.Job) bool) Sum {
	var sum Sum
	var worst *train.Job
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
		switch r.Need(job) {
		case train.SeverityError:
			sum.Errors++
		case train.SeverityWarning:
			sum.Warnings++
		default:
			continue
		}
		if f := r.Worst(id); f != nil && f.Severity != train.SeverityInfo && (worst == nil || worse(job, f, worst, sum.Worst) < 0) {
			sum.Worst, worst = f, job
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
// that succeeded or was suspended needs nobody.
func (r *Report) Need(job *train.Job) train.Severity {
	if job.Phase == train.Succeeded || job.Phase == train.Suspended {
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

func worse(a *train.Job, of *train.Finding, b *train.Job, than *train.Finding) int {
	return cmp.Or(
		cmp.Compare(of.Severity.Order(), than.Severity.Order()),
		cmp.Compare(alive(a), alive(b)),
		b.Created.Compare(a.Created),
	)
}

// StandsStill reports whether a finding says that a job makes no steps: its
// rate and the time left are those of before.
func (r *Report) StandsStill(id train.JobID) bool {
	answer := r.Job(id)
	return answer != nil && slices.ContainsFunc(answer.Findings, func(f train.Finding) bool {
		return f.Severity != train.SeverityInfo && f.Cause == "hang-no-output"
	})
}

func alive(job *train.Job) int {
	if job.Phase == train.Failed {
		return 0
	}
	return 1
}
