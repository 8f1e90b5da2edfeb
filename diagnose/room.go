package diagnose

import (
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// nodeCapacity is what a node offers, and what is left of it.
type nodeCapacity struct {
	node *corev1.Node
	// seen is the node as it was derived from its object and its pods: while
	// it is the same one, so is the room.
	seen *train.Node
	// allocatable and free are amounts by resource, as requestsOf counts them;
	// free may be negative on a node that took more than it has.
	allocatable, free map[string]int64
	ports             map[hostPort]string // pod that holds it
	// holders are the pods that hold devices.
	holders []deviceHolder
	// hidden: pods of other namespaces are out of sight, so what is free and
	// who holds the rest is unknown.
	hidden bool
}

type deviceHolder struct {
	namespace, pod string
	devices        []resourceRequest
}

type hostPort struct {
	port     int32
	protocol corev1.Protocol
}

// clusterCapacity are the rooms of all nodes, and for each shape of a pod what came
// of holding it against them. They are carried from picture to picture.
type clusterCapacity struct {
	*store.Snapshot
	version uint64 // of the picture's nodes
	hidden  bool   // as that of each room
	rooms   []*nodeCapacity
	made    bool
	before  *clusterCapacity
	funnels map[string]*filterResult
	shapes  map[string]*podRequirements
	// endings are who would make room by ending, for each funnel of this
	// picture, the best first.
	endings map[*filterResult][]freedNode
}

// newClusterCapacity begins with what is known from the picture before.
func newClusterCapacity(s *store.Snapshot, before *clusterCapacity) *clusterCapacity {
	n := &clusterCapacity{
		Snapshot: s, version: s.NodesVersion, hidden: s.Partial(kinds.PodKind),
		funnels: map[string]*filterResult{}, shapes: map[string]*podRequirements{}, endings: map[*filterResult][]freedNode{},
	}
	switch {
	case before == nil || before.hidden != n.hidden:
	case before.version == s.NodesVersion:
		n.rooms, n.made, n.funnels, n.shapes = before.rooms, before.made, before.funnels, before.shapes
	default:
		n.before, n.shapes = before, maps.Clone(before.shapes)
	}
	return n
}

// trimmed is what the next picture begins with. Earlier pictures are let go.
func (n *clusterCapacity) trimmed() *clusterCapacity {
	kept := *n
	kept.before, kept.Snapshot, kept.endings = nil, nil, nil
	return &kept
}

// all are the rooms in order of node; they are made when first asked for.
func (n *clusterCapacity) all() []*nodeCapacity {
	if n.made {
		return n.rooms
	}
	n.made = true
	var was []*nodeCapacity
	if n.before != nil {
		was = n.before.rooms
	}
	n.rooms = make([]*nodeCapacity, 0, len(n.Nodes()))
	for _, node := range n.Nodes() {
		for len(was) > 0 && was[0].seen.Name < node.Name {
			was = was[1:]
		}
		if len(was) > 0 && was[0].seen == node {
			n.rooms = append(n.rooms, was[0])
		} else if r := n.newNode(node); r != nil {
			n.rooms = append(n.rooms, r)
		}
	}
	return n.rooms
}

func (n *clusterCapacity) newNode(node *train.Node) *nodeCapacity {
	o, _ := n.Object(kinds.NodeKind, "", node.Name)
	object, is := o.(*corev1.Node)
	if !is {
		return nil
	}
	r := &nodeCapacity{node: object, seen: node, allocatable: map[string]int64{}, hidden: n.hidden}
	for _, a := range addRequests(nil, object.Status.Allocatable) {
		r.allocatable[a.name] = a.n
	}
	r.free = maps.Clone(r.allocatable)
	n.PodsOn(node.Name, func(pod *corev1.Pod) bool {
		r.hold(pod)
		return true
	})
	return r
}

func (r *nodeCapacity) hold(pod *corev1.Pod) {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return
	}
	r.free["pods"]--
	var devices []resourceRequest
	for _, a := range requestsOf(&pod.Spec) {
		r.free[a.name] -= a.n
		if isDevice(a.name) {
			devices = append(devices, a)
		}
	}
	if len(devices) > 0 {
		r.holders = append(r.holders, deviceHolder{pod.Namespace, pod.Name, devices})
	}
	for i := range pod.Spec.Containers {
		for _, port := range pod.Spec.Containers[i].Ports {
			if port.HostPort > 0 {
				if r.ports == nil {
					r.ports = map[hostPort]string{}
				}
				r.ports[hostPort{port.HostPort, port.Protocol}] = pod.Namespace + "/" + pod.Name
			}
		}
	}
}

// unchanged reports whether the nodes have the same for a shape as they had.
func (n *clusterCapacity) unchanged(shape string, verdict *filterResult) bool {
	return n.filterResultFor(shape) == verdict
}

// filterResultFor holds a shape against all nodes. The earlier answer is returned as
// long as it says the same.
func (n *clusterCapacity) filterResultFor(name string) *filterResult {
	if f, made := n.funnels[name]; made {
		return f
	}
	shape := n.shapes[name]
	if shape == nil {
		return nil
	}
	f := newFilterResult(shape, n.all(), n.earlier(name))
	n.funnels[name] = f
	return f
}

// freedNodesFor are who would make room by ending; they are looked for once for
// each funnel.
func (n *clusterCapacity) freedNodesFor(f *filterResult, search func() []freedNode) []freedNode {
	all, known := n.endings[f]
	if !known {
		all = search()
		n.endings[f] = all
	}
	return all
}

func (n *clusterCapacity) earlier(name string) *filterResult {
	if n.before == nil {
		return nil
	}
	return n.before.funnels[name]
}

// filterPod holds a pod against all nodes.
func (n *clusterCapacity) filterPod(pod *corev1.Pod) (string, *filterResult) {
	name := requirementsKey(pod)
	if n.shapes[name] == nil {
		n.shapes[name] = newPodRequirements(pod)
	}
	return name, n.filterResultFor(name)
}
