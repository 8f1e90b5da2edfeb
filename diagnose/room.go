package diagnose

import (
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// room is what a node offers, and what is left of it.
type room struct {
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
	devices        []asked
}

type hostPort struct {
	port     int32
	protocol corev1.Protocol
}

// nodeRooms are the rooms of all nodes, and for each shape of a pod what came
// of holding it against them. They are carried from picture to picture.
type nodeRooms struct {
	*store.Snapshot
	version uint64 // of the picture's nodes
	hidden  bool   // as that of each room
	rooms   []*room
	made    bool
	before  *nodeRooms
	funnels map[string]*funnel
	shapes  map[string]*shape
	// endings are who would make room by ending, for each funnel of this
	// picture, the best first.
	endings map[*funnel][]ending
}

// newNodeRooms begins with what is known from the picture before.
func newNodeRooms(s *store.Snapshot, before *nodeRooms) *nodeRooms {
	n := &nodeRooms{
		Snapshot: s, version: s.NodesVersion, hidden: s.Partial(kinds.PodKind),
		funnels: map[string]*funnel{}, shapes: map[string]*shape{}, endings: map[*funnel][]ending{},
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

// rest is what the next picture begins with. Earlier pictures are let go.
func (n *nodeRooms) rest() *nodeRooms {
	kept := *n
	kept.before, kept.Snapshot, kept.endings = nil, nil, nil
	return &kept
}

// all are the rooms in order of node; they are made when first asked for.
func (n *nodeRooms) all() []*room {
	if n.made {
		return n.rooms
	}
	n.made = true
	var was []*room
	if n.before != nil {
		was = n.before.rooms
	}
	n.rooms = make([]*room, 0, len(n.Nodes()))
	for _, node := range n.Nodes() {
		for len(was) > 0 && was[0].seen.Name < node.Name {
			was = was[1:]
		}
		if len(was) > 0 && was[0].seen == node {
			n.rooms = append(n.rooms, was[0])
		} else if r := n.makeRoom(node); r != nil {
			n.rooms = append(n.rooms, r)
		}
	}
	return n.rooms
}

func (n *nodeRooms) makeRoom(node *train.Node) *room {
	o, _ := n.Object(kinds.NodeKind, "", node.Name)
	object, is := o.(*corev1.Node)
	if !is {
		return nil
	}
	r := &room{node: object, seen: node, allocatable: map[string]int64{}, hidden: n.hidden}
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

func (r *room) hold(pod *corev1.Pod) {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return
	}
	r.free["pods"]--
	var devices []asked
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

// still reports whether the nodes have the same for a shape as they had.
func (n *nodeRooms) still(shape string, verdict *funnel) bool {
	return n.funnel(shape) == verdict
}

// funnel holds a shape against all nodes. The earlier answer is returned as
// long as it says the same.
func (n *nodeRooms) funnel(name string) *funnel {
	if f, made := n.funnels[name]; made {
		return f
	}
	shape := n.shapes[name]
	if shape == nil {
		return nil
	}
	f := newFunnel(shape, n.all(), n.earlier(name))
	n.funnels[name] = f
	return f
}

// endingsOf are who would make room by ending; they are looked for once for
// each funnel.
func (n *nodeRooms) endingsOf(f *funnel, search func() []ending) []ending {
	all, known := n.endings[f]
	if !known {
		all = search()
		n.endings[f] = all
	}
	return all
}

func (n *nodeRooms) earlier(name string) *funnel {
	if n.before == nil {
		return nil
	}
	return n.before.funnels[name]
}

// funnelOf holds a pod against all nodes.
func (n *nodeRooms) funnelOf(pod *corev1.Pod) (string, *funnel) {
	name := shapeName(pod)
	if n.shapes[name] == nil {
		n.shapes[name] = newShape(pod)
	}
	return name, n.funnel(name)
}
