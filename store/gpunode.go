package store

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
)

// joinNode makes the GPUs of a node anew: readings to GPUs, GPUs to pods, pods
// to jobs, and what the objects say beyond that.
func (d *derivation) joinNode(name string) {
	before, _ := d.gpus.nodes.Get(name)
	on := d.join.nodes[name]
	node := &nodeGPUs{version: d.GPUsVersion}
	d.joinReadings(name, node, on, before)
	node.index()
	d.forgetIDs(name, before, node)
	d.noteHolders(name, before, node)
	if on != nil && len(on.by) == 0 && len(on.gone) == 0 {
		delete(d.join.nodes, name)
		on = nil
	}
	if len(node.states) == 0 && on == nil || on == nil && !d.join.everything {
		d.gpus.nodes.Delete(name)
	} else {
		d.gpus.nodes.Set(name, node)
	}
}

// joinReadings fills in the states of a node, with the past of those that were
// measured, and what has gone from it since before.
func (d *derivation) joinReadings(name string, node *nodeGPUs, on *gpuNodeJoin, before *nodeGPUs) {
	var groups []gpuGroup
	var lingering []goneGPU
	if on != nil {
		readings := d.join.readings(on, d.Now)
		node.measured = len(readings) > 0
		groups = groupReadings(name, readings)
		node.states = make([]train.GPUState, 0, len(groups)+1)
		for i := range groups {
			node.states = groups[i].states(name, node.states)
		}
		lingering = d.findGone(on, before, readings)
		for i := range lingering {
			node.states = append(node.states, lingering[i].asState())
		}
	}
	measured := d.giveOut(name, &node.states)
	beside := d.join.pasts(groups, node.states[:measured], lingering)
	for i := range beside {
		d.show(name, beside[i].id)
	}
	node.sort(beside)
	d.joinJobs(node)
	d.noteStrays(name, node.states)
	if on != nil {
		node.gone = on.gone // made anew each time
	}
}

// sort brings the states in order, and what belongs to the first of them as
// they were with them.
func (n *nodeGPUs) sort(beside []gpuBeside) {
	order := make([]int, len(n.states))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return byPlace(&n.states[a], &n.states[b]) })
	sorted := make([]train.GPUState, len(order))
	n.beside = make([]gpuBeside, len(order))
	for to, from := range order {
		if sorted[to] = n.states[from]; from < len(beside) {
			n.beside[to] = beside[from]
		}
	}
	n.states = sorted
}

// asState is the board as it was last, to be given to pods again.
func (g *goneGPU) asState() train.GPUState {
	state := g.state
	state.Job, state.Rank, state.Free = nil, -1, false
	return state
}

// readings are those that stand on a node and have not expired.
func (j *gpuJoin) readings(on *gpuNodeJoin, now time.Time) []heard {
	count := 0
	for i := range on.by {
		count += len(on.by[i].indices)
	}
	all := make([]heard, 0, count)
	for _, by := range on.by {
		for _, i := range by.indices {
			if r := &by.source.word.Readings[i]; !hasExpired(by.source, r, now) {
				all = append(all, heard{r, by.source})
			}
		}
	}
	return all
}

// giveOut finds who holds the states of a node, and adds those that only
// objects tell of. It returns how many were measured.
func (s *Snapshot) giveOut(name string, states *[]train.GPUState) (measured int) {
	measured = len(*states)
	holds := s.holdsOn(name)
	s.giveToPods(name, *states, holds)
	named := countNamed(*states)
	*states = s.heldUnmeasured(name, *states, holds)
	*states = s.freeUnmeasured(name, *states, measured, named)
	return measured
}

// joinJobs notes whose pods hold the GPUs.
func (s *Snapshot) joinJobs(node *nodeGPUs) {
	var job *train.Job
	var ref *train.Ref
	rank := -1
	for i := range node.states {
		state := &node.states[i]
		if state.GPU.Pod == "" {
			continue
		}
		if i == 0 || state.GPU.Pod != node.states[i-1].GPU.Pod || state.GPU.Namespace != node.states[i-1].GPU.Namespace {
			found := s.JobOf(kinds.PodKind, state.GPU.Namespace, state.GPU.Pod)
			if rank = -1; found != nil {
				rank = rankOfPod(found, state.GPU.Pod)
			}
			if found != job {
				job, ref = found, nil
			}
			if job != nil && ref == nil {
				own := job.Ref // a copy: a job is derived again and again
				ref = &own
			}
		}
		if job != nil {
			state.Job, state.Rank = ref, rank
			node.beside[i].job = job.ID
		}
	}
}

func rankOfPod(job *train.Job, pod string) int {
	for i := range job.Ranks {
		if job.Ranks[i].Pod == pod {
			return job.Ranks[i].Index
		}
	}
	return -1
}

// noteHolders keeps up which jobs hold GPUs of the node.
func (d *derivation) noteHolders(name string, before, now *nodeGPUs) {
	held := map[train.JobID]bool{}
	if before != nil {
		for i := range before.beside {
			held[before.beside[i].job] = false
		}
	}
	for i := range now.beside {
		if now.measured {
			held[now.beside[i].job] = true
		}
	}
	delete(held, "")
	for id, holds := range held {
		job, _ := d.gpus.jobs.Get(id)
		at, has := slices.BinarySearch(job.nodes, name)
		switch {
		case holds && !has:
			job.nodes = slices.Insert(slices.Clone(job.nodes), at, name)
		case !holds && has:
			job.nodes = slices.Delete(slices.Clone(job.nodes), at, at+1)
		}
		if job.version = d.GPUsVersion; len(job.nodes) == 0 {
			d.gpus.jobs.Delete(id)
		} else {
			d.gpus.jobs.Set(id, job)
		}
	}
}

// forgetIDs takes out the GPUs that a node no longer has nor misses.
func (d *derivation) forgetIDs(name string, before, now *nodeGPUs) {
	if before == nil {
		return
	}
	forget := func(id train.GPUID) {
		if now.past(id) != nil {
			return
		}
		if at, has := d.gpus.at.Get(id); has && at == name {
			d.gpus.at.Delete(id)
			if track := d.join.tracks[id]; track != nil {
				track.shown = false
			}
		}
	}
	for i := range before.beside {
		if before.beside[i].past != nil {
			forget(before.beside[i].id)
		}
	}
	for i := range before.gone {
		forget(before.gone[i].id)
	}
}

// show notes the node of a GPU that was measured.
func (d *derivation) show(name string, id train.GPUID) {
	if at, has := d.gpus.at.Get(id); !has || at != name {
		d.gpus.at.Set(id, name)
	}
}

// byPlace orders the GPUs of a node by number, slice and holder.
func byPlace(a, b *train.GPUState) int {
	return cmp.Or(
		cmp.Compare(len(a.GPU.Index), len(b.GPU.Index)), cmp.Compare(a.GPU.Index, b.GPU.Index), // numbers by size
		cmp.Compare(len(a.GPU.MIG.Instance), len(b.GPU.MIG.Instance)), cmp.Compare(a.GPU.MIG.Instance, b.GPU.MIG.Instance),
		cmp.Compare(a.GPU.UUID, b.GPU.UUID), cmp.Compare(a.GPU.Share, b.GPU.Share),
		cmp.Compare(a.GPU.Namespace, b.GPU.Namespace), cmp.Compare(a.GPU.Pod, b.GPU.Pod), cmp.Compare(a.GPU.Container, b.GPU.Container),
	)
}

// gpuNodesTouched has the nodes joined again on which a change of objects can
// show.
func (d *derivation) gpuNodesTouched(changed *touched, everything bool) {
	j := d.join
	if everything && !j.everything {
		j.everything = true
		d.eachGPUNode(func(name string) { j.dirty[name] = true })
	}
	mark := func(name string) {
		if everything || j.nodes[name] != nil {
			j.dirty[name] = true
		}
	}
	for name := range changed.nodes {
		mark(name)
	}
	if changed.kinds[kinds.PodKind] {
		d.eachGPUNode(mark)
	}
	for _, id := range d.derived {
		markRanks(d.before.Job(id), d.Job(id), mark)
	}
	for _, id := range d.removed {
		job, _ := d.before.gpus.jobs.Get(id)
		for _, name := range job.nodes {
			mark(name)
		}
		if gone := d.before.Job(id); gone != nil {
			for i := range gone.Ranks {
				mark(gone.Ranks[i].Node)
			}
		}
	}
}

// markRanks marks the nodes of ranks that are not what they were.
func markRanks(before, now *train.Job, mark func(node string)) {
	if now == nil {
		return
	}
	all := before == nil || before.Ref != now.Ref || len(before.Ranks) != len(now.Ranks)
	for i := range now.Ranks {
		r := &now.Ranks[i]
		if all || before.Ranks[i].Pod != r.Pod || before.Ranks[i].Index != r.Index || before.Ranks[i].Namespace != r.Namespace {
			mark(r.Node)
		}
	}
}

// eachGPUNode calls visit with every node that is there or that pods are on.
func (s *Snapshot) eachGPUNode(visit func(name string)) {
	names := map[string]bool{}
	for _, node := range s.nodeList {
		names[node.Name] = true
	}
	s.onNode.pairs.Scan(func(pair string) bool {
		name, _ := cutPair(pair)
		names[name] = true
		return true
	})
	for _, name := range slices.Sorted(maps.Keys(names)) {
		visit(name)
	}
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
