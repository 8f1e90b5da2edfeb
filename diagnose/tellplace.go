package diagnose

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// explainPlacement completes a finding about pods without a node with the general
// words of its cause, the arithmetic of the nodes, and what to look at.
func (s *jobContext) explainPlacement(g *placement, f *train.Finding) {
	f.Explanation = s.current.meaning
	if c := g.says.of(g.cause); c != nil && c.nodes > 0 {
		f.Explanation += fmt.Sprintf(" The scheduler says it of %s.", termtext.Count(c.nodes, "node"))
	}
	if g.result != nil {
		if ports := hostPorts(g); ports != "" && g.cause == "host-port-conflict" {
			f.Explanation += " The pod wants " + ports + "."
		}
		f.Evidence = append(f.Evidence, fieldEvidence(s.ref(g.pods[0]), "spec", g.result.String(), g.since, -1))
	}
	f.Next = []train.Step{do(s.current.fix), look("See all that is said about the pod.", kubectl("describe", s.ref(g.pods[0]))...)}
	f.Verify = verifyOf(f.Stage)
}

// hostPorts are the ports of the node that a pod wants, and who holds them.
func hostPorts(g *placement) string {
	var list []string
	for _, port := range g.result.shape.ports {
		text := fmt.Sprintf("port %d", port.port)
		for _, r := range g.result.rooms {
			if holder := r.ports[port]; holder != "" {
				text += fmt.Sprintf(" (held by %s on %s)", holder, r.node.Name)
				break
			}
		}
		list = append(list, text)
	}
	return plain(strings.Join(list, ", "))
}
