package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// findingsFrom are the rules that read one source for all causes.
var findingsFrom = []struct {
	what string
	find func(*rule.JobContext) []train.Finding
}{
	{"messages about its pods", fromMessages},
	{"the ends of its containers", fromFailures},
	{"its logs", fromLogs},
	{"its measurements", fromSignals},
	{"its nodes", fromNodes},
	{"the status of the Ray job", fromRayJobStatus},
}

// brokenRule is a rule that panicked on a job: a bug, of which a diagnosis
// speaks and goes on.
type brokenRule struct{ what, why string }

// survive runs a rule. One that panics finds nothing, and its cause is
// unknown.
func (n *answerInputs) survive(s *rule.JobContext, what string, find func(*rule.JobContext) []train.Finding) (found []train.Finding) {
	defer func() {
		if panicked := recover(); panicked != nil {
			b := brokenRule{what, rule.Plain("this rule broke, which is a bug: " + fmt.Sprint(panicked))}
			s.CheckUnknown(b.why)
			n.broken, found = append(n.broken, b), nil
		}
	}()
	return find(s)
}

// missingBroken adds what broken rules would have reported as missing.
func (c *concluder) missingBroken() {
	if c.answer.seen == nil {
		return
	}
	for _, b := range c.answer.seen.broken {
		c.miss(true, "what tells of "+b.what, b.why, "report it as a bug of traintop, with what was diagnosed")
	}
}
