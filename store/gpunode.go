package store

import (
	"cmp"
	"slices"
	"time"

	"github.com/traintop/traintop/sources/kinds"
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
	measured := d.giveOut(name, &node.states, d.holders(name))
	beside := d.join.pasts(groups, node.states[:measured], lingering)
	if on != nil {
		on.plain, on.joined, on.traced = plainOf(on, groups, beside), true, false
	}
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

// giveOut finds who of those that hold GPUs on a node holds its states, and
// adds those that only objects tell of. It returns how many were measured.
func (s *Snapshot) giveOut(name string, states *[]train.GPUState, holds []podHold) (measured int) {
	measured = len(*states)
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
