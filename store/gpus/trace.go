package gpus

import (
	"time"

	"github.com/traintop/traintop/train"
)

// singleSourceGPUs are the GPUs of a node that one source reports, each once and
// for one holder, in its order. Later readings of the same GPUs write the same
// history, whatever else is known.
type singleSourceGPUs struct {
	source *source
	ids    []train.GPUID
}

// plainOf returns the plain GPUs of a merged node, nil where it is not plain.
func plainOf(on *nodeState, groups []gpuGroup, metas []Meta) *singleSourceGPUs {
	if len(on.by) != 1 || len(groups) != len(on.by[0].indices) || len(metas) != len(groups) {
		return nil // GPUs linger, expired or have several holders
	}
	plain := &singleSourceGPUs{on.by[0].source, make([]train.GPUID, len(groups))}
	for i := range groups {
		if len(groups[i].readings) != 1 || groups[i].holders != 1 {
			return nil
		}
		plain.ids[i] = metas[i].ID
	}
	return plain
}

// firstBoards returns the GPUs of a node that was not merged yet, nil where
// two may be the same GPU.
func firstBoards(by nodeReadings) *singleSourceGPUs {
	readings := by.source.newest.Readings
	plain := &singleSourceGPUs{by.source, make([]train.GPUID, len(by.indices))}
	for k, i := range by.indices {
		g := &readings[i].GPU
		if !g.HasUUID() || g.Index == "" || g.Share != "" {
			return nil
		}
		for _, other := range by.indices[:k] {
			if o := &readings[other].GPU; o.MIG == g.MIG && (o.UUID == g.UUID || o.Index == g.Index) {
				return nil
			}
		}
		plain.ids[k] = g.ID()
	}
	return plain
}

// mergeTraced merges the nodes of which only history was written, before a
// source reports other GPUs: those that go are remembered with their last
// state.
func (f *Fold) mergeTraced(from *source, now time.Time) {
	for _, name := range from.nodes {
		if on := f.nodes[name]; on != nil && on.traced {
			f.changed[name] = true
			f.merge(name, on, now, false)
		}
	}
}

// trace writes the history of a plain node, and reports whether it is plain.
func (f *Fold) trace(on *nodeState, now time.Time) bool {
	if on.plain == nil && on.merged == nil && len(on.by) == 1 && !f.isSplit(on.by[0].source) {
		on.plain = firstBoards(on.by[0])
	}
	plain := on.plain
	if plain == nil || len(on.by) != 1 || on.by[0].source != plain.source || len(on.by[0].indices) != len(plain.ids) {
		return false
	}
	readings := plain.source.newest.Readings
	for _, i := range on.by[0].indices {
		if hasExpired(plain.source, &readings[i], now) {
			return false
		}
	}
	on.traced = true
	group := gpuGroup{holders: 1}
	group.readings = group.one[:1]
	var state train.GPUState
	var sources [1]train.GPUSource
	state.Sources = sources[:]
	for k, i := range on.by[0].indices {
		r := &readings[i]
		group.one[0] = sourcedReading{r, plain.source}
		state.Values, state.At, state.Events, sources[0] = r.Values, r.At, r.Events, r.Source
		f.write(plain.ids[k], &state, &group)
	}
	return true
}

// write records the current values of a GPU; nodes show them when they are
// merged.
func (f *Fold) write(id train.GPUID, state *train.GPUState, group *gpuGroup) {
	if track := f.trackOf(id); track != nil && f.enter(track, state, group) {
		track.view = nil
	}
}
