package gpus

import (
	"maps"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// Measured contains all readings that a source has of the GPUs of a node or,
// with Node "", of all nodes.
type Measured struct {
	Source   string
	Node     string
	Readings []train.GPUReading
	// Every is how often the source measures; 0 for one that measures once.
	Every time.Duration
}

// Objects are the nodes and pods of the cluster as they are now.
type Objects interface {
	HasNode(name string) bool
	// NodeOfPod returns "" when the pod does not exist or is on no node.
	NodeOfPod(namespace, name string) string
	// EachPod visits the pods that are on a node.
	EachPod(visit func(name, node string))
}

// Fold holds the GPU readings. It has one owner at a time.
type Fold struct {
	sources map[sourceKey]*source
	nodes   map[string]*nodeState
	tracks  map[train.GPUID]*track
	// claims are the sources that report a GPU, by UUID; homes are the nodes
	// of those that are reported on several.
	claims map[string][]claim
	homes  map[string]home
	moved  movedNames

	// dirty are the nodes to merge again, changed those to collect.
	dirty, changed map[string]bool
	// expires is when the next reading expires; zero for never. swept is when
	// sweep last ran.
	expires, swept time.Time
	history        historySize
}

// nodeState is the state of one node.
type nodeState struct {
	by []nodeReadings // in order of source
	// gone are GPUs that were measured here and are no longer.
	gone []Gone
	// plain is not nil where only numbers can have changed since the node was
	// merged, as long as one source alone reports it, and the same one.
	plain *singleSourceGPUs
	// merged is the newest merge; traced is true when history was written
	// since.
	merged *Node
	traced bool
}

// nodeReadings are the readings of a source on one node.
type nodeReadings struct {
	source  *source
	indices []int32
}

// New returns an empty fold.
func New() *Fold {
	return &Fold{
		sources: map[sourceKey]*source{}, nodes: map[string]*nodeState{}, tracks: map[train.GPUID]*track{},
		claims: map[string][]claim{}, homes: map[string]home{},
		dirty: map[string]bool{}, changed: map[string]bool{}, moved: newMovedNames(),
		history: historySize{spacing: spacings[0], limit: MaxHistoryBytes},
	}
}

// Size counts what a fold keeps.
type Size struct{ Sources, Nodes, Histories, HistoryBytes int }

// Size counts what is kept.
func (f *Fold) Size() Size {
	return Size{len(f.sources), len(f.nodes), len(f.tracks), f.history.bytes}
}

// Empty reports whether the fold keeps nothing and nothing changed since
// Collect.
func (f *Fold) Empty() bool {
	return len(f.sources) == 0 && len(f.nodes) == 0 && len(f.tracks) == 0 && len(f.changed) == 0
}

// Measure replaces what a source reported of a node before, and writes
// history.
func (f *Fold) Measure(m Measured, now time.Time, objects Objects) {
	f.advance(now, objects)
	f.replace(m, now, objects)
	f.sweep(now)
	f.writeDirty(now)
}

// Backfill adds a source's readings of the past.
func (f *Fold) Backfill(past []train.GPUPast, now time.Time, objects Objects) {
	f.advance(now, objects)
	f.fill(past, now, objects)
	f.sweep(now)
	f.writeDirty(now)
}

// Collect returns the nodes that changed since the last call, nil for nodes
// without any data left.
func (f *Fold) Collect(now time.Time, objects Objects) map[string]*Node {
	f.advance(now, objects)
	f.sweep(now)
	f.writeDirty(now)
	if len(f.changed) == 0 {
		return nil
	}
	nodes := make(map[string]*Node, len(f.changed))
	for name := range f.changed {
		nodes[name] = nil
		if on := f.nodes[name]; on != nil {
			if on.traced {
				f.merge(name, on, now, false)
			}
			nodes[name] = on.merged
		}
	}
	clear(f.changed)
	return nodes
}

// advance finds the nodes again for readings whose pods and nodes moved, and
// drops expired readings.
func (f *Fold) advance(now time.Time, objects Objects) {
	f.placeAgain(objects)
	f.expire(now, objects)
}

// writeDirty writes the history of the changed nodes. Nodes on which only
// numbers changed are merged in Collect, others at once.
func (f *Fold) writeDirty(now time.Time) {
	if len(f.dirty) == 0 {
		return
	}
	if len(f.dirty) == 1 {
		for name := range f.dirty {
			f.writeNode(name, now)
		}
	} else {
		for _, name := range slices.Sorted(maps.Keys(f.dirty)) {
			f.writeNode(name, now)
		}
	}
	clear(f.dirty)
}

func (f *Fold) writeNode(name string, now time.Time) {
	f.changed[name] = true
	if on := f.nodes[name]; on != nil && !f.trace(on, now) {
		f.merge(name, on, now, true)
	}
}

// replace stores the current readings of a source.
func (f *Fold) replace(m Measured, now time.Time, objects Objects) {
	key := sourceKey{m.Source, m.Node}
	from := f.sources[key]
	if len(m.Readings) == 0 {
		if from != nil {
			f.drop(from, now, objects)
		}
		return
	}
	m.DateBy(now)
	if from != nil && !f.isSplit(from) && sameGPUs(from.newest.Readings, m.Readings) {
		from.newest = m
		f.mark(from)
		f.watchExpiry(from, now)
		return
	}
	var shared []string
	if from == nil {
		from = &source{key: key}
		f.sources[key] = from
	} else {
		f.mergeTraced(from, now)
		shared = f.unclaim(from)
	}
	from.newest = m
	f.placeSource(from, shared, objects)
	f.watchExpiry(from, now)
}

// drop removes a source that has no readings any more.
func (f *Fold) drop(from *source, now time.Time, objects Objects) {
	f.mergeTraced(from, now)
	f.mark(from)
	f.removeSource(from, objects)
}

// removeSource removes a source; GPUs that others report as well may move.
func (f *Fold) removeSource(from *source, objects Objects) {
	shared := f.unclaim(from)
	f.remove(from)
	delete(f.sources, from.key)
	for _, moved := range f.settle(shared, objects) {
		f.place(moved)
	}
}

// place adds the readings of a source to their nodes.
func (f *Fold) place(from *source) {
	f.remove(from)
	at := map[string][]int32{}
	for i := range from.newest.Readings {
		node := f.nodeOf(from, i)
		at[node] = append(at[node], int32(i))
	}
	for _, node := range slices.Sorted(maps.Keys(at)) {
		from.nodes = append(from.nodes, node)
		on := f.node(node)
		on.plain = nil
		on.by = append(on.by, nodeReadings{from, at[node]})
		slices.SortFunc(on.by, func(a, b nodeReadings) int { return a.source.key.compare(b.source.key) })
	}
	f.mark(from)
}

// remove removes the readings of a source from their nodes.
func (f *Fold) remove(from *source) {
	f.mark(from)
	for _, node := range from.nodes {
		on := f.node(node)
		on.plain = nil
		on.by = slices.DeleteFunc(on.by, func(r nodeReadings) bool { return r.source == from })
	}
	from.nodes = nil
}

func (f *Fold) node(name string) *nodeState {
	on := f.nodes[name]
	if on == nil {
		on = &nodeState{}
		f.nodes[name] = on
	}
	return on
}

// mark marks the nodes of a source to be merged again.
func (f *Fold) mark(from *source) {
	for _, node := range from.nodes {
		f.dirty[node] = true
	}
}

// inOrder returns the sources in order of name.
func (f *Fold) inOrder() []*source {
	return slices.SortedFunc(maps.Values(f.sources), func(a, b *source) int { return a.key.compare(b.key) })
}
