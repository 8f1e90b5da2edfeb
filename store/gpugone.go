package store

import (
	"slices"
	"time"

	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
)

// asState is the board as it was last, to be given to pods again.
func (g *goneGPU) asState() train.GPUState {
	state := g.state
	state.Job, state.Rank, state.Free = nil, -1, false
	return state
}

// maxGone bounds the boards kept in mind of a node that are no longer there.
const maxGone = 32

// findGone compares a node with what it was. A board of a source that measures
// again and again, which nobody tells of any more, is kept in mind; those that
// are to be shown as they were last are returned.
func (d *derivation) findGone(on *gpuNodeJoin, before *nodeGPUs, readings []heard) (lingering []goneGPU) {
	now, old := telling(readings), d.Now.Add(-history.Span)
	gone := make([]goneGPU, 0, len(on.gone))
	for _, one := range on.gone {
		if !now.have(&one.state.GPU) && !one.state.At.Before(old) {
			gone = append(gone, one)
		}
	}
	if before != nil {
		gone = before.appendGone(gone, now)
	}
	gone = gone[max(0, len(gone)-maxGone):]
	for i := range gone {
		one := &gone[i]
		newest := now.newest[one.state.Sources[0]]
		one.missing = newest.Sub(one.state.At) > train.StaleAfter*one.state.Every
		if !newest.IsZero() && !one.missing {
			lingering = append(lingering, *one)
		}
	}
	on.gone = gone
	return lingering
}

// appendGone adds the boards that were measured again and again, and that are
// no longer told of.
func (n *nodeGPUs) appendGone(gone []goneGPU, now tellings) []goneGPU {
	for i := range n.states {
		if len(gone) >= 2*maxGone {
			break
		}
		state, beside := &n.states[i], &n.beside[i]
		known := slices.ContainsFunc(gone, func(g goneGPU) bool { return g.id == beside.id })
		if beside.past != nil && state.Every > 0 && !known && !now.have(&state.GPU) {
			gone = append(gone, goneGPU{id: beside.id, state: *state, past: beside.past})
		}
	}
	return gone
}

// tellings are the boards that a node is told to have.
type tellings struct {
	uuids, indices map[string]bool
	// newest is the newest reading of a kind of source or one trusted more,
	// among those that measure again and again.
	newest [train.FromTool + 1]time.Time
}

func telling(readings []heard) tellings {
	t := tellings{uuids: make(map[string]bool, len(readings)), indices: map[string]bool{}}
	for _, r := range readings {
		if r.GPU.HasUUID() {
			t.uuids[r.GPU.UUID] = true
		} else {
			t.indices[r.GPU.Index] = true
		}
		for kind := r.Source; r.by.word.Every > 0 && kind <= train.FromTool; kind++ {
			if r.At.After(t.newest[kind]) {
				t.newest[kind] = r.At
			}
		}
	}
	return t
}

// have reports whether a board is among them.
func (t tellings) have(g *train.GPU) bool {
	return g.HasUUID() && t.uuids[g.UUID] || t.indices[g.Index]
}
