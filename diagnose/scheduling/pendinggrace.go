package scheduling

import (
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// pendingGrace is how long a Pending pod may wait for a node before that is an
// error: a scheduler that has room after all places it within seconds.
const pendingGrace = 10 * time.Second

// pendingSeverity returns an error, because a rank without a node stops the
// job, unless the job is elastic and has its minimum.
func pendingSeverity(s *rule.JobContext, since time.Time) train.Severity {
	if s.Job.Elastic != nil && s.Job.Ready >= s.Job.Elastic.Min {
		return train.SeverityWarning
	}
	return s.SeverityAfter(since, pendingGrace)
}
