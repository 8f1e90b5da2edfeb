package store

import (
	"cmp"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// gpuGroup is what all sources say of one board or one slice of a board.
type gpuGroup struct{ readings []*train.GPUReading }

// gpuKey identifies a board or slice: by its UUID, or by its number on a node
// that is known. Two machines that nobody names are told apart by UUID alone.
type gpuKey struct {
	node, uuid, index string
	mig               train.MIG
}

// groupReadings brings the readings of one GPU together. all stays in place:
// groups point into it.
func groupReadings(all []train.GPUReading) []*gpuGroup {
	var groups []*gpuGroup
	byKey := map[gpuKey]*gpuGroup{}
	for i := range all {
		r := &all[i]
		keys := keysOf(&r.GPU)
		var group *gpuGroup
		for _, key := range keys {
			if group = byKey[key]; group != nil && group.isOf(&r.GPU) {
				break
			}
			group = nil
		}
		if group == nil {
			group = &gpuGroup{}
			groups = append(groups, group)
		}
		group.readings = append(group.readings, r)
		for _, key := range keys {
			if byKey[key] == nil {
				byKey[key] = group
			}
		}
	}
	return groups
}

func keysOf(g *train.GPU) []gpuKey {
	var keys []gpuKey
	if g.HasUUID() {
		keys = append(keys, gpuKey{uuid: g.UUID, mig: g.MIG})
	}
	if g.Node != "" && g.Index != "" {
		keys = append(keys, gpuKey{node: g.Node, index: g.Index, mig: g.MIG})
	}
	return keys
}

// isOf reports whether a GPU can be that of the group: where both have a UUID
// of their own, it is the same one.
func (g *gpuGroup) isOf(gpu *train.GPU) bool {
	for _, r := range g.readings {
		if r.GPU.HasUUID() && gpu.HasUUID() && r.GPU.UUID != gpu.UUID {
			return false
		}
	}
	return true
}

// states adds to all one state for each holder that the best source names,
// with what the other sources know.
func (g *gpuGroup) states(all []train.GPUState) []train.GPUState {
	newest := time.Time{}
	for _, r := range g.readings {
		if r.At.After(newest) {
			newest = r.At
		}
	}
	stale := func(r *train.GPUReading) int {
		if newest.Sub(r.At) > staleAfter {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(g.readings, func(a, b *train.GPUReading) int {
		return cmp.Or(cmp.Compare(stale(a), stale(b)), cmp.Compare(a.Source, b.Source), b.At.Compare(a.At))
	})
	best := g.readings[0]
	first := len(all)
	for _, r := range g.readings {
		if r.Source == best.Source && stale(r) == stale(best) && !holds(all[first:], &r.GPU) {
			all = append(all, train.GPUState{
				GPU: r.GPU, Values: r.Values, Sources: []train.GPUSource{r.Source}, At: r.At,
				Slices: r.Slices, Events: r.Events, Count: 1,
			})
		}
	}
	for i := first; i < len(all); i++ {
		for _, r := range g.readings {
			add(&all[i], r, len(all) == first+1)
		}
	}
	return all
}

// holds reports whether a holder has a state already: the newer word of the
// same kind of source came first.
func holds(states []train.GPUState, gpu *train.GPU) bool {
	return slices.ContainsFunc(states, func(s train.GPUState) bool {
		return s.GPU.Pod == gpu.Pod && s.GPU.Namespace == gpu.Namespace && s.GPU.Container == gpu.Container && s.GPU.Share == gpu.Share
	})
}

// add fills what is not known yet from another reading of the same GPU. alone
// says that the GPU has one holder, so that another source may name it.
func add(to *train.GPUState, r *train.GPUReading, alone bool) {
	known := to.Values.Count()
	if r.GPU.Pod == "" || r.GPU.Pod == to.GPU.Pod && r.GPU.Namespace == to.GPU.Namespace || alone {
		to.Values.Fill(&r.Values)
	}
	if to.Values.Count() > known && !slices.Contains(to.Sources, r.Source) {
		to.Sources = append(to.Sources, r.Source)
	}
	for _, pair := range [...][2]*string{
		{&to.GPU.Node, &r.GPU.Node}, {&to.GPU.Index, &r.GPU.Index}, {&to.GPU.UUID, &r.GPU.UUID},
		{&to.GPU.Bus, &r.GPU.Bus}, {&to.GPU.Model, &r.GPU.Model},
	} {
		if *pair[0] == "" {
			*pair[0] = *pair[1]
		}
	}
	if alone && to.GPU.Pod == "" {
		to.GPU.Namespace, to.GPU.Pod, to.GPU.Container = r.GPU.Namespace, r.GPU.Pod, r.GPU.Container
	}
	if len(to.Slices) == 0 {
		to.Slices = r.Slices
	}
}
