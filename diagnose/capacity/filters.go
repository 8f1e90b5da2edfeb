package capacity

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/traintop/traintop/termtext"
	corev1 "k8s.io/api/core/v1"
)

// Filter is the first reason that keeps a pod from a node, in the order in
// which a person asks: is it the right kind of node, may the pod run there, is
// the node healthy, is there room.
type Filter uint8

const (
	WrongLabels Filter = iota // selector, affinity or node name
	NoDevice                  // never enough devices, even when empty
	TooSmall                  // never enough of something else
	Tainted                   // an untolerated taint that is no trouble of the node
	Unwell                    // not ready, under pressure
	Cordoned
	NoPort
	DevicesHeld // enough devices, but others hold them
	Crowded     // enough of something else, but others hold it
	Fits
)

// verdict is the result of one node for a pod's requirements.
type verdict struct {
	Hurdle Filter
	// what names the resource, the taint or the port.
	what string
}

// FilterResult is the result of all nodes for a pod's requirements.
type FilterResult struct {
	Shape    *podRequirements
	Nodes    []*NodeCapacity
	Verdicts []verdict // of the nodes
	// left[h] counts the nodes that pass every filter before h.
	left [Fits + 1]int
}

// newFilterResult filters every node. Unchanged nodes keep their earlier
// verdict, and when nothing differs it returns before itself.
func newFilterResult(s *podRequirements, nodes []*NodeCapacity, before *FilterResult) *FilterResult {
	f := &FilterResult{Shape: s, Nodes: nodes, Verdicts: make([]verdict, len(nodes))}
	same := before != nil && len(before.Nodes) == len(nodes)
	for i, r := range nodes {
		if before != nil && i < len(before.Nodes) && before.Nodes[i] == r {
			f.Verdicts[i] = before.Verdicts[i]
		} else {
			f.Verdicts[i] = judge(s, r)
			same = same && before.Nodes[i].Seen.Name == r.Seen.Name && before.Verdicts[i] == f.Verdicts[i] &&
				sameCapacity(s, before.Nodes[i], r)
		}
		for h := WrongLabels; h <= f.Verdicts[i].Hurdle; h++ {
			f.left[h]++
		}
	}
	if same {
		before.Nodes = nodes // holders may have changed, the result has not
		return before
	}
	return f
}

// sameCapacity reports whether two nodes have the same amounts of the required
// resources.
func sameCapacity(s *podRequirements, a, b *NodeCapacity) bool {
	for _, want := range s.requests {
		if a.Free[want.Name] != b.Free[want.Name] || a.Allocatable[want.Name] != b.Allocatable[want.Name] {
			return false
		}
	}
	return true
}

func judge(s *podRequirements, r *NodeCapacity) verdict {
	if matches, err := s.Affinity.Match(r.Node); err != nil || !matches || !r.isNamed(s.pod.Spec.NodeName) {
		return verdict{WrongLabels, ""}
	}
	if v, small := lacks(s, r.Allocatable, NoDevice, TooSmall); small {
		return v
	}
	if v, away := KeptAway(s.pod, r.Node); away {
		return v
	}
	if r.Hidden {
		return verdict{Fits, ""}
	}
	for _, port := range s.Ports {
		if r.Ports[port] != "" {
			return verdict{NoPort, fmt.Sprint(port.Port)}
		}
	}
	if v, full := lacks(s, r.Free, DevicesHeld, Crowded); full {
		return v
	}
	if r.Free["pods"] < 1 && r.Allocatable["pods"] > 0 {
		return verdict{Crowded, "pods"}
	}
	return verdict{Fits, ""}
}

func (r *NodeCapacity) isNamed(name string) bool { return name == "" || name == r.Node.Name }

// lacks returns the resource of which there is too little, devices before all
// others.
func lacks(s *podRequirements, has map[string]int64, device, other Filter) (verdict, bool) {
	for _, want := range s.requests {
		if IsDevice(want.Name) && has[want.Name] < want.N {
			return verdict{device, want.Name}, true
		}
	}
	for _, want := range s.requests {
		if !IsDevice(want.Name) && has[want.Name] < want.N {
			return verdict{other, want.Name}, true
		}
	}
	return verdict{}, false
}

// KeptAway returns the verdict of the node's taints and state. Taints that the
// control plane sets for a node in trouble count as trouble of the node
// (k8s.io/api core/v1 well_known_taints).
func KeptAway(pod *corev1.Pod, node *corev1.Node) (verdict, bool) {
	worst := verdict{Fits, ""}
	note := func(v verdict) {
		if v.Hurdle < worst.Hurdle {
			worst = v
		}
	}
	for i := range node.Spec.Taints {
		t := &node.Spec.Taints[i]
		if t.Effect == corev1.TaintEffectPreferNoSchedule || Tolerates(pod, t) {
			continue
		}
		switch {
		case t.Key == corev1.TaintNodeUnschedulable:
			note(verdict{Cordoned, t.Key})
		case NodesOwn(t.Key):
			note(verdict{Unwell, t.Key})
		default:
			note(verdict{Tainted, t.Key})
		}
	}
	if v, bad := notReady(pod, node); bad {
		note(v)
	}
	if node.Spec.Unschedulable && !Tolerates(pod, &corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}) {
		note(verdict{Cordoned, corev1.TaintNodeUnschedulable})
	}
	return worst, worst.Hurdle != Fits
}

// notReady returns the verdict of a node's own condition where the matching
// taint is missing: dumps are cut, and controllers up to 1.11 set none
// (kubernetes 1.36 pkg/controller/nodelifecycle,
// nodeConditionToTaintKeyStatusMap).
func notReady(pod *corev1.Pod, node *corev1.Node) (verdict, bool) {
	for i := range node.Status.Conditions {
		c := &node.Status.Conditions[i]
		if c.Type != corev1.NodeReady || c.Status == corev1.ConditionTrue {
			continue
		}
		key := corev1.TaintNodeNotReady
		if c.Status == corev1.ConditionUnknown {
			key = corev1.TaintNodeUnreachable
		}
		return verdict{Unwell, key}, !Tolerates(pod, &corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule})
	}
	return verdict{}, false
}

// Decisive returns the filter that stops the pod: that of the nodes that pass
// the most filters. Only nodes of the right kind matter, not the many others.
func (f *FilterResult) Decisive() Filter {
	furthest := WrongLabels
	for _, v := range f.Verdicts {
		furthest = max(furthest, v.Hurdle)
	}
	return furthest
}

// At returns the nodes that a filter stops, with what they lack.
func (f *FilterResult) At(h Filter) (nodes []*NodeCapacity, what []string) {
	seen := map[string]int{}
	for i, v := range f.Verdicts {
		if v.Hurdle == h {
			nodes = append(nodes, f.Nodes[i])
			seen[v.what]++
		}
	}
	what = slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		return cmp.Or(cmp.Compare(seen[b], seen[a]), strings.Compare(a, b))
	})
	return nodes, what
}

// String returns the arithmetic in one sentence: "40 nodes → 12 match the
// selector → 9 tolerated → 2 with 8 free nvidia.com/gpu".
func (f *FilterResult) String() string {
	parts := []string{termtext.Count(len(f.Nodes), "node")}
	last := len(f.Nodes)
	step := func(h Filter, words string) {
		if f.left[h] != last {
			last = f.left[h]
			parts = append(parts, fmt.Sprintf("%d %s", last, words))
		}
	}
	step(NoDevice, "match the selector")
	step(TooSmall, "have "+f.devices()+" at all")
	step(Tainted, "large enough")
	step(Unwell, "tolerated")
	step(Cordoned, "healthy")
	step(NoPort, "not cordoned")
	if f.Hidden() {
		if f.left[NoPort] > 0 {
			parts = append(parts, "who holds their room cannot be seen")
		}
		return strings.Join(trimZeros(parts), " → ")
	}
	step(DevicesHeld, "with free ports")
	step(Crowded, "with "+f.devices()+" free")
	step(Fits, "with room now")
	return strings.Join(trimZeros(parts), " → ")
}

// Hidden reports whether it is unknown who holds the resources of nodes, where
// some would fit the pod if they were empty.
func (f *FilterResult) Hidden() bool { return len(f.Nodes) > 0 && f.Nodes[0].Hidden }

// trimZeros ends the chain at its first zero.
func trimZeros(parts []string) []string {
	for i, part := range parts {
		if strings.HasPrefix(part, "0 ") {
			return parts[:i+1]
		}
	}
	return parts
}

// devices returns the devices that the pod requests: "8 nvidia.com/gpu".
func (f *FilterResult) devices() string {
	var list []string
	for _, want := range f.Shape.requests {
		if IsDevice(want.Name) {
			list = append(list, fmt.Sprintf("%d %s", want.N, want.Name))
		}
	}
	if len(list) == 0 {
		return "enough"
	}
	return strings.Join(list, " and ")
}

func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Together returns how many such pods the nodes have room for at once.
func (f *FilterResult) Together() int {
	sum := int64(0)
	for i, r := range f.Nodes {
		if f.Verdicts[i].Hurdle != Fits {
			continue
		}
		here := max(1, r.Free["pods"])
		for _, want := range f.Shape.requests {
			here = min(here, r.Free[want.Name]/want.N)
		}
		sum += here
	}
	return int(min(sum, 1<<30))
}
