package store

import (
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// Figure is a number computed from those of several GPUs.
type Figure struct {
	Value float64
	// Of is how many GPUs contributed; with 0 the number is unknown.
	Of int
}

// Known reports whether there is a number.
func (f Figure) Known() bool { return f.Of > 0 }

func (f *Figure) add(values *train.Values, q train.Quantity) {
	if value, known := values.Get(q); known {
		f.Value += value
		f.Of++
	}
}

// mean turns a sum into the mean.
func (f *Figure) mean() {
	if f.Of > 0 {
		f.Value /= float64(f.Of)
	}
}

// JobGPUs summarizes the GPUs of a job. Its figures come from the GPUs with
// fresh readings or, where none is fresh, from those with stale ones: Fresh is
// 0 then, and screens grey the figures.
type JobGPUs struct {
	// Wanted is how many GPUs the job's pods hold, Measured how many have a
	// reading that has not expired, Fresh how many a fresh one.
	Wanted, Measured, Fresh int

	Mean   Figure // utilization, 0..100
	Lowest Figure // the lowest utilization, 0..100
	// LowestGPU is the GPU with the lowest utilization, "" when Lowest is
	// unknown.
	LowestGPU train.GPUID

	// Slices and shares of one GPU repeat its numbers: each GPU is added once.
	MemoryUsed, MemoryTotal Figure // MiB, summed
	Power, PowerLimit       Figure // W, summed
	TensorMean              Figure // 0..1
	SMMean                  Figure // 0..1
	GraphicsMean            Figure // 0..1: used where MIG leaves no utilization
	Hottest                 Figure // °C

	// At is the time of the newest reading, Every the longest interval of the
	// sources, and Sources are the sources of the readings.
	At      time.Time
	Every   time.Duration
	Sources []train.GPUSource
}

// JobGPUs returns the summary of a job's GPUs, nil when none has a recent
// reading.
func (s *Snapshot) JobGPUs(job *train.Job) *JobGPUs {
	made := s.gpuTables().measuredGPUs(job)
	if made == nil {
		return nil
	}
	sum := s.gpus.shared.sum(made, s.Now)
	if sum.Measured == 0 {
		return nil
	}
	return sum
}

// JobMeasured reports whether JobGPUs returns a summary. It builds none, and
// stops at the first GPU with a reading.
func (s *Snapshot) JobMeasured(id train.JobID) bool {
	known, _ := mapOf(s.gpus.jobs).Get(id)
	for _, name := range known.nodes {
		node, _ := mapOf(s.gpus.nodes).Get(name)
		if node != nil && node.measures(id, s.Now) {
			return true
		}
	}
	return false
}

// measures reports whether a reading of a job's GPU on the node has not expired.
func (n *nodeGPUs) measures(id train.JobID, now time.Time) bool {
	for i := range n.states {
		state := &n.states[i]
		if n.meta[i].job == id && HasNumbers(state) && state.Freshness(now) <= train.Stale {
			return true
		}
	}
	return false
}

// HasNumbers reports whether a source gave any number or event of a GPU: one that only
// names it, as an exporter whose driver fails, or a list of devices, measures nothing.
func HasNumbers(state *train.GPUState) bool {
	return len(state.Sources) > 0 && (state.Values.Count() > 0 || len(state.Events) > 0 ||
		slices.ContainsFunc(state.Slices, func(s train.GPUSlice) bool { return s.Values.Count() > 0 }))
}

// measuredGPUs returns the job's GPUs, nil when none is measured.
func (s gpuReader) measuredGPUs(job *train.Job) *jobGPUCache {
	if job == nil {
		return nil
	}
	if _, measured := mapOf(s.gpus.jobs).Get(job.ID); !measured {
		return nil
	}
	return s.gpuCacheOf(job)
}

// sum returns the summary, and computes it only when the cached one no longer
// holds.
func (g *gpuShared) sum(made *jobGPUCache, now time.Time) *JobGPUs {
	g.mu.Lock()
	defer g.mu.Unlock()
	if made.sum == nil || now.After(made.sumUntil) || now.Before(made.sumFrom) {
		made.sum, made.sumUntil = sumGPUs(made.states, now)
		made.sumFrom = now
	}
	return made.sum
}

// sumGPUs computes the summary and returns until when it holds.
func sumGPUs(states []*train.GPUState, now time.Time) (sum *JobGPUs, until time.Time) {
	sum, until = &JobGPUs{}, now.Add(GPUHistory)
	for _, state := range states {
		sum.Wanted += state.Count
		if !HasNumbers(state) {
			continue
		}
		switch state.Freshness(now) {
		case train.Fresh:
			sum.Fresh++
			sum.Measured++
			until = sooner(until, state.At.Add(train.StaleAfter*state.Every), now)
		case train.Stale:
			sum.Measured++
			until = sooner(until, state.At.Add(train.ExpiredAfter*state.Every), now)
		}
	}
	boards := make(map[boardKey]bool, sum.Measured)
	for _, state := range states {
		if fresh := state.Freshness(now); HasNumbers(state) && (fresh == train.Fresh || fresh == train.Stale && sum.Fresh == 0) {
			sum.add(state)
			sum.addBoard(state, boards)
		}
	}
	for _, mean := range [...]*Figure{&sum.Mean, &sum.TensorMean, &sum.SMMean, &sum.GraphicsMean} {
		mean.mean()
	}
	slices.Sort(sum.Sources)
	return sum, until
}

// sooner returns the earlier of two times, ignoring times in the past.
func sooner(until, at, now time.Time) time.Time {
	if at.Before(until) && !at.Before(now) {
		return at
	}
	return until
}

func (sum *JobGPUs) add(state *train.GPUState) {
	v := &state.Values
	if use, known := v.Get(train.GPUUtilization); known && (sum.Lowest.Of == 0 || use < sum.Lowest.Value) {
		sum.Lowest, sum.LowestGPU = Figure{use, 1}, state.GPU.ID()
	}
	if heat, known := v.Get(train.GPUTemperature); known && (sum.Hottest.Of == 0 || heat > sum.Hottest.Value) {
		sum.Hottest = Figure{heat, 1}
	}
	sum.Mean.add(v, train.GPUUtilization)
	sum.GraphicsMean.add(v, train.GPUGraphics)
	sum.TensorMean.add(v, train.GPUTensorActive)
	sum.SMMean.add(v, train.GPUSMActive)
	if state.At.After(sum.At) {
		sum.At = state.At
	}
	sum.Every = max(sum.Every, state.Every)
	for _, source := range state.Sources {
		if !slices.Contains(sum.Sources, source) {
			sum.Sources = append(sum.Sources, source)
		}
	}
}

// boardKey identifies a GPU and, with mig, a slice of one.
type boardKey struct{ uuid, node, index, mig string }

// addBoard adds the numbers of a GPU once, however many slices and shares of
// it a job holds. A slice has memory of its own.
func (sum *JobGPUs) addBoard(state *train.GPUState, seen map[boardKey]bool) {
	board := boardKey{uuid: state.GPU.UUID}
	if !state.GPU.HasUUID() {
		board = boardKey{node: state.GPU.Node, index: state.GPU.Index}
	} else if state.GPU.UUIDRepeats {
		board.node = state.GPU.Node
	}
	if !seen[board] {
		sum.Power.add(&state.Values, train.GPUPower)
		sum.PowerLimit.add(&state.Values, train.GPUPowerLimit)
	}
	slice := board
	slice.mig = state.GPU.MIG.Instance
	if !seen[slice] {
		sum.MemoryUsed.add(&state.Values, train.GPUMemoryUsed)
		sum.MemoryTotal.add(&state.Values, train.GPUMemoryTotal)
	}
	seen[board], seen[slice] = true, true
}
