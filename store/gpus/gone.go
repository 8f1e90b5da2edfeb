package gpus

import (
	"cmp"
	"slices"
	"time"

	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
)

// maxGone bounds the GPUs remembered of a node that are no longer there.
const maxGone = 32

// findGone compares a node with its previous merge. It remembers a GPU of a
// source that measures repeatedly once no source reports it any more, and
// returns those to show with their last state.
func (on *nodeState) findGone(before *Node, readings []sourcedReading, at time.Time) (lingering []Gone) {
	now, old := boardsOf(readings), at.Add(-history.Span)
	gone := make([]Gone, 0, len(on.gone))
	for _, one := range on.gone {
		if !now.have(&one.State.GPU) && !one.State.At.Before(old) {
			gone = append(gone, one)
		}
	}
	if before != nil {
		gone = before.appendGone(gone, now)
	}
	gone = gone[max(0, len(gone)-maxGone):]
	for i := range gone {
		one := &gone[i]
		newest := now.newest[one.State.Sources[0]]
		one.Missing = newest.Sub(one.State.At) > train.StaleAfter*one.State.Every
		if !newest.IsZero() && !one.Missing {
			lingering = append(lingering, *one)
		}
	}
	on.gone = gone
	return lingering
}

// appendGone adds the GPUs that were measured repeatedly and are no longer
// reported.
func (n *Node) appendGone(gone []Gone, now reportedGPUs) []Gone {
	var went []int
	for i := range n.States {
		if state := &n.States[i]; state.Every > 0 && !now.have(&state.GPU) {
			went = append(went, i)
		}
	}
	slices.SortStableFunc(went, func(a, b int) int { return ByIndex(&n.States[a], &n.States[b]) })
	for _, i := range went {
		if len(gone) >= 2*maxGone {
			break
		}
		meta := &n.ByState[i]
		if !slices.ContainsFunc(gone, func(g Gone) bool { return g.ID == meta.ID }) {
			gone = append(gone, Gone{ID: meta.ID, State: n.States[i], Past: meta.Past})
		}
	}
	return gone
}

// ByIndex orders the GPUs of a node by number, slice and holder.
func ByIndex(a, b *train.GPUState) int {
	return cmp.Or(
		cmp.Compare(len(a.GPU.Index), len(b.GPU.Index)), cmp.Compare(a.GPU.Index, b.GPU.Index), // numbers by size
		cmp.Compare(len(a.GPU.MIG.Instance), len(b.GPU.MIG.Instance)), cmp.Compare(a.GPU.MIG.Instance, b.GPU.MIG.Instance),
		cmp.Compare(a.GPU.UUID, b.GPU.UUID), cmp.Compare(a.GPU.Share, b.GPU.Share),
		cmp.Compare(a.GPU.Namespace, b.GPU.Namespace), cmp.Compare(a.GPU.Pod, b.GPU.Pod), cmp.Compare(a.GPU.Container, b.GPU.Container),
	)
}

// reportedGPUs are the GPUs that sources report on a node.
type reportedGPUs struct {
	uuids, indices map[string]bool
	// newest is the newest reading of this kind of source or a more trusted
	// one, among sources that measure repeatedly.
	newest [train.FromTool + 1]time.Time
}

func boardsOf(readings []sourcedReading) reportedGPUs {
	t := reportedGPUs{uuids: make(map[string]bool, len(readings)), indices: map[string]bool{}}
	for _, r := range readings {
		if r.GPU.HasUUID() {
			t.uuids[r.GPU.UUID] = true
		} else {
			t.indices[r.GPU.Index] = true
		}
		for kind := r.Source; r.by.newest.Every > 0 && kind <= train.FromTool; kind++ {
			if r.At.After(t.newest[kind]) {
				t.newest[kind] = r.At
			}
		}
	}
	return t
}

// have reports whether a GPU is among them.
func (t reportedGPUs) have(g *train.GPU) bool {
	return g.HasUUID() && t.uuids[g.UUID] || t.indices[g.Index]
}
