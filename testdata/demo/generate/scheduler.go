package generate

import (
	"fmt"
	"slices"
	"strings"
)

// unschedulable is what the default scheduler of Kubernetes 1.36 says about a
// pod that fits nowhere, worked out from the nodes: each counts once, for the
// first filter that turns it away (an unschedulable node, a taint, the
// resources), and lacking two resources it counts for both.
func (c *cluster) unschedulable(p *pod) string {
	if p.missingClaim != "" {
		// The claim is looked for before any node is.
		return fmt.Sprintf("0/%d nodes are available: persistentvolumeclaim %q not found. not found", len(c.nodes), p.missingClaim)
	}
	noVictims, reasons := c.turnedAway(p, "node(s) had untolerated taint(s)")
	total := len(c.nodes)
	preemption := []string{}
	if noVictims > 0 {
		preemption = append(preemption, fmt.Sprintf("%d No preemption victims found for incoming pod", noVictims))
	}
	if noVictims < total {
		preemption = append(preemption, fmt.Sprintf("%d Preemption is not helpful for scheduling", total-noVictims))
	}
	slices.Sort(preemption)
	return fmt.Sprintf("0/%d nodes are available: %s. no new claims to deallocate, preemption: 0/%d nodes are available: %s.",
		total, reasons, total, strings.Join(preemption, ", "))
}

// volcanoReason is what Volcano 1.10 says of one task that fits nowhere.
func (c *cluster) volcanoReason(p *pod) string {
	_, reasons := c.turnedAway(p, "node(s) had untolerated taint {node.kubernetes.io/unreachable: }")
	return fmt.Sprintf("0/%d nodes are unavailable: %s.", len(c.nodes), reasons)
}

// turnedAway counts the nodes by the reason for which they do not take a pod,
// and those that would if other pods went away.
func (c *cluster) turnedAway(p *pod, taint string) (noVictims int, reasons string) {
	counts := map[string]int{}
	for _, n := range c.nodes {
		switch lacking := n.lacks(p.asks, false); {
		case n.cordoned:
			counts["node(s) were unschedulable"]++
		case n.lost > 0:
			counts[taint]++
		case len(lacking) == 0:
			panic(fmt.Sprintf("the story lets %s wait, but it fits on %s", p.name, n.name))
		default:
			for _, name := range lacking {
				counts["Insufficient "+name]++
			}
			if len(n.lacks(p.asks, true)) == 0 {
				noVictims++
			}
		}
	}
	var list []string
	for reason, count := range counts {
		list = append(list, fmt.Sprintf("%d %s", count, reason))
	}
	slices.Sort(list) // as the scheduler does: as text
	return noVictims, strings.Join(list, ", ")
}
