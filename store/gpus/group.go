package gpus

import (
	"cmp"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// sourcedReading is a reading of a source, with its source.
type sourcedReading struct {
	*train.GPUReading
	by *source
}

// gpuGroup holds the readings of all sources for one GPU or one slice of a
// GPU.
type gpuGroup struct {
	readings []sourcedReading
	one      [1]sourcedReading // space for what most groups have
	uuid     string            // "" when none of the readings has one
	// holders is how many states the group yields.
	first, holders int
}

// gpuKey identifies a GPU or slice on a node: by its UUID, or by its number
// where the node is known. Two machines without a name are distinguished by
// UUID alone.
type gpuKey struct {
	uuid, index string
	mig         train.MIG
}

// FallenBehind is how far a source may fall behind another before its numbers
// are used only where no other source has any.
const FallenBehind = 5 * time.Minute

// groupReadings groups the readings of one GPU.
func groupReadings(node string, all []sourcedReading) []gpuGroup {
	groups := make([]gpuGroup, 0, len(all)) // never grows: byKey points into it
	byKey := make(map[gpuKey]*gpuGroup, 2*len(all))
	for _, r := range all {
		var keys [2]gpuKey
		n := keysOf(node, &r.GPU, &keys)
		var group *gpuGroup
		for _, key := range keys[:n] {
			if group = byKey[key]; group != nil && group.isOf(&r.GPU) {
				break
			}
			group = nil
		}
		if group == nil {
			groups = append(groups, gpuGroup{})
			group = &groups[len(groups)-1]
			group.readings = group.one[:0]
		}
		group.readings = append(group.readings, r)
		if group.uuid == "" && r.GPU.HasUUID() {
			group.uuid = r.GPU.UUID
		}
		for _, key := range keys[:n] {
			if byKey[key] == nil {
				byKey[key] = group
			}
		}
	}
	return groups
}

func keysOf(node string, g *train.GPU, keys *[2]gpuKey) (n int) {
	if g.HasUUID() {
		keys[n] = gpuKey{uuid: g.UUID, mig: g.MIG}
		n++
	}
	if node != "" && g.Index != "" {
		keys[n] = gpuKey{index: g.Index, mig: g.MIG}
		n++
	}
	return n
}

// isOf reports whether a GPU can belong to the group: where both have a UUID,
// it must be the same.
func (g *gpuGroup) isOf(gpu *train.GPU) bool {
	return g.uuid == "" || g.uuid == gpu.UUID || !gpu.HasUUID()
}

// sort moves the most trusted reading to the front, and those that have fallen
// behind to the end.
func (g *gpuGroup) sort() (stale func(sourcedReading) int) {
	newest := time.Time{}
	for _, r := range g.readings {
		if r.At.After(newest) {
			newest = r.At
		}
	}
	stale = func(r sourcedReading) int { return yes(newest.Sub(r.At) > FallenBehind) }
	if len(g.readings) > 1 {
		slices.SortStableFunc(g.readings, func(a, b sourcedReading) int {
			return cmp.Or(cmp.Compare(stale(a), stale(b)), cmp.Compare(a.Source, b.Source), b.At.Compare(a.At))
		})
	}
	return stale
}

// states appends one state for each holder that the best source names,
// completed from the other sources.
func (g *gpuGroup) states(node string, all []train.GPUState) []train.GPUState {
	stale := g.sort()
	best := g.readings[0]
	g.first = len(all)
	var seen map[gpuHolder]bool
	if len(g.readings) > 1 {
		seen = make(map[gpuHolder]bool, len(g.readings))
	}
	for _, r := range g.readings {
		holder := gpuHolder{r.GPU.Namespace, r.GPU.Pod, r.GPU.Container, r.GPU.Share}
		if r.Source != best.Source || stale(r) != stale(best) || seen[holder] {
			continue // the newer reading of the same kind of source came first
		}
		if seen != nil {
			seen[holder] = true
		}
		all = append(all, train.GPUState{
			GPU: r.GPU, Values: r.Values, Sources: []train.GPUSource{r.Source}, At: r.At, Every: r.by.newest.Every,
			Slices: r.Slices, Events: r.Events, Rank: -1, Count: 1,
		})
		all[len(all)-1].GPU.Node = node
	}
	g.holders = len(all) - g.first
	about := g.about()
	for i := g.first; i < len(all); i++ {
		for _, r := range about(&all[i].GPU) {
			add(&all[i], r.GPUReading, g.holders == 1)
		}
	}
	return all
}

// gpuHolder distinguishes the holders that share a GPU.
type gpuHolder struct{ namespace, pod, container, share string }

// fewHolders is the number of holders up to which each may look at all
// readings of the GPU.
const fewHolders = 16

// about returns a function that selects the readings about a holder, in order:
// all of them, or where many share the GPU those of its pod and of none.
func (g *gpuGroup) about() func(*train.GPU) []sourcedReading {
	if g.holders <= fewHolders {
		return func(*train.GPU) []sourcedReading { return g.readings }
	}
	type pod struct{ namespace, name string }
	of := map[pod][]int{}
	for i, r := range g.readings {
		at := pod{r.GPU.Namespace, r.GPU.Pod}
		if r.GPU.Pod == "" {
			at = pod{}
		}
		of[at] = append(of[at], i)
	}
	return func(gpu *train.GPU) (readings []sourcedReading) {
		places := slices.Clone(of[pod{}])
		if gpu.Pod != "" {
			places = append(places, of[pod{gpu.Namespace, gpu.Pod}]...)
		}
		slices.Sort(places)
		for _, i := range places {
			readings = append(readings, g.readings[i])
		}
		return readings
	}
}

// add fills missing values from another reading of the same GPU. alone means
// that the GPU has one holder, so that another source may name it.
func add(to *train.GPUState, r *train.GPUReading, alone bool) {
	known := to.Values.Count()
	if r.GPU.Pod == "" || r.GPU.Pod == to.GPU.Pod && r.GPU.Namespace == to.GPU.Namespace || alone {
		to.Values.Fill(&r.Values)
	}
	if to.Values.Count() > known && !slices.Contains(to.Sources, r.Source) {
		to.Sources = append(to.Sources, r.Source)
	}
	for _, pair := range [...][2]*string{
		{&to.GPU.Index, &r.GPU.Index}, {&to.GPU.UUID, &r.GPU.UUID}, {&to.GPU.Bus, &r.GPU.Bus}, {&to.GPU.Model, &r.GPU.Model},
	} {
		if *pair[0] == "" {
			*pair[0] = *pair[1]
		}
	}
	to.GPU.UUIDRepeats = to.GPU.UUIDRepeats || r.GPU.UUIDRepeats
	if alone && to.GPU.Pod == "" {
		to.GPU.Namespace, to.GPU.Pod, to.GPU.Container = r.GPU.Namespace, r.GPU.Pod, r.GPU.Container
	}
	if len(to.Slices) == 0 {
		to.Slices = r.Slices
	}
}
