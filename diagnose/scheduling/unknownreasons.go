package scheduling

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// UnknownReasons returns findings for pods without a node whose scheduler gives
// a reason that is in no table: of a plug-in, an extender or a vendor's
// scheduler. Quoting it is better than silence, so it is asked for where no
// rule finds anything.
func UnknownReasons(s *rule.JobContext) []train.Finding {
	s.Current = &nodeSelectorMismatch
	var found []train.Finding
	for i := range Unplaced(s) {
		g := &Unplaced(s)[i]
		said := unknownClauses(g)
		if g.Cause != "" || len(said) == 0 || nodeComes(s, g) {
			continue
		}
		f := s.NewFinding(pendingSeverity(s, g.Since), g.Since, g.Pods...)
		f.Confidence = train.Likely
		scheduler := schedulerOf(g.Pods[0])
		f.Title = fmt.Sprintf("%s %s no node: %s says %s", rule.Capital(rule.RankNames(g.Pods)), termtext.Agree(len(g.Pods), "has", "have"), scheduler, rule.Plain(strings.Join(said, ", ")))
		f.Explanation = fmt.Sprintf("The reason is none of Kubernetes' own: a plug-in, an extender or a vendor's scheduler gives it for pod %s. The pod gets no node while it holds, and the job waits for it.", s.Ref(g.Pods[0]))
		if g.Proof.Text != "" {
			f.Evidence = []train.Evidence{g.Proof}
		}
		f.Next = []train.Step{
			rule.Do("Look for the words of the reason in the documentation and in the log of " + scheduler + "."),
			rule.Look("See all that is said about the pod.", rule.Kubectl("describe", s.Ref(g.Pods[0]))...),
		}
		f.Verify = rule.VerifyOf(train.StageSchedule)
		found = append(found, f)
	}
	return found
}

// nodeComes reports whether an autoscaler adds a node for pods.
func nodeComes(s *rule.JobContext, g *rule.Placement) bool {
	e := rule.LastEvent(s.PodEvents(g.Pods[0]), "NotTriggerScaleUp", "TriggeredScaleUp", "Nominated")
	return e != nil && e.Reason != "NotTriggerScaleUp"
}

// schedulerOf returns the scheduler that a pod names.
func schedulerOf(p *rule.Pod) string {
	return "scheduler " + cmp.Or(p.Spec.SchedulerName, "default-scheduler")
}

// unknownClauses returns the reasons of a placement's message that no table
// knows, with their numbers of nodes.
func unknownClauses(g *rule.Placement) []string {
	var said []string
	for _, c := range g.Says.Clauses {
		switch {
		case c.Cause != "" || strings.Trim(c.Text, " .") == "":
		case c.Nodes > 0:
			said = append(said, fmt.Sprintf("%q of %s", c.Text, termtext.Count(c.Nodes, "node")))
		default:
			said = append(said, fmt.Sprintf("%q", c.Text))
		}
	}
	return said
}
