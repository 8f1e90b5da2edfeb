package store

import (
	"maps"
	"slices"

	"github.com/traintop/traintop/store/gpus"
)

// gpuJoin holds state of nodes with GPUs that snapshots do not show. The
// goroutine that takes a snapshot owns it (Store.deriving).
type gpuJoin struct {
	// measured are the nodes with readings now or earlier.
	measured map[string]*gpus.Node
	// crossNodeHolders are the nodes whose GPUs a pod on another node is
	// reported to hold, by the path of the pod.
	crossNodeHolders map[string]map[string]bool
	// dirty are the nodes to join again.
	dirty map[string]bool
	// everything is true once nodes known only from objects are joined too.
	everything bool
}

func newGPUJoin() *gpuJoin {
	return &gpuJoin{measured: map[string]*gpus.Node{}, crossNodeHolders: map[string]map[string]bool{}, dirty: map[string]bool{}}
}

// gpusOf updates the GPUs of the snapshot: on the nodes with new readings, and
// on those that a change of objects affects.
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

// joinDirty joins the changed nodes again.
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

// copyGPUs copies the GPU tables for the snapshot before they change.
func (d *derivation) copyGPUs() {
	if d.gpusCopied {
		return
	}
	d.gpusCopied = true
	d.gpus.nodes, d.gpus.at, d.gpus.jobs = copyTree(d.gpus.nodes), copyTree(d.gpus.at), copyTree(d.gpus.jobs)
	d.gpus.list = &gpuList{complete: d.join.everything}
	d.GPUsVersion++
}
