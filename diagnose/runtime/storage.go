package runtime

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// hangEvents is how old a node's event may be to explain a current silence.
const hangEvents = time.Hour

// stuckStorage looks for kernel messages of a node about processes that wait
// for storage, in the events that node-problem-detector creates from them.
// Lines of logs with such messages are found as such.
func stuckStorage(s *rule.JobContext) (train.Finding, bool) {
	c := s.Causes.Of("storage-hang")
	looked := map[string]bool{}
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		if c == nil || r.Node == "" || looked[r.Node] {
			continue
		}
		looked[r.Node] = true
		node := rule.CoreRef("Node", "", r.Node)
		for _, e := range s.EventsFor(node) {
			m := (&rule.Message{Reason: e.Reason, Text: e.Message}).Classify()
			if m == nil || m.Cause != c.ID || s.Now.Sub(kinds.EventTime(e)) > hangEvents {
				continue
			}
			f := s.NewFinding(train.SeverityError, kinds.EventTime(e))
			f.Cause, f.Stage, f.Ranks, f.RootRank = c.ID, c.Stage, []int{r.Index}, r.Index
			f.Title = fmt.Sprintf("The storage of node %s does not answer, and rank %d runs there", r.Node, r.Index)
			f.Explanation, f.Confidence = c.Meaning, train.Likely
			f.Evidence = []train.Evidence{rule.EventEvidence(e, r.Index)}
			f.Next = append(c.Advice(), rule.Look("See what is said about the node.", rule.Kubectl("describe", node)...))
			f.Verify = "New lines come, and the step number goes up."
			return f, true
		}
	}
	return train.Finding{}, false
}
