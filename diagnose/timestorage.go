package diagnose

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

// hangEvents is how old a node's event may be to speak for a silence of now.
const hangEvents = time.Hour

// stuckStorage looks for what a node's kernel says about processes that wait
// for storage, in the events that node-problem-detector makes of its messages.
// Lines of logs that say so are found as such.
func (s *jobContext) stuckStorage() (train.Finding, bool) {
	c := s.causes.of("storage-hang")
	looked := map[string]bool{}
	for i := range s.job.Ranks {
		r := &s.job.Ranks[i]
		if c == nil || r.Node == "" || looked[r.Node] {
			continue
		}
		looked[r.Node] = true
		node := coreRef("Node", "", r.Node)
		for _, e := range s.eventsFor(node) {
			m := (&message{reason: e.Reason, text: e.Message}).classify()
			if m == nil || m.Cause != c.id || s.now.Sub(kinds.EventTime(e)) > hangEvents {
				continue
			}
			f := s.newFinding(train.SeverityError, kinds.EventTime(e))
			f.Cause, f.Stage, f.Ranks, f.RootRank = c.id, c.stage, []int{r.Index}, r.Index
			f.Title = fmt.Sprintf("The storage of node %s does not answer, and rank %d runs there", r.Node, r.Index)
			f.Explanation, f.Confidence = c.meaning, train.Likely
			f.Evidence = []train.Evidence{eventEvidence(e, r.Index)}
			f.Next = []train.Step{do(c.fix), look("See what is said about the node.", kubectl("describe", node)...)}
			f.Verify = "New lines come, and the step number goes up."
			return f, true
		}
	}
	return train.Finding{}, false
}
