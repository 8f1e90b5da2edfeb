package diagnose

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Sum summarizes what is wrong in some jobs.
type Sum struct {
	Looked int // jobs that have an answer
	// Errors and Warnings count the jobs by their worst finding.
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
		f := r.Worst(id)
		if !sum.count(f) {
			continue
		}
		if worst == nil || worse(job, f, worst, sum.Worst) < 0 {
			sum.Worst, worst = f, job
		}
	}
	return sum
}

// count adds a job's first finding; false when it is none, or only a notice.
func (s *Sum) count(f *train.Finding) bool {
	switch {
	case f == nil:
		return false
	case f.Severity == train.SeverityError:
		s.Errors++
	case f.Severity == train.SeverityWarning:
		s.Warnings++
	default:
		return false
	}
	return true
}

func worse(a *train.Job, of *train.Finding, b *train.Job, than *train.Finding) int {
	return cmp.Or(
		cmp.Compare(of.Severity.Order(), than.Severity.Order()),
		cmp.Compare(alive(a), alive(b)),
		b.Created.Compare(a.Created),
	)
}

// standStill are the causes that say that a job makes no steps.
var standStill = []train.Cause{"hang-no-output", "checkpoint-stall"}

// StandsStill reports whether a finding says that a job makes no steps: its
// rate and the time left are those of before.
func (r *Report) StandsStill(id train.JobID) bool {
	answer := r.Job(id)
	return answer != nil && slices.ContainsFunc(answer.Findings, func(f train.Finding) bool {
		return f.Severity != train.SeverityInfo && slices.Contains(standStill, f.Cause)
	})
}

func alive(job *train.Job) int {
	if job.Phase == train.Failed {
		return 0
	}
	return 1
}
