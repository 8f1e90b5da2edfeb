package scheduling

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

const (
	// maxEndings bounds the nodes on which to search for who might end: on a
	// large cluster one of the first is enough.
	maxEndings = 128
	// keptEndings is how many of them are kept: a waiting job must not be
	// advised to wait for itself.
	keptEndings = 8
	// maxTogether is how many must end at most: beyond that it is no plan.
	maxTogether = 4
)

// fitsWhenEnds names those whose end would make room for a pod on one node, as
// few as possible, and the node; "" when no end would.
func fitsWhenEnds(s *rule.JobContext, g *rule.Placement, held []*capacity.NodeCapacity, name string, want int64) (says, node string) {
	all := s.Nodes.FreedNodesFor(g.Result, func() []capacity.FreedNode { return endingsOn(s, held[:min(len(held), maxEndings)], name, want) })
	for i := range all {
		e := &all[i]
		if slices.ContainsFunc(e.Holders, func(h capacity.Holder) bool { return h.Job != nil && h.Job.ID == s.Job.ID }) {
			continue
		}
		if len(e.Holders) > 1 {
			var who []string
			for _, h := range e.Holders {
				who = append(who, fmt.Sprintf("%s (%d)", h.Ref, h.N))
			}
			last := len(who) - 1
			return fmt.Sprintf("Wait for %s and %s to end: they hold %d %s on %s, and %s there then.", strings.Join(who[:last], ", "), who[last], e.N, name, e.Node, fit(e, g, name, want)), e.Node
		}
		left := ""
		if job := e.Holders[0].Job; job != nil && job.Phase.Terminal() {
			return fmt.Sprintf("%s has %s, and its pods still hold %d %s on %s: end them, and %s there then.", e.Holders[0].Ref, strings.ToLower(string(job.Phase)), e.N, name, e.Node, fit(e, g, name, want)), e.Node
		}
		if job := e.Holders[0].Job; job != nil && job.Progress != nil && job.Progress.Remaining > 0 {
			left = " (about " + termtext.Duration(job.Progress.Remaining) + " left)"
		}
		return fmt.Sprintf("Wait for %s to end%s: it holds %d %s on %s, and %s there then.", e.Holders[0].Ref, left, e.N, name, e.Node, fit(e, g, name, want)), e.Node
	}
	return "", ""
}

// fit describes how many of the pods have their devices on the node then.
func fit(e *capacity.FreedNode, g *rule.Placement, name string, want int64) string {
	free := e.N
	for _, r := range g.Result.Nodes {
		if r.Node.Name == e.Node {
			free += max(0, r.Free[name])
		}
	}
	switch room, all := free/max(1, want), int64(len(g.Pods)); {
	case all == 1:
		return "the pod fits"
	case room >= all:
		return "the pods fit"
	case room == 1:
		return "one of the pods fits"
	default:
		return fmt.Sprintf("%d of the pods fit", room)
	}
}

// endingsOn returns the best of each node: fewest that must end, then fewest
// devices.
func endingsOn(s *rule.JobContext, held []*capacity.NodeCapacity, name string, want int64) []capacity.FreedNode {
	var all []capacity.FreedNode
	for _, r := range held {
		if e, enough := endingOn(s, r, name, want-r.Free[name]); enough {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b capacity.FreedNode) int {
		return cmp.Or(cmp.Compare(len(a.Holders), len(b.Holders)), cmp.Compare(a.N, b.N))
	})
	return all[:min(len(all), keptEndings)]
}

// endingOn returns the smallest single holder whose devices suffice on a node,
// or else the largest together.
func endingOn(s *rule.JobContext, r *capacity.NodeCapacity, name string, lack int64) (capacity.FreedNode, bool) {
	e := capacity.FreedNode{Node: r.Node.Name}
	all := holdersOn(s, r, name)
	if lack <= 0 || len(all) == 0 {
		return e, false // nobody's end makes room there
	}
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].N >= lack {
			e.Holders, e.N = all[i:i+1], all[i].N
			return e, true
		}
	}
	for i := 0; i < len(all) && i < maxTogether && e.N < lack; i++ {
		e.Holders, e.N = all[:i+1], e.N+all[i].N
	}
	return e, e.N >= lack
}

// holdersOn returns who holds devices of a node, largest first.
func holdersOn(s *rule.JobContext, r *capacity.NodeCapacity, name string) []capacity.Holder {
	var all []capacity.Holder
	for _, h := range r.Holders {
		n := capacity.AmountOf(h.Devices, name)
		if n == 0 {
			continue
		}
		who := capacity.Holder{Id: h.Namespace + "/" + h.Pod, Ref: train.PodRef(h.Namespace, h.Pod, ""), N: n}
		if job := s.JobOf(kinds.PodKind, h.Namespace, h.Pod); job != nil {
			who.Id, who.Ref, who.Job = string(job.ID), job.Ref, job
		}
		if i := slices.IndexFunc(all, func(known capacity.Holder) bool { return known.Id == who.Id }); i >= 0 {
			all[i].N += n
		} else {
			all = append(all, who)
		}
	}
	slices.SortFunc(all, func(a, b capacity.Holder) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Id, b.Id))
	})
	return all
}
