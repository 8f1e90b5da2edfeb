package capacity

import (
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// NodeCapacity is what a node offers, and what is left of it.
type NodeCapacity struct {
	Node *corev1.Node
	// Seen is the node as derived from its object and pods: while it is the
	// same, the capacity is too.
	Seen *train.Node
	// Allocatable and free are amounts by resource, as RequestsOf counts them;
	// free may be negative on a node that took more than it has.
	Allocatable, Free map[string]int64
	Ports             map[hostPort]string // pod that holds it
	// Holders are the pods that hold devices.
	Holders []deviceHolder
	// Hidden is true when pods of other namespaces are not observed, so that
	// it is unknown what is free and who holds the rest.
	Hidden bool
}

type deviceHolder struct {
	Namespace, Pod string
	Devices        []ResourceRequest
}

type hostPort struct {
	Port     int32
	protocol corev1.Protocol
}

// ClusterCapacity holds the capacities of all nodes, and the filter results
// for each set of requirements. It is carried from snapshot to snapshot.
type ClusterCapacity struct {
	*store.Snapshot
	version      uint64 // of the snapshot's nodes
	hidden       bool   // as that of each node
	nodes        []*NodeCapacity
	made         bool
	before       *ClusterCapacity
	results      map[string]*FilterResult
	requirements map[string]*podRequirements
	// freed lists who would make room by ending, for each filter result of
	// this snapshot, the best first.
	freed map[*FilterResult][]FreedNode
}

// NewClusterCapacity starts from the capacity of the previous snapshot.
func NewClusterCapacity(s *store.Snapshot, before *ClusterCapacity) *ClusterCapacity {
	n := &ClusterCapacity{
		Snapshot: s, version: s.NodesVersion, hidden: s.Partial(kinds.PodKind),
		results: map[string]*FilterResult{}, requirements: map[string]*podRequirements{}, freed: map[*FilterResult][]FreedNode{},
	}
	switch {
	case before == nil || before.hidden != n.hidden:
	case before.version == s.NodesVersion:
		n.nodes, n.made, n.results, n.requirements = before.nodes, before.made, before.results, before.requirements
	default:
		n.before, n.requirements = before, maps.Clone(before.requirements)
	}
	return n
}

// Trimmed returns what the next snapshot starts from. It keeps no earlier
// snapshot alive.
func (n *ClusterCapacity) Trimmed() *ClusterCapacity {
	kept := *n
	kept.before, kept.Snapshot, kept.freed = nil, nil, nil
	return &kept
}

// All returns the nodes in order of name; they are built on first request.
func (n *ClusterCapacity) All() []*NodeCapacity {
	if n.made {
		return n.nodes
	}
	n.made = true
	var was []*NodeCapacity
	if n.before != nil {
		was = n.before.nodes
	}
	n.nodes = make([]*NodeCapacity, 0, len(n.Nodes()))
	for _, node := range n.Nodes() {
		for len(was) > 0 && was[0].Seen.Name < node.Name {
			was = was[1:]
		}
		if len(was) > 0 && was[0].Seen == node {
			n.nodes = append(n.nodes, was[0])
		} else if r := n.newNode(node); r != nil {
			n.nodes = append(n.nodes, r)
		}
	}
	return n.nodes
}

func (n *ClusterCapacity) newNode(node *train.Node) *NodeCapacity {
	o, _ := n.Object(kinds.NodeKind, "", node.Name)
	object, is := o.(*corev1.Node)
	if !is {
		return nil
	}
	r := &NodeCapacity{Node: object, Seen: node, Allocatable: map[string]int64{}, Hidden: n.hidden}
	for _, a := range amountsOf(object.Status.Allocatable) {
		r.Allocatable[a.Name] = a.N
	}
	r.Free = maps.Clone(r.Allocatable)
	n.PodsOn(node.Name, func(pod *corev1.Pod) bool {
		r.hold(pod)
		return true
	})
	return r
}

func (r *NodeCapacity) hold(pod *corev1.Pod) {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return
	}
	r.Free["pods"]--
	var devices []ResourceRequest
	for _, a := range RequestsOf(&pod.Spec) {
		r.Free[a.Name] -= a.N
		if IsDevice(a.Name) {
			devices = append(devices, a)
		}
	}
	if len(devices) > 0 {
		r.Holders = append(r.Holders, deviceHolder{pod.Namespace, pod.Name, devices})
	}
	for i := range pod.Spec.Containers {
		for _, port := range pod.Spec.Containers[i].Ports {
			if port.HostPort > 0 {
				if r.Ports == nil {
					r.Ports = map[hostPort]string{}
				}
				r.Ports[hostPort{port.HostPort, port.Protocol}] = pod.Namespace + "/" + pod.Name
			}
		}
	}
}

// Unchanged reports whether the filter result for these requirements is still
// the same.
func (n *ClusterCapacity) Unchanged(requirements string, verdict *FilterResult) bool {
	return n.filterResultFor(requirements) == verdict
}

// filterResultFor filters all nodes for these requirements. It returns the
// earlier result as long as it is the same.
func (n *ClusterCapacity) filterResultFor(name string) *FilterResult {
	if f, made := n.results[name]; made {
		return f
	}
	requirements := n.requirements[name]
	if requirements == nil {
		return nil
	}
	f := newFilterResult(requirements, n.All(), n.earlier(name))
	n.results[name] = f
	return f
}

// FreedNodesFor returns who would make room by ending; it searches once for
// each filter result.
func (n *ClusterCapacity) FreedNodesFor(f *FilterResult, search func() []FreedNode) []FreedNode {
	all, known := n.freed[f]
	if !known {
		all = search()
		n.freed[f] = all
	}
	return all
}

func (n *ClusterCapacity) earlier(name string) *FilterResult {
	if n.before == nil {
		return nil
	}
	return n.before.results[name]
}

// FilterPod filters all nodes for a pod.
func (n *ClusterCapacity) FilterPod(pod *corev1.Pod) (string, *FilterResult) {
	name := RequirementsKey(pod)
	if n.requirements[name] == nil {
		n.requirements[name] = NewPodRequirements(pod)
	}
	return name, n.filterResultFor(name)
}
