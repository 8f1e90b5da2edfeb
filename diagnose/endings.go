package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

const (
	// maxEndings bounds the nodes that are asked for who might end: on a large
	// cluster one of the first will do.
	maxEndings = 128
	// keptEndings is how many of them are kept: a job that waits need not be
	// told to wait for itself.
	keptEndings = 8
	// maxTogether is how many must end at most: beyond that it is no plan.
	maxTogether = 4
)

// fitsWhenEnds names those whose end would make room for a pod on one node,
// as few as possible, and the node; "" when nobody's would.
func (s *jobContext) fitsWhenEnds(g *placement, held []*nodeCapacity, name string, want int64) (says, node string) {
	all := s.nodes.freedNodesFor(g.result, func() []freedNode { return s.endingsOn(held[:min(len(held), maxEndings)], name, want) })
	for i := range all {
		e := &all[i]
		if slices.ContainsFunc(e.holders, func(h holder) bool { return h.job != nil && h.job.ID == s.job.ID }) {
			continue
		}
		if len(e.holders) > 1 {
			var who []string
			for _, h := range e.holders {
				who = append(who, fmt.Sprintf("%s (%d)", h.ref, h.n))
			}
			last := len(who) - 1
			return fmt.Sprintf("Wait for %s and %s to end: they hold %d %s on %s, and %s there then.", strings.Join(who[:last], ", "), who[last], e.n, name, e.node, e.fit(g, name, want)), e.node
		}
		left := ""
		if job := e.holders[0].job; job != nil && job.Progress != nil && job.Progress.Remaining > 0 {
			left = " (about " + age(job.Progress.Remaining) + " left)"
		}
		return fmt.Sprintf("Wait for %s to end%s: it holds %d %s on %s, and %s there then.", e.holders[0].ref, left, e.n, name, e.node, e.fit(g, name, want)), e.node
	}
	return "", ""
}

// fit says how many of the pods have their devices on the node then.
func (e *freedNode) fit(g *placement, name string, want int64) string {
	free := e.n
	for _, r := range g.result.rooms {
		if r.node.Name == e.node {
			free += max(0, r.free[name])
		}
	}
	switch room, all := free/max(1, want), int64(len(g.pods)); {
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

// endingsOn are the best of each node: fewest who must end, then fewest devices.
func (s *jobContext) endingsOn(held []*nodeCapacity, name string, want int64) []freedNode {
	var all []freedNode
	for _, r := range held {
		if e, enough := s.endingOn(r, name, want-r.free[name]); enough {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b freedNode) int {
		return cmp.Or(cmp.Compare(len(a.holders), len(b.holders)), cmp.Compare(a.n, b.n))
	})
	return all[:min(len(all), keptEndings)]
}

// endingOn is the smallest single holder whose devices suffice on a node, or
// else the largest together.
func (s *jobContext) endingOn(r *nodeCapacity, name string, lack int64) (freedNode, bool) {
	e := freedNode{node: r.node.Name}
	all := s.holdersOn(r, name)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].n >= lack {
			e.holders, e.n = all[i:i+1], all[i].n
			return e, true
		}
	}
	for i := 0; i < len(all) && i < maxTogether && e.n < lack; i++ {
		e.holders, e.n = all[:i+1], e.n+all[i].n
	}
	return e, e.n >= lack
}

// holdersOn are those who hold devices of a node, largest first.
func (s *jobContext) holdersOn(r *nodeCapacity, name string) []holder {
	var all []holder
	for _, h := range r.holders {
		n := amountOf(h.devices, name)
		if n == 0 {
			continue
		}
		who := holder{id: h.namespace + "/" + h.pod, ref: train.Ref{Kind: "Pod", Namespace: h.namespace, Name: h.pod}, n: n}
		if job := s.JobOf(kinds.PodKind, h.namespace, h.pod); job != nil {
			who.id, who.ref, who.job = string(job.ID), job.Ref, job
		}
		if i := slices.IndexFunc(all, func(known holder) bool { return known.id == who.id }); i >= 0 {
			all[i].n += n
		} else {
			all = append(all, who)
		}
	}
	slices.SortFunc(all, func(a, b holder) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.id, b.id))
	})
	return all
}
