package store

import (
	"maps"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// gpuJoin is what has been told of GPUs, by node, and their past, as far as
// pictures are made from it. Whoever takes a snapshot owns it (Store.deriving).
type gpuJoin struct {
	sources map[measuredKey]*gpuSource
	nodes   map[string]*gpuNodeJoin
	tracks  map[train.GPUID]*gpuTrack
	// claims say who tells of a board, by UUID; homes are the nodes of those
	// that are told to be on several.
	claims map[string][]claim
	homes  map[string]string
	// strays are the nodes whose GPUs a pod that is elsewhere is said to hold,
	// by the path of the pod.
	strays map[string]map[string]bool

	// dirty are the nodes to be joined again.
	dirty map[string]bool
	// expires is when the next reading does; zero for never. swept is when
	// what is gone was last looked through.
	expires, swept time.Time
	history        gpuHistory
	// everything is true once nodes of which only objects tell are joined too.
	everything bool
}

// gpuNodeJoin is what has been told of one node.
type gpuNodeJoin struct {
	by []nodeReadings // in order of source
	// gone are boards that were measured here and are no longer.
	gone []goneGPU
	// plain is not nil where only numbers can have changed since the node was
	// joined, as long as the same source tells of it alone.
	plain *plainBoards
	// joined is true once it was joined, traced while something was written
	// down that is not joined.
	joined, traced bool
}

// nodeReadings are those of a source that stand on one node.
type nodeReadings struct {
	source  *gpuSource
	indices []int32
}

func newGPUJoin() *gpuJoin {
	return &gpuJoin{
		sources: map[measuredKey]*gpuSource{}, nodes: map[string]*gpuNodeJoin{}, tracks: map[train.GPUID]*gpuTrack{},
		claims: map[string][]claim{}, homes: map[string]string{}, dirty: map[string]bool{},
		strays:  map[string]map[string]bool{},
		history: gpuHistory{spacing: spacings[0], limit: maxHistoryBytes},
	}
}

// gpusOf brings the GPUs of the picture up to date: first for what changed in
// the objects, then for what sources said, word by word, so that each leaves
// its trace in the past.
func (d *derivation) gpusOf(changed *touched) {
	j := d.join
	everything := d.gpus.shared.wanted.Load()
	if len(changed.tables) > 0 && !j.everything {
		d.gpus.list = &gpuList{}
	}
	if len(j.sources) == 0 && len(j.nodes) == 0 && len(j.tracks) == 0 && len(changed.told.measured) == 0 && len(changed.told.recalled) == 0 && !everything {
		return
	}
	d.gpuNodesTouched(changed, everything)
	d.straysTouched(changed)
	d.placeAgain(changed)
	j.expire(d.Now)
	for round := changed.told.round(); len(round) > 0; round = changed.told.round() {
		for _, word := range round {
			d.hear(word)
		}
		if len(changed.told.measured) > 0 { // a word between two pictures
			d.trace()
		}
	}
	for _, recalled := range changed.told.recalled {
		d.recall(recalled)
	}
	j.sweep(d.Now)
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

// copyGPUs makes the tables of GPUs the picture's own, which are about to change.
func (d *derivation) copyGPUs() {
	if d.gpusCopied {
		return
	}
	d.gpusCopied = true
	d.gpus.nodes, d.gpus.at, d.gpus.jobs = *d.gpus.nodes.Copy(), *d.gpus.at.Copy(), *d.gpus.jobs.Copy()
	d.gpus.list = &gpuList{complete: d.join.everything}
	d.GPUsVersion++
}

// hear takes over what a source says now.
func (d *derivation) hear(word Measured) {
	j, key := d.join, measuredKey{word.Source, word.Node}
	source := j.sources[key]
	if len(word.Readings) == 0 {
		if source != nil {
			d.silence(source)
		}
		return
	}
	word.DateBy(d.Now)
	if source != nil && sameGPUs(source.word.Readings, word.Readings) {
		source.word = word
		j.mark(source)
		j.watch(source, d.Now)
		return
	}
	var shared []string
	if source == nil {
		source = &gpuSource{key: key}
		j.sources[key] = source
	} else {
		d.joinTraced(source)
		shared = j.unclaim(source)
	}
	source.word = word
	d.placeSource(source, shared)
	j.watch(source, d.Now)
}

// silence takes a source out.
func (d *derivation) silence(source *gpuSource) {
	j := d.join
	d.joinTraced(source)
	j.mark(source)
	shared := j.unclaim(source)
	j.unplace(source)
	delete(j.sources, source.key)
	for _, moved := range j.settle(d.Snapshot, shared) {
		j.stand(moved)
	}
}

// placeSource finds the nodes of a source's readings, of which shared were told of
// before by others as well.
func (d *derivation) placeSource(source *gpuSource, shared []string) {
	j := d.join
	d.findNodes(source)
	shared = append(shared, j.claim(source)...)
	moved := j.settle(d.Snapshot, shared)
	j.stand(source)
	for _, other := range moved {
		if other != source {
			j.stand(other)
		}
	}
}

// stand puts the readings of a source on their nodes.
func (j *gpuJoin) stand(source *gpuSource) {
	j.unplace(source)
	at := map[string][]int32{}
	for i := range source.word.Readings {
		node := j.nodeOf(source, i)
		at[node] = append(at[node], int32(i))
	}
	for _, node := range slices.Sorted(maps.Keys(at)) {
		indices := at[node]
		source.nodes = append(source.nodes, node)
		n := j.node(node)
		n.plain = nil
		n.by = append(n.by, nodeReadings{source, indices})
		slices.SortFunc(n.by, func(a, b nodeReadings) int { return a.source.key.compare(b.source.key) })
	}
	j.mark(source)
}

// unplace takes the readings of a source off their nodes.
func (j *gpuJoin) unplace(source *gpuSource) {
	j.mark(source)
	for _, node := range source.nodes {
		n := j.nodes[node]
		n.plain = nil
		n.by = slices.DeleteFunc(n.by, func(r nodeReadings) bool { return r.source == source })
	}
	source.nodes = nil
}

// inOrder are the sources in order of their names.
func (j *gpuJoin) inOrder() []*gpuSource {
	return slices.SortedFunc(maps.Values(j.sources), func(a, b *gpuSource) int { return a.key.compare(b.key) })
}

func (j *gpuJoin) node(name string) *gpuNodeJoin {
	n := j.nodes[name]
	if n == nil {
		n = &gpuNodeJoin{}
		j.nodes[name] = n
	}
	return n
}

// mark has the nodes of a source joined again.
func (j *gpuJoin) mark(source *gpuSource) {
	for _, node := range source.nodes {
		j.dirty[node] = true
	}
}
