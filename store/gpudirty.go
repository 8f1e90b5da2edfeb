package store

import (
	"maps"
	"slices"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// gpuNodesDirty marks the nodes whose GPUs a change of objects can affect, so
// that they are joined again.
func (d *derivation) gpuNodesDirty(changed *dirtySet, everything bool) {
	j := d.join
	if everything && !j.everything {
		j.everything = true
		d.gpuTables().eachGPUNode(func(name string) { j.dirty[name] = true })
	}
	mark := func(name string) {
		if everything || j.measured[name] != nil {
			j.dirty[name] = true
		}
	}
	for name := range changed.nodes {
		mark(name)
	}
	if changed.kinds[kinds.PodKind] {
		d.gpuTables().eachGPUNode(mark)
	}
	for _, id := range d.derived {
		markRanks(d.before.Job(id), d.Job(id), mark)
	}
	for _, id := range d.removed {
		job, _ := mapOf(d.before.gpus.jobs).Get(id)
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

// markRanks marks the nodes of ranks that changed.
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

// eachGPUNode calls visit with every node that exists or that pods run on.
func (s gpuReader) eachGPUNode(visit func(name string)) {
	names := map[string]bool{}
	for _, node := range s.nodeList {
		names[node.Name] = true
	}
	mapOf(s.onNode.pairs).Scan(func(pair string, _ struct{}) bool {
		name, _ := cutPair(pair)
		names[name] = true
		return true
	})
	for _, name := range slices.Sorted(maps.Keys(names)) {
		visit(name)
	}
}
