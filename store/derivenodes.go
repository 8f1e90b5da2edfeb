package store

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// nodesOf derives the nodes that changed or whose pods changed.
func (d *derivation) nodesOf(changed dirtySet) {
	if len(changed.nodes) == 0 {
		return
	}
	d.NodesVersion++
	d.nodes = copyTree(d.before.nodes)
	for name := range changed.nodes {
		old, _ := mapOf(d.nodes).Get(name)
		fresh := d.node(name)
		d.totals = minus(d.totals, old)
		d.totals = plus(d.totals, fresh)
		if fresh == nil {
			mapOf(d.nodes).Delete(name)
		} else {
			mapOf(d.nodes).Set(name, fresh)
		}
		if old == nil || fresh == nil || old.Ready != fresh.Ready {
			d.PodsOn(name, func(pod *corev1.Pod) bool {
				d.dirtyTopOf(path(kinds.PodKind, keyOf(pod.Namespace, pod.Name)))
				return true
			})
		}
	}
	d.nodeList = mapOf(d.nodes).Values()
}

func (d *derivation) node(name string) *train.Node {
	o, _ := d.Object(kinds.NodeKind, "", name)
	object, isNode := o.(*corev1.Node)
	if !isNode {
		return nil
	}
	var pods []*corev1.Pod
	d.PodsOn(name, func(pod *corev1.Pod) bool {
		pods = append(pods, pod)
		return true
	})
	return kinds.Node(object, pods)
}

func plus(t train.GPUTotals, n *train.Node) train.GPUTotals { return added(t, n, 1) }

func minus(t train.GPUTotals, n *train.Node) train.GPUTotals { return added(t, n, -1) }

// added adds a node some times.
func added(t train.GPUTotals, n *train.Node, times int) train.GPUTotals {
	if n == nil || n.Capacity == 0 && n.All() == 0 {
		return t
	}
	return train.GPUTotals{
		Nodes: t.Nodes + times, All: t.All + times*n.All(), Held: t.Held + times*n.Held,
		Slices: t.Slices + times*n.Slices.All(), HeldSlices: t.HeldSlices + times*n.Slices.Held,
	}
}
