package scheduling

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// ExplainPlacement completes a finding about pods without a node with the
// general text of its cause, the arithmetic of the nodes, and what to check.
func ExplainPlacement(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	f.Explanation = s.Current.Meaning
	if c := g.Says.Of(g.Cause); c != nil && c.Nodes > 0 {
		f.Explanation += fmt.Sprintf(" The scheduler says it of %s.", termtext.Count(c.Nodes, "node"))
	}
	if g.Result != nil {
		if ports := hostPorts(g); ports != "" && g.Cause == "host-port-conflict" {
			f.Explanation += " The pod wants " + ports + "."
		}
		f.Evidence = append(f.Evidence, rule.FieldEvidence(s.Ref(g.Pods[0]), "spec", g.Result.String(), g.Since, -1))
	}
	f.Next = append(s.Current.Advice(), rule.Look("See all that is said about the pod.", rule.Kubectl("describe", s.Ref(g.Pods[0]))...))
	f.Verify = rule.VerifyOf(f.Stage)
}

// hostPorts returns the ports of the node that a pod needs, and who holds
// them.
func hostPorts(g *rule.Placement) string {
	var list []string
	for _, port := range g.Result.Shape.Ports {
		text := fmt.Sprintf("port %d", port.Port)
		for _, r := range g.Result.Nodes {
			if holder := r.Ports[port]; holder != "" {
				text += fmt.Sprintf(" (held by %s on %s)", holder, r.Node.Name)
				break
			}
		}
		list = append(list, text)
	}
	return rule.Plain(strings.Join(list, ", "))
}
