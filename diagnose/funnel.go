package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/traintop/traintop/termtext"
	corev1 "k8s.io/api/core/v1"
)

// filter is the first thing that keeps a pod from a node, in the order in
// which a person asks: is it the right kind of node, may the pod go there, is
// the node well, is there room.
type filter uint8

const (
	wrongLabels filter = iota // selector, affinity or node name
	noDevice                  // never enough devices, however empty
	tooSmall                  // never enough of something else
	tainted                   // a taint that is nobody's trouble but the pod's
	unwell                    // not ready, under pressure
	cordoned
	noPort
	devicesHeld // enough devices, but others hold them
	crowded     // enough of something else, but others hold it
	fits
)

// verdict is what one node says to a shape.
type verdict struct {
	hurdle filter
	// what names the resource, the taint or the port.
	what string
}

// filterResult is what all nodes say to a shape.
type filterResult struct {
	shape    *podRequirements
	rooms    []*nodeCapacity
	verdicts []verdict // of the rooms
	// left[h] counts the nodes that pass every hurdle before h.
	left [fits + 1]int
}

// newFilterResult judges every node; nodes that are as they were keep the verdict
// of before, and when nothing differs it is before that is returned.
func newFilterResult(s *podRequirements, rooms []*nodeCapacity, before *filterResult) *filterResult {
	f := &filterResult{shape: s, rooms: rooms, verdicts: make([]verdict, len(rooms))}
	same := before != nil && len(before.rooms) == len(rooms)
	for i, r := range rooms {
		if before != nil && i < len(before.rooms) && before.rooms[i] == r {
			f.verdicts[i] = before.verdicts[i]
		} else {
			f.verdicts[i] = judge(s, r)
			same = same && before.rooms[i].seen.Name == r.seen.Name && before.verdicts[i] == f.verdicts[i] &&
				sameCapacity(s, before.rooms[i], r)
		}
		for h := wrongLabels; h <= f.verdicts[i].hurdle; h++ {
			f.left[h]++
		}
	}
	if same {
		before.rooms = rooms // who holds what may have changed, the answer has not
		return before
	}
	return f
}

// sameCapacity reports whether the amounts that a shape asks for are the same in
// two rooms.
func sameCapacity(s *podRequirements, a, b *nodeCapacity) bool {
	for _, want := range s.requests {
		if a.free[want.name] != b.free[want.name] || a.allocatable[want.name] != b.allocatable[want.name] {
			return false
		}
	}
	return true
}

func judge(s *podRequirements, r *nodeCapacity) verdict {
	if matches, err := s.affinity.Match(r.node); err != nil || !matches || !r.isNamed(s.pod.Spec.NodeName) {
		return verdict{wrongLabels, ""}
	}
	if v, small := lacks(s, r.allocatable, noDevice, tooSmall); small {
		return v
	}
	if v, away := keptAway(s.pod, r.node); away {
		return v
	}
	if r.hidden {
		return verdict{fits, ""}
	}
	for _, port := range s.ports {
		if r.ports[port] != "" {
			return verdict{noPort, fmt.Sprint(port.port)}
		}
	}
	if v, full := lacks(s, r.free, devicesHeld, crowded); full {
		return v
	}
	if r.free["pods"] < 1 && r.allocatable["pods"] > 0 {
		return verdict{crowded, "pods"}
	}
	return verdict{fits, ""}
}

func (r *nodeCapacity) isNamed(name string) bool { return name == "" || name == r.node.Name }

// lacks is the resource of which there is too little, devices before all others.
func lacks(s *podRequirements, has map[string]int64, device, other filter) (verdict, bool) {
	for _, want := range s.requests {
		if isDevice(want.name) && has[want.name] < want.n {
			return verdict{device, want.name}, true
		}
	}
	for _, want := range s.requests {
		if !isDevice(want.name) && has[want.name] < want.n {
			return verdict{other, want.name}, true
		}
	}
	return verdict{}, false
}

// keptAway is what the node's taints and its own state say. Taints that the
// control plane sets for a node in trouble are trouble of the node
// (k8s.io/api core/v1 well_known_taints).
func keptAway(pod *corev1.Pod, node *corev1.Node) (verdict, bool) {
	worst := verdict{fits, ""}
	note := func(v verdict) {
		if v.hurdle < worst.hurdle {
			worst = v
		}
	}
	for i := range node.Spec.Taints {
		t := &node.Spec.Taints[i]
		if t.Effect == corev1.TaintEffectPreferNoSchedule || tolerates(pod, t) {
			continue
		}
		switch {
		case t.Key == corev1.TaintNodeUnschedulable:
			note(verdict{cordoned, t.Key})
		case nodesOwn(t.Key):
			note(verdict{unwell, t.Key})
		default:
			note(verdict{tainted, t.Key})
		}
	}
	if v, bad := notReady(pod, node); bad {
		note(v)
	}
	if node.Spec.Unschedulable && !tolerates(pod, &corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}) {
		note(verdict{cordoned, corev1.TaintNodeUnschedulable})
	}
	return worst, worst.hurdle != fits
}

// notReady is what a node's own condition says where the taint that goes with
// it is missing: dumps are cut, and controllers up to 1.11 set none
// (kubernetes 1.36 pkg/controller/nodelifecycle, nodeConditionToTaintKeyStatusMap).
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
		return verdict{unwell, key}, !tolerates(pod, &corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule})
	}
	return verdict{}, false
}

// decisive is the hurdle that stops the pod: that of the nodes that come
// furthest. The nodes that are the right kind matter, not the many that never were.
func (f *filterResult) decisive() filter {
	furthest := wrongLabels
	for _, v := range f.verdicts {
		furthest = max(furthest, v.hurdle)
	}
	return furthest
}

// at are the rooms that a hurdle stops, with what they lack.
func (f *filterResult) at(h filter) (rooms []*nodeCapacity, what []string) {
	seen := map[string]int{}
	for i, v := range f.verdicts {
		if v.hurdle == h {
			rooms = append(rooms, f.rooms[i])
			seen[v.what]++
		}
	}
	what = slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		return cmp.Or(cmp.Compare(seen[b], seen[a]), strings.Compare(a, b))
	})
	return rooms, what
}

// String is the arithmetic in one sentence: "40 nodes → 12 match the selector
// → 9 tolerated → 2 with 8 free nvidia.com/gpu".
func (f *filterResult) String() string {
	parts := []string{termtext.Count(len(f.rooms), "node")}
	last := len(f.rooms)
	step := func(h filter, words string) {
		if f.left[h] != last {
			last = f.left[h]
			parts = append(parts, fmt.Sprintf("%d %s", last, words))
		}
	}
	step(noDevice, "match the selector")
	step(tooSmall, "have "+f.devices()+" at all")
	step(tainted, "large enough")
	step(unwell, "tolerated")
	step(cordoned, "healthy")
	step(noPort, "not cordoned")
	if f.hidden() {
		if f.left[noPort] > 0 {
			parts = append(parts, "who holds their room cannot be seen")
		}
		return strings.Join(trimZeros(parts), " → ")
	}
	step(devicesHeld, "with free ports")
	step(crowded, "with "+f.devices()+" free")
	step(fits, "with room now")
	return strings.Join(trimZeros(parts), " → ")
}

// hidden reports that it is unknown who holds the room of nodes: those that
// could take the pod if they were empty fit.
func (f *filterResult) hidden() bool { return len(f.rooms) > 0 && f.rooms[0].hidden }

// trimZeros ends the chain at its first zero.
func trimZeros(parts []string) []string {
	for i, part := range parts {
		if strings.HasPrefix(part, "0 ") {
			return parts[:i+1]
		}
	}
	return parts
}

// devices are the devices that the pod asks for: "8 nvidia.com/gpu".
func (f *filterResult) devices() string {
	var list []string
	for _, want := range f.shape.requests {
		if isDevice(want.name) {
			list = append(list, fmt.Sprintf("%d %s", want.n, want.name))
		}
	}
	if len(list) == 0 {
		return "enough"
	}
	return strings.Join(list, " and ")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// together is how many pods of the shape the nodes have room for at once.
func (f *filterResult) together() int {
	sum := int64(0)
	for i, r := range f.rooms {
		if f.verdicts[i].hurdle != fits {
			continue
		}
		here := max(1, r.free["pods"])
		for _, want := range f.shape.requests {
			here = min(here, r.free[want.name]/want.n)
		}
		sum += here
	}
	return int(min(sum, 1<<30))
}
