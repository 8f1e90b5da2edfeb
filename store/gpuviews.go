package store

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/train"
)

// AllGPUs are the states of GPUStates in the same order, without a copy of
// them: what screens and signals take, which look again after each reading.
func (s *Snapshot) AllGPUs() []*train.GPUState {
	states := s.GPUStates()
	all := make([]*train.GPUState, len(states))
	for i := range states {
		all[i] = &states[i]
	}
	return all
}

// GPUState is the state of one GPU, nil when nothing is known of it. Of a
// board that several pods share without a number of their own it is the first
// one's.
func (s *Snapshot) GPUState(id train.GPUID) *train.GPUState {
	for _, state := range s.AllGPUs() {
		if len(state.Sources) > 0 && state.GPU.ID() == id {
			return state
		}
	}
	return nil
}

// GPUsOn are the states of a node's GPUs, in order of index and slice.
func (s *Snapshot) GPUsOn(node string) []*train.GPUState {
	return s.gpusWhere(func(state *train.GPUState) bool { return state.GPU.Node == node })
}

// GPUsOf are the states of the GPUs that a job's pods hold, measured or not,
// in order of rank, node and index.
func (s *Snapshot) GPUsOf(job *train.Job) []*train.GPUState {
	if job == nil {
		return nil
	}
	states := s.gpusWhere(func(state *train.GPUState) bool { return state.Job != nil && state.Job.JobID() == job.ID })
	slices.SortStableFunc(states, func(a, b *train.GPUState) int { return cmp.Compare(uint(a.Rank), uint(b.Rank)) })
	return states
}

func (s *Snapshot) gpusWhere(is func(*train.GPUState) bool) []*train.GPUState {
	var found []*train.GPUState
	for _, state := range s.AllGPUs() {
		if is(state) {
			found = append(found, state)
		}
	}
	return found
}

// GPUsMissing are the GPUs of a node ("" for all nodes) that its source told
// of within GPUHistory and tells of no longer, while it goes on telling of
// others on that node: boards that fell off the bus. Each is as it was last
// seen, At says when. They are not among GPUStates.
func (s *Snapshot) GPUsMissing(node string) []*train.GPUState { return nil }
