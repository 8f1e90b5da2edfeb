package scheduling

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// readNodesCause returns what keeps pods away where some nodes were read and the
// scheduler's message is about what nodes are: a node of the right kind that was
// read decides, else what the message states beyond the nodes that were read. It is
// "" where that decides nothing.
func readNodesCause(s *rule.JobContext, g *rule.Placement) train.Cause {
	if g.Result == nil {
		return ""
	}
	if decisive := g.Result.Decisive(); decisive >= capacity.Tainted && decisive < capacity.Fits {
		return filterCause(s, g)
	}
	read := map[train.Cause]int{}
	for _, r := range g.Result.Nodes {
		read[reasonOf(g, r)]++
	}
	left := g.Says
	left.Clauses = nil
	for _, c := range g.Says.Clauses {
		if c.KeepsOut() && c.Cause != "node-selector-mismatch" && c.Nodes <= read[c.Cause] {
			continue
		}
		left.Clauses = append(left.Clauses, c)
	}
	if main := left.Main(); main != nil {
		return main.Cause
	}
	return ""
}

// reasonOf returns the reason about what a node is that the scheduler gives, which
// names the first of its filters that fails: NodeUnschedulable, TaintToleration,
// NodeAffinity (kube-scheduler 1.36, apis/config/v1/default_plugins.go).
func reasonOf(g *rule.Placement, r *capacity.NodeCapacity) train.Cause {
	switch away, kept := capacity.KeptAway(g.Pods[0].Pod, r.Node); {
	case r.Node.Spec.Unschedulable:
		return "node-unschedulable"
	case kept && away.Hurdle == capacity.Tainted:
		return "untolerated-taint"
	case kept:
		return "node-not-ready"
	}
	return "node-selector-mismatch"
}

// nodesAre describe for a number of nodes what the scheduler's reason means.
var nodesAre = map[train.Cause][2]string{
	"node-unschedulable":     {"is cordoned", "are cordoned"},
	"untolerated-taint":      {"has a taint that is not tolerated", "have taints that are not tolerated"},
	"node-selector-mismatch": {"lacks the labels", "lack the labels"},
	"node-not-ready":         {"is not ready", "are not ready"},
}

// explainUnreadNodes explains what a finding cannot know where nodes were not read
// and the scheduler gives several reasons: those about what nodes are hide whether
// the nodes are of the kind that the pods want.
func explainUnreadNodes(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	main := g.Says.Main()
	if g.AllNodesSeen || main == nil || g.Result != nil && g.Result.Decisive() >= capacity.Tainted {
		return
	}
	var list []string
	for _, c := range g.Says.Clauses {
		if are, known := nodesAre[c.Cause]; known && c.Nodes > 0 {
			list = append(list, fmt.Sprintf("%d %s", c.Nodes, termtext.Agree(c.Nodes, are[0], are[1])))
		}
	}
	why := "; nodes were not read: " + s.WhyUnlisted(kinds.NodeKind, "")
	if g.Result != nil {
		why = fmt.Sprintf("; %d of %s were read", len(g.Result.Nodes), termtext.Count(g.Says.Total, "node"))
	}
	switch {
	case len(list) == 0, main.KeepsOut() && len(list) == 1 && len(g.Says.Clauses) == 1:
		return
	case !main.KeepsOut():
		f.Explanation += fmt.Sprintf(" Whether other nodes would fit is not known: %s%s.", strings.Join(list, ", "), why)
		return
	}
	if g.Says.Total > 0 {
		list[0] = fmt.Sprintf("of %s ", termtext.Count(g.Says.Total, "node")) + list[0]
	}
	f.Confidence = train.Possible
	f.Title = fmt.Sprintf("%s (%s) cannot be placed: %s", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods), strings.Join(list, ", "))
	f.Explanation = "Which of these nodes the pods want is not known" + why + ". If nodes that they want are cordoned or tainted, that is the cause, else the labels are: the scheduler names one reason for each node, and looks at labels last."
	f.Next = append([]train.Step{rule.Look("See whether the nodes that the pods want are cordoned or tainted.", nodesWanted(g)...)}, f.Next...)
}

// nodesWanted is the command that lists the nodes with the labels of the pods'
// nodeSelector.
func nodesWanted(g *rule.Placement) []string {
	command := []string{"kubectl", "get", "nodes"}
	var labels []string
	selector := g.Pods[0].Spec.NodeSelector
	for _, key := range capacity.SortedKeys(selector) {
		labels = append(labels, key+"="+selector[key])
	}
	if len(labels) > 0 {
		command = append(command, "-l", strings.Join(labels, ","))
	}
	return append(command, "-o", "custom-columns=NAME:.metadata.name,CORDONED:.spec.unschedulable,TAINTS:.spec.taints[*].key")
}
