package changes

import (
	"fmt"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// cordon prevents new pods on a node.
func (p *planner) cordon(ref train.Ref) Target {
	node, why := p.node(ref)
	switch {
	case why != "":
		return refused(ref, "%s", why)
	case node.Cordoned:
		return refused(ref, "%s is cordoned already", named(ref))
	}
	pods, jobs := p.podsOn(ref.Name)
	t := p.setUnschedulable(ref, true)
	t.Consequences = []string{"no new pods come to " + named(ref) + ", except those of daemon sets" + freeOf(node)}
	if pods > 0 {
		t.Consequences = append(t.Consequences, fmt.Sprintf("its %s stay%s and run on", termtext.Count(pods, "pod"), ofJobs(jobs)))
	}
	if len(jobs) > 0 {
		p.warn("a rank of these jobs that is restarted has to find room on another node")
	}
	return t
}

// uncordon allows new pods again.
func (p *planner) uncordon(ref train.Ref) Target {
	node, why := p.node(ref)
	switch {
	case why != "":
		return refused(ref, "%s", why)
	case !node.Cordoned:
		return refused(ref, "%s is not cordoned", named(ref))
	}
	if node.Trouble != "" {
		p.warn("%s is not well: %s", named(ref), safe(node.Trouble))
	}
	t := p.setUnschedulable(ref, false)
	t.Consequences = []string{"pods may come to " + named(ref) + " again" + freeOf(node)}
	return t
}

func (p *planner) node(ref train.Ref) (*train.Node, string) {
	if kindOf(ref) != kinds.NodeKind {
		return nil, named(ref) + " is no node"
	}
	node := p.Node(ref.Name)
	if node == nil {
		return nil, named(ref) + " is gone, or cannot be read"
	}
	return node, ""
}

func freeOf(node *train.Node) string {
	if node.GPUResource == "" {
		return ""
	}
	return fmt.Sprintf("; %d of its %s are free", node.Free(), termtext.GPUs(node.Allocatable, node.Slices.Allocatable))
}

func (p *planner) setUnschedulable(ref train.Ref, cordoned bool) Target {
	ref = p.withUID(ref)
	return Target{
		Ref:      ref,
		Requests: []actions.Request{setFlag(ref, []string{"spec", "unschedulable"}, cordoned)},
		Done:     marked(ref.Name, cordoned),
	}
}
