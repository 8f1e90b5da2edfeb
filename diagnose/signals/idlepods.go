package signals

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// IdlePod is a pod of no job that holds GPUs and does not use them: a notebook,
// a server without requests.
type IdlePod struct {
	Namespace, Name string
	// GPUs are idle, and Slices are the MIG slices among them.
	GPUs, Slices int
}

// IdlePods returns the pods of no job whose GPUs are idle, those with the most
// GPUs first. A pod that has ended since the GPU was read holds none.
func (r *Report) IdlePods(s *store.Snapshot) []IdlePod {
	if r == nil || len(r.gpus) == 0 {
		return nil
	}
	type key struct{ namespace, name string }
	count, slicesOf := map[key]int{}, map[key]int{}
	store.EachMeasuredNodeGPU(s, func(state *train.GPUState) {
		g := &state.GPU
		if g.Pod == "" || state.Job != nil {
			return
		}
		if slices.ContainsFunc(r.GPU(g.ID()), func(s Signal) bool { return s.Kind == "idle" }) {
			k := key{g.Namespace, g.Pod}
			if count[k]++; g.MIG != (train.MIG{}) {
				slicesOf[k]++
			}
		}
	})
	pods := make([]IdlePod, 0, len(count))
	for k, gpus := range count {
		if store.PodEnded(s, k.namespace, k.name) {
			continue
		}
		pods = append(pods, IdlePod{k.namespace, k.name, gpus, slicesOf[k]})
	}
	slices.SortFunc(pods, func(a, b IdlePod) int {
		return cmp.Or(cmp.Compare(b.GPUs, a.GPUs), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return pods
}
