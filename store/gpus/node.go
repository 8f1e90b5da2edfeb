package gpus

import (
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// Node holds the merged GPUs of a node. It never changes.
type Node struct {
	// Measured is true when a source reports one of them now.
	Measured bool
	// States are the GPUs that sources report, and GPUs that are missing for
	// so short a time that they are shown with their last state. ByState holds
	// what belongs to each.
	States  []train.GPUState
	ByState []Meta
	Gone    []Gone
}

// Meta holds what is known besides the state of a GPU.
type Meta struct {
	ID   train.GPUID
	Past *Past
	// Lingers is true for a GPU that is shown with its last state.
	Lingers bool
}

// Gone is a GPU that was measured on a node and is no longer.
type Gone struct {
	ID    train.GPUID
	State train.GPUState
	Past  *Past
	// Missing is true when sources still reported others on the node.
	Missing bool
}

// has reports whether the history of a GPU is kept with the node.
func (n *Node) has(id train.GPUID) bool {
	return slices.ContainsFunc(n.ByState, func(m Meta) bool { return m.ID == id }) ||
		slices.ContainsFunc(n.Gone, func(g Gone) bool { return g.ID == id })
}

// merge merges the readings of a node into GPUs. write means that history is
// written too, which trace has not done.
func (f *Fold) merge(name string, on *nodeState, now time.Time, write bool) {
	before := on.merged
	readings := f.live(on, now)
	groups := groupReadings(name, readings)
	node := &Node{Measured: len(readings) > 0, States: make([]train.GPUState, 0, len(groups)+1)}
	for i := range groups {
		node.States = groups[i].states(name, node.States)
	}
	lingering := on.findGone(before, readings, now)
	for i := range lingering {
		node.States = append(node.States, lingering[i].State)
	}
	node.ByState = f.metas(name, groups, node.States, lingering, write)
	node.Gone = on.gone // rebuilt each time
	on.plain, on.merged, on.traced = plainOf(on, groups, node.ByState), node, false
	f.release(name, before, node)
	if len(on.by) == 0 && len(on.gone) == 0 {
		delete(f.nodes, name)
	}
}

// live returns the readings on a node that have not expired.
func (f *Fold) live(on *nodeState, now time.Time) []sourcedReading {
	count := 0
	for i := range on.by {
		count += len(on.by[i].indices)
	}
	all := make([]sourcedReading, 0, count)
	for _, by := range on.by {
		for _, i := range by.indices {
			r := &by.source.newest.Readings[i]
			if hasExpired(by.source, r, now) {
				continue
			}
			if len(f.homes) > 0 && f.homes[r.GPU.UUID].repeats {
				marked := *r
				marked.GPU.UUIDRepeats, r = true, &marked
			}
			all = append(all, sourcedReading{r, by.source})
		}
	}
	return all
}

// metas writes the history of groups of readings, and returns what is known
// besides the states that they yielded and those of GPUs that linger.
func (f *Fold) metas(node string, groups []gpuGroup, states []train.GPUState, lingering []Gone, write bool) []Meta {
	metas := make([]Meta, len(states))
	for g := range groups {
		group := &groups[g]
		var written map[train.GPUID]bool // pods that share a GPU without a number have one history
		if group.holders > 1 {
			written = make(map[train.GPUID]bool, group.holders)
		}
		for i := group.first; i < group.first+group.holders; i++ {
			id := states[i].GPU.ID()
			metas[i] = Meta{ID: id, Past: f.record(node, id, &states[i], group, write && !written[id])}
			if written != nil {
				written[id] = true
			}
		}
	}
	for i := range lingering {
		if track := f.tracks[lingering[i].ID]; track != nil {
			track.node = node
		}
		metas[len(states)-len(lingering)+i] = Meta{ID: lingering[i].ID, Past: lingering[i].Past, Lingers: true}
	}
	return metas
}

// release drops the histories of GPUs that a node neither has nor misses any
// more.
func (f *Fold) release(name string, before, now *Node) {
	if before == nil {
		return
	}
	release := func(id train.GPUID) {
		if track := f.tracks[id]; track != nil && track.node == name && track.shown && !now.has(id) {
			track.shown = false
		}
	}
	for i := range before.ByState {
		if i >= len(now.ByState) || now.ByState[i].ID != before.ByState[i].ID {
			release(before.ByState[i].ID)
		}
	}
	for i := range before.Gone {
		release(before.Gone[i].ID)
	}
}
