package store

import (
	"maps"
	"slices"

	"github.com/traintop/traintop/train"
)

// plainBoards are the boards of a node of which one source tells, each once
// and for one holder, in its order: what it says of the same boards later
// leaves the same trace in the past, whoever holds them.
type plainBoards struct {
	source *gpuSource
	ids    []train.GPUID
}

// plainOf are the boards of a node that was joined, nil where it is not plain.
func plainOf(on *gpuNodeJoin, groups []gpuGroup, beside []gpuBeside) *plainBoards {
	if len(on.by) != 1 || len(groups) != len(on.by[0].indices) || len(beside) != len(groups) {
		return nil // boards linger, expired or have several holders
	}
	plain := &plainBoards{on.by[0].source, make([]train.GPUID, len(groups))}
	for i := range groups {
		if len(groups[i].readings) != 1 || groups[i].holders != 1 {
			return nil
		}
		plain.ids[i] = beside[i].id
	}
	return plain
}

// firstBoards are the boards of a node that was not joined yet, nil where some
// may be the same one.
func firstBoards(by nodeReadings) *plainBoards {
	readings := by.source.word.Readings
	plain := &plainBoards{by.source, make([]train.GPUID, len(by.indices))}
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

// trace writes the words that were heard down where another one of the same
// source follows before the picture is made: nodes on which only numbers
// changed leave that trace and stay dirty, others are joined.
func (d *derivation) trace() {
	j := d.join
	for _, node := range slices.Sorted(maps.Keys(j.dirty)) {
		if on := j.nodes[node]; on == nil || !j.tracePlain(on, d) {
			d.copyGPUs()
			d.joinNode(node)
			delete(j.dirty, node)
		}
	}
}

// joinTraced joins the nodes that were left dirty, before a source tells of
// other boards: those that go are kept in mind as they were last.
func (d *derivation) joinTraced(source *gpuSource) {
	for _, node := range source.nodes {
		if d.join.nodes[node].traced {
			d.copyGPUs()
			d.joinNode(node)
		}
	}
}

// tracePlain reports whether a node is plain, and leaves the trace of it.
func (j *gpuJoin) tracePlain(on *gpuNodeJoin, d *derivation) bool {
	if on.plain == nil && !on.joined && len(on.by) == 1 {
		on.plain = firstBoards(on.by[0])
	}
	plain := on.plain
	if plain == nil || len(on.by) != 1 || on.by[0].source != plain.source || len(on.by[0].indices) != len(plain.ids) {
		return false
	}
	readings := plain.source.word.Readings
	for _, i := range on.by[0].indices {
		if hasExpired(plain.source, &readings[i], d.Now) {
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
		group.one[0] = heard{r, plain.source}
		state.Values, state.At, state.Events, sources[0] = r.Values, r.At, r.Events, r.Source
		j.write(plain.ids[k], &state, &group)
	}
	return true
}

// write writes down what is known of a GPU now; pictures see it when the node
// is joined.
func (j *gpuJoin) write(id train.GPUID, state *train.GPUState, group *gpuGroup) {
	if track := j.track(id); track != nil && j.enter(track, state, group) {
		track.view = nil
	}
}
