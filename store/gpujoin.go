package store

import (
	"maps"
	"slices"

	"github.com/traintop/traintop/store/gpus"
)

// gpuJoin is what snapshots know of nodes with GPUs beyond what they show.
// Whoever takes a snapshot owns it (Store.deriving).
type gpuJoin struct {
	// measured are the nodes on which something is or was measured.
	measured map[string]*gpus.Node
	// crossNodeHolders are the nodes whose GPUs a pod that is elsewhere is said
	// to hold, by the path of the pod.
	crossNodeHolders map[string]map[string]bool
	// dirty are the nodes to be joined again.
	dirty map[string]bool
	// everything is true once nodes of which only objects tell are joined too.
	everything bool
}

func newGPUJoin() *gpuJoin {
	return &gpuJoin{measured: map[string]*gpus.Node{}, crossNodeHolders: map[string]map[string]bool{}, dirty: map[string]bool{}}
}

// gpusOf brings the GPUs of the snapshot up to date: the nodes that were
// measured, and those on which a change of objects shows.
func (d *derivation) gpusOf(changed *dirtySet) {
	j := d.join
	everything := d.gpus.shared.wanted.Load()
	if len(changed.tables) > 0 && !j.everything {
		d.gpus.list = &gpuList{}
	}
	if len(j.measured) == 0 && len(changed.gpus) == 0 && !everything {
		return
	}
	for name, node := range changed.gpus {
		j.dirty[name] = true
		if node == nil {
			delete(j.measured, name)
		} else {
			j.measured[name] = node
		}
	}
	d.gpuNodesDirty(changed, everything)
	d.crossNodeHoldersDirty(changed)
	d.joinDirty()
}

// joinDirty joins the nodes anew that changed.
func (d *derivation) joinDirty() {
	if len(d.join.dirty) == 0 {
		return
	}
	d.copyGPUs()
	for _, node := range slices.Sorted(maps.Keys(d.join.dirty)) {
		d.joinNode(node)
	}
	clear(d.join.dirty)
}

// copyGPUs makes the tables of GPUs the snapshot's own, which are about to change.
func (d *derivation) copyGPUs() {
	if d.gpusCopied {
		return
	}
	d.gpusCopied = true
	d.gpus.nodes, d.gpus.at, d.gpus.jobs = *d.gpus.nodes.Copy(), *d.gpus.at.Copy(), *d.gpus.jobs.Copy()
	d.gpus.list = &gpuList{complete: d.join.everything}
	d.GPUsVersion++
}
