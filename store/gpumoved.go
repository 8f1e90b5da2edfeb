package store

import (
	"github.com/traintop/traintop/sources/kinds"
)

// placeAgain finds the nodes anew of readings that name no node, when pods or
// nodes came or went that they may mean.
func (d *derivation) placeAgain(changed *touched) {
	moved := d.movedNames(changed)
	if len(moved) == 0 {
		return
	}
	for _, source := range d.join.inOrder() {
		if source.means(moved) {
			d.placeSource(source, d.join.unclaim(source))
		}
	}
}

// means reports whether a source may mean one of these nodes and pods.
func (source *gpuSource) means(moved map[string]bool) bool {
	for _, node := range source.nodes {
		if moved[node] {
			return true
		}
	}
	for name := range source.names {
		if moved[name] {
			return true
		}
	}
	return false
}

// movedNames are the nodes that came or went, and the pods that are on
// another node than before.
func (d *derivation) movedNames(changed *touched) map[string]bool {
	moved := map[string]bool{}
	for name := range changed.nodes {
		if (d.before.Node(name) == nil) != (d.Node(name) == nil) {
			moved[name] = true
		}
	}
	for at, object := range changed.objects {
		if object.kind != kinds.PodKind {
			continue
		}
		_, namespace, name := splitPath(at)
		if d.before.boundTo(namespace, name) != d.boundTo(namespace, name) {
			moved[name] = true
		}
	}
	return moved
}

// boundTo is the node of a pod, "" when there is no such pod or it has none.
func (s *Snapshot) boundTo(namespace, name string) string {
	if pod := s.Pod(namespace, name); pod != nil {
		return pod.Spec.NodeName
	}
	return ""
}
