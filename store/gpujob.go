package store

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// Figure is a number made from those of several GPUs.
type Figure struct {
	Value float64
	// Of is how many GPUs it was made from; with 0 the number is unknown.
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

// mean makes the mean of a sum.
func (f *Figure) mean() {
	if f.Of > 0 {
		f.Value /= float64(f.Of)
	}
}

// JobGPUs sums up the GPUs of a job. Its figures are made from the GPUs whose
// readings are fresh, or, where none is, from those that are stale: Fresh is 0
// then, and the figures are to be greyed.
type JobGPUs struct {
	// Wanted is how many the job's pods hold, Measured of how many there is a
	// reading that has not expired, Fresh of how many a fresh one.
	Wanted, Measured, Fresh int

	Mean   Figure // utilization, 0..100
	Lowest Figure // the lowest utilization, 0..100
	// LowestGPU has it, "" when Lowest is unknown.
	LowestGPU train.GPUID

	MemoryUsed, MemoryTotal Figure // MiB, summed
	Power, PowerLimit       Figure // W, summed
	TensorMean              Figure // 0..1
	SMMean                  Figure // 0..1
	Hottest                 Figure // °C

	// At is the time of the newest reading, Every the longest interval of the
	// sources, and Sources those that the readings come from.
	At      time.Time
	Every   time.Duration
	Sources []train.GPUSource
}

// madeGPUs is what was made of a job's GPUs when it was last asked for.
type madeGPUs struct {
	job *train.Job
	// version is that of the job's measured GPUs, objects that of the rest.
	version, objects uint64
	states           []*train.GPUState
	sum              *JobGPUs
	// sumFrom and sumUntil are the times between which sum holds: a reading
	// becomes stale without another one coming.
	sumFrom, sumUntil time.Time
}

// GPUsOf are the states of the GPUs that a job's pods hold, measured or not,
// in order of rank, node and index.
func (s *Snapshot) GPUsOf(job *train.Job) []*train.GPUState {
	if made := s.madeGPUs(job); made != nil {
		return made.states
	}
	return nil
}

// madeGPUs are the job's GPUs of this snapshot.
func (s *Snapshot) madeGPUs(job *train.Job) *madeGPUs {
	if job == nil || s.gpus.shared == nil {
		return nil
	}
	known, _ := s.gpus.jobs.Get(job.ID)
	before := s.gpus.shared.get(job.ID)
	if before != nil && before.job == job && before.version == known.version && before.objects == s.NodesVersion {
		return before
	}
	made := &madeGPUs{job: job, version: known.version, objects: s.NodesVersion, states: s.statesOf(job, known.nodes)}
	s.gpus.shared.put(job.ID, made)
	return made
}

// statesOf looks through the nodes that are known to have GPUs of a job, and
// through those that its ranks are on.
func (s *Snapshot) statesOf(job *train.Job, nodes []string) (found []*train.GPUState) {
	seen := make(map[string]bool, len(nodes))
	look := func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		node := s.gpuNode(name)
		if node == nil {
			return
		}
		for i := range node.states {
			if node.beside[i].job == job.ID {
				found = append(found, &node.states[i])
			}
		}
	}
	for _, name := range nodes {
		look(name)
	}
	for i := range job.Ranks {
		look(job.Ranks[i].Node)
	}
	slices.SortStableFunc(found, func(a, b *train.GPUState) int {
		return cmp.Or(cmp.Compare(uint(a.Rank), uint(b.Rank)), cmp.Compare(a.GPU.Node, b.GPU.Node))
	})
	return found
}

func (g *gpuShared) get(id train.JobID) *madeGPUs {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.jobs[id]
}

// put keeps the newest: an older snapshot may still be read.
func (g *gpuShared) put(id train.JobID, made *madeGPUs) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if before := g.jobs[id]; before == nil || before.version <= made.version && before.objects <= made.objects {
		g.jobs[id] = made
	}
}

func (g *gpuShared) drop(id train.JobID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.jobs, id)
}

// JobGPUs is the summary of a job's GPUs, nil when none of them was measured
// of late.
func (s *Snapshot) JobGPUs(job *train.Job) *JobGPUs {
	if job == nil {
		return nil
	}
	if _, measured := s.gpus.jobs.Get(job.ID); !measured {
		return nil
	}
	made := s.madeGPUs(job)
	if made.sumUntil.IsZero() || s.Now.After(made.sumUntil) || s.Now.Before(made.sumFrom) {
		again := *made // another snapshot may be reading it
		again.sum, again.sumUntil = sumGPUs(made.states, s.Now)
		again.sumFrom = s.Now
		s.gpus.shared.put(job.ID, &again)
		made = &again
	}
	if made.sum.Measured == 0 {
		return nil
	}
	return made.sum
}

// sumGPUs sums up, and says until when that holds.
func sumGPUs(states []*train.GPUState, now time.Time) (sum *JobGPUs, until time.Time) {
	sum, until = &JobGPUs{}, now.Add(GPUHistory)
	for _, state := range states {
		sum.Wanted += state.Count
		if len(state.Sources) == 0 {
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
	for _, state := range states {
		if fresh := state.Freshness(now); len(state.Sources) > 0 && (fresh == train.Fresh || fresh == train.Stale && sum.Fresh == 0) {
			sum.add(state)
		}
	}
	for _, mean := range []*Figure{&sum.Mean, &sum.TensorMean, &sum.SMMean} {
		mean.mean()
	}
	slices.Sort(sum.Sources)
	return sum, until
}

// sooner is the earlier of two times, of which those that have passed do not count.
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
	sum.MemoryUsed.add(v, train.GPUMemoryUsed)
	sum.MemoryTotal.add(v, train.GPUMemoryTotal)
	sum.Power.add(v, train.GPUPower)
	sum.PowerLimit.add(v, train.GPUPowerLimit)
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

// JobSpark fills mean and lowest with the mean over a job's GPUs and the
// lowest of them in each step of time, as GPUBuckets does for one of them;
// either may be nil. Let from be a multiple of step, so that a picture taken
// later shows the same bars further left.
func (s *Snapshot) JobSpark(job *train.Job, q train.Quantity, mean, lowest []float32, from time.Time, step time.Duration) {
	n := max(len(mean), len(lowest))
	sums, lows, counts, one := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	for _, state := range s.GPUsOf(job) {
		if len(state.Sources) == 0 {
			continue
		}
		s.GPUBuckets(state.GPU.ID(), q, from, step, one)
		for i, value := range one {
			if value != value {
				continue
			}
			if counts[i] == 0 || value < lows[i] {
				lows[i] = value
			}
			sums[i] += value
			counts[i]++
		}
	}
	nan := float32(math.NaN())
	for i := range mean {
		if mean[i] = nan; counts[i] > 0 {
			mean[i] = sums[i] / counts[i]
		}
	}
	for i := range lowest {
		if lowest[i] = nan; counts[i] > 0 {
			lowest[i] = lows[i]
		}
	}
}
