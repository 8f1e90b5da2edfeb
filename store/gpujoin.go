package store

import (
	"slices"
	"time"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store/history"
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
			d.joinDirty()
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
	if !d.gpusCopied {
		d.gpusCopied = true
		d.gpus.nodes, d.gpus.at, d.gpus.jobs = *d.gpus.nodes.Copy(), *d.gpus.at.Copy(), *d.gpus.jobs.Copy()
		d.gpus.list = &gpuList{complete: d.join.everything}
		d.GPUsVersion++
	}
	for node := range d.join.dirty {
		d.joinNode(node)
	}
	clear(d.join.dirty)
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
	believeTimes(&word, d.Now)
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
		shared = j.unclaim(source)
	}
	source.word = word
	d.placeSource(source, shared)
	j.watch(source, d.Now)
}

// believeTimes puts the time of the picture in for times that a source that
// measures again and again does not tell, and for those to come.
func believeTimes(word *Measured, now time.Time) {
	if word.Every <= 0 {
		return
	}
	cloned := false
	for i := range word.Readings {
		if at := word.Readings[i].At; !at.IsZero() && !at.After(now) {
			continue
		}
		if !cloned {
			word.Readings, cloned = slices.Clone(word.Readings), true
		}
		word.Readings[i].At = now
	}
}

// silence takes a source out.
func (d *derivation) silence(source *gpuSource) {
	j := d.join
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
	for node, indices := range at {
		source.nodes = append(source.nodes, node)
		n := j.node(node)
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
		n.by = slices.DeleteFunc(n.by, func(r nodeReadings) bool { return r.source == source })
	}
	source.nodes = nil
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

// placeAgain finds the nodes anew of readings that name no node, when pods or
// nodes came or went that they may mean.
func (d *derivation) placeAgain(changed *touched) {
	moved := d.movedNames(changed)
	if len(moved) == 0 {
		return
	}
	for _, source := range d.join.sources {
		if source.means(moved) {
			d.placeSource(source, d.join.unclaim(source))
		}
	}
}

// means reports whether a source may mean one of these nodes and pods.
func (source *gpuSource) means(moved map[string]bool) bool {
	for _, node := range source.nodes {
		if moved[node] {
			return true
		}
	}
	for name := range source.names {
		if moved[name] {
			return true
		}
	}
	return false
}

// movedNames are the nodes that came or went, and the pods that are on
// another node than before.
func (d *derivation) movedNames(changed *touched) map[string]bool {
	moved := map[string]bool{}
	for name := range changed.nodes {
		if (d.before.Node(name) == nil) != (d.Node(name) == nil) {
			moved[name] = true
		}
	}
	for at, object := range changed.objects {
		if object.kind != kinds.PodKind {
			continue
		}
		_, namespace, name := splitPath(at)
		if d.before.boundTo(namespace, name) != d.boundTo(namespace, name) {
			moved[name] = true
		}
	}
	return moved
}

// boundTo is the node of a pod, "" when there is no such pod or it has none.
func (s *Snapshot) boundTo(namespace, name string) string {
	if pod := s.Pod(namespace, name); pod != nil {
		return pod.Spec.NodeName
	}
	return ""
}

// hasExpired reports whether a reading is too old to be shown.
func hasExpired(source *gpuSource, r *train.GPUReading, now time.Time) bool {
	return source.word.Every > 0 && now.After(expiry(source, r))
}

func expiry(source *gpuSource, r *train.GPUReading) time.Time {
	return r.At.Add(train.ExpiredAfter * source.word.Every)
}

// watch sees to it that the readings of a source are looked at again when the
// first of them expires.
func (j *gpuJoin) watch(source *gpuSource, now time.Time) (live bool) {
	if source.word.Every <= 0 {
		return true
	}
	for i := range source.word.Readings {
		at := expiry(source, &source.word.Readings[i])
		if now.After(at) {
			continue
		}
		live = true
		if j.expires.IsZero() || at.Before(j.expires) {
			j.expires = at
		}
	}
	return live
}

// expire looks again at what has become too old, and forgets sources of which
// nothing is left.
func (j *gpuJoin) expire(now time.Time) {
	if j.expires.IsZero() || !now.After(j.expires) {
		return
	}
	j.expires = time.Time{}
	for _, source := range j.sources {
		for i := range source.word.Readings {
			if r := &source.word.Readings[i]; hasExpired(source, r, now) {
				j.dirty[j.nodeOf(source, i)] = true
			}
		}
		if !j.watch(source, now) {
			j.unclaim(source)
			j.unplace(source)
			delete(j.sources, source.key)
		}
	}
}

// sweepEvery is how often what is gone is looked through.
const sweepEvery = 5 * time.Minute

// sweep forgets what has been gone for as long as the past is kept.
func (j *gpuJoin) sweep(now time.Time) {
	if age := now.Sub(j.swept); age >= 0 && age < sweepEvery {
		return
	}
	j.swept = now
	old := now.Add(-history.Span)
	for name, n := range j.nodes {
		kept := slices.DeleteFunc(slices.Clone(n.gone), func(g goneGPU) bool { return g.state.At.Before(old) })
		if len(kept) < len(n.gone) || len(kept) == 0 && len(n.by) == 0 {
			j.dirty[name] = true
		}
		n.gone = kept
	}
	for id, track := range j.tracks {
		if !track.shown && !track.ring.Past().Newest().After(old) {
			j.history.bytes -= track.ring.Bytes()
			delete(j.tracks, id)
		}
	}
}
