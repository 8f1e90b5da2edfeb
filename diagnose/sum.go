package diagnose

import (
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

// MakesNoSteps reports whether a finding states that a job makes no steps: its
// rate and the time left are those of before.
func (r *Report) MakesNoSteps(id train.JobID) bool {
	answer := r.Job(id)
	return answer != nil && slices.ContainsFunc(answer.Findings, func(f train.Finding) bool {
		return f.Severity != train.SeverityInfo && f.Cause == "hang-no-output"
	})
}
