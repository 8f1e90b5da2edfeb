package store

import (
	"slices"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// joinNode joins the GPUs of a node again: measured GPUs to pods, pods to
// jobs, and the GPUs that only objects show.
func (d *derivation) joinNode(name string) {
	before, _ := mapOf(d.gpus.nodes).Get(name)
	measured := d.join.measured[name]
	node := &nodeGPUs{version: d.GPUsVersion}
	d.joinMeasured(name, node, measured, before)
	node.index()
	d.forgetIDs(name, before, node)
	d.noteHolders(name, before, node)
	if measured == nil && (len(node.states) == 0 || !d.join.everything) {
		mapOf(d.gpus.nodes).Delete(name)
	} else {
		mapOf(d.gpus.nodes).Set(name, node)
	}
}

// joinMeasured fills in the states of a node and the GPUs it lost.
func (d *derivation) joinMeasured(name string, node *nodeGPUs, measured *gpus.Node, before *nodeGPUs) {
	var meta []gpuMeta
	if measured != nil {
		node.measured = measured.Measured
		node.gone = d.joinGone(measured, before)
		node.states = append(d.states[:0], measured.States...)
		meta = metaOf(measured)
		for i := range measured.ByState {
			if measured.ByState[i].Lingers {
				node.linger(i, meta[i].id)
			}
		}
	}
	holders := gpuHolders{d.Snapshot}
	holds := holders.holdsOn(name)
	meta = holders.dropDeparted(node, meta, holds)
	sole := holders.soleJob(node.states, holds)
	holders.assignHolders(name, &node.states, holds)
	for i := range meta {
		d.show(name, meta[i].id)
	}
	d.states = node.states
	node.sort(meta) // a copy
	d.gpuTables().joinJobs(node)
	node.giveToJob(sole)
	d.noteCrossNodeHolders(name, node.states)
}

func metaOf(measured *gpus.Node) []gpuMeta {
	meta := make([]gpuMeta, len(measured.ByState))
	for i := range meta {
		meta[i] = gpuMeta{id: measured.ByState[i].ID, past: measured.ByState[i].Past}
	}
	return meta
}

// linger adds a missing GPU with its last state, to be assigned to pods again.
func (n *nodeGPUs) linger(i int, id train.GPUID) {
	for _, gone := range n.gone {
		if gone.id == id {
			n.states[i] = gone.state
			n.states[i].Job, n.states[i].Rank, n.states[i].Free = nil, -1, false
		}
	}
}

// joinGone returns the GPUs that a node lost, each with the holder it had when
// it was last joined.
func (d *derivation) joinGone(measured *gpus.Node, before *nodeGPUs) []goneGPU {
	gone := make([]goneGPU, 0, len(measured.Gone))
	for _, one := range measured.Gone {
		if one.State.At.Before(d.Now.Add(-history.Span)) {
			continue
		}
		state := one.State
		if last := before.last(one.ID); last != nil {
			state.GPU, state.Job, state.Rank, state.Free = last.GPU, last.Job, last.Rank, last.Free
		} else if job := d.JobOf(kinds.PodKind, state.GPU.Namespace, state.GPU.Pod); job != nil {
			ref := job.Ref
			state.Job, state.Rank = &ref, rankOfPod(job, state.GPU.Pod)
		}
		gone = append(gone, goneGPU{one.ID, state, one.Past, one.Missing})
	}
	return gone
}

// last returns a GPU as it was last joined, nil when it never was.
func (n *nodeGPUs) last(id train.GPUID) *train.GPUState {
	if n == nil {
		return nil
	}
	for i := range n.gone {
		if n.gone[i].id == id {
			return &n.gone[i].state
		}
	}
	if i := n.find(id); i >= 0 {
		return &n.states[i]
	}
	return nil
}

// sort sorts the states and reorders meta with them.
func (n *nodeGPUs) sort(meta []gpuMeta) {
	order := make([]int, len(n.states))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return gpus.ByIndex(&n.states[a], &n.states[b]) })
	sorted := make([]train.GPUState, len(order))
	n.meta = make([]gpuMeta, len(order))
	for to, from := range order {
		if sorted[to] = n.states[from]; from < len(meta) {
			n.meta[to] = meta[from]
		}
	}
	n.states = sorted
}

// assignHolders assigns the states of a node to their holders and adds the GPUs
// known only from objects. It returns how many were measured.
func (h gpuHolders) assignHolders(name string, states *[]train.GPUState, holds []podHold) (measured int) {
	measured = len(*states)
	h.giveToPods(name, *states, holds)
	held := countHeld(*states, holds)
	// Boards without a pod are those that pods hold and no reading names.
	if more := h.heldUnmeasured(name, *states, holds); countAll(more[measured:]) > measured-held {
		*states = more
	}
	*states = h.freeUnmeasured(name, *states, measured, held)
	return measured
}

// joinJobs records which jobs' pods hold the GPUs.
func (s gpuReader) joinJobs(node *nodeGPUs) {
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
			node.meta[i].job = job.ID
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

// noteHolders updates which jobs hold GPUs of the node.
func (d *derivation) noteHolders(name string, before, now *nodeGPUs) {
	held := map[train.JobID]bool{}
	if before != nil {
		for i := range before.meta {
			held[before.meta[i].job] = false
		}
	}
	for i := range now.meta {
		if now.measured {
			held[now.meta[i].job] = true
		}
	}
	delete(held, "")
	for id, holds := range held {
		job, _ := mapOf(d.gpus.jobs).Get(id)
		at, has := slices.BinarySearch(job.nodes, name)
		switch {
		case holds && !has:
			job.nodes = slices.Insert(slices.Clone(job.nodes), at, name)
		case !holds && has:
			job.nodes = slices.Delete(slices.Clone(job.nodes), at, at+1)
		}
		if job.version = d.GPUsVersion; len(job.nodes) == 0 {
			mapOf(d.gpus.jobs).Delete(id)
		} else {
			mapOf(d.gpus.jobs).Set(id, job)
		}
	}
}

// forgetIDs removes the GPUs that a node neither has nor misses any more.
func (d *derivation) forgetIDs(name string, before, now *nodeGPUs) {
	if before == nil {
		return
	}
	forget := func(id train.GPUID) {
		if now.past(id) != nil {
			return
		}
		if at, has := mapOf(d.gpus.at).Get(id); has && at == name {
			mapOf(d.gpus.at).Delete(id)
		}
	}
	for i := range before.meta {
		if before.meta[i].past != nil {
			forget(before.meta[i].id)
		}
	}
	for i := range before.gone {
		forget(before.gone[i].id)
	}
}

// show records the node of a measured GPU.
func (d *derivation) show(name string, id train.GPUID) {
	if at, has := mapOf(d.gpus.at).Get(id); !has || at != name {
		mapOf(d.gpus.at).Set(id, name)
	}
}
