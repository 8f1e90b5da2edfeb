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

	// Slices and shares of one board repeat what is the board's: it is added
	// once.
	MemoryUsed, MemoryTotal Figure // MiB, summed
	Power, PowerLimit       Figure // W, summed
	TensorMean              Figure // 0..1
	SMMean                  Figure // 0..1
	GraphicsMean            Figure // 0..1: stands in where MIG leaves no utilization
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
	pasts            []*gpuPast // of each of states, nil where there is none

	// What follows is made when asked for; gpuShared.mu guards it.
	sum    *JobGPUs
	sparks []*madeSpark
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
	made := &madeGPUs{job: job, version: known.version, objects: s.NodesVersion}
	made.states, made.pasts = s.statesOf(job, known.nodes)
	s.gpus.shared.put(job.ID, made)
	return made
}

// statesOf looks through the nodes that are known to have GPUs of a job, and
// through those that its ranks are on.
func (s *Snapshot) statesOf(job *train.Job, nodes []string) (states []*train.GPUState, pasts []*gpuPast) {
	type one struct {
		state *train.GPUState
		past  *gpuPast
	}
	var found []one
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
				found = append(found, one{&node.states[i], node.beside[i].past})
			}
		}
	}
	for _, name := range nodes {
		look(name)
	}
	for i := range job.Ranks {
		look(job.Ranks[i].Node)
	}
	slices.SortStableFunc(found, func(a, b one) int {
		return cmp.Or(cmp.Compare(uint(a.state.Rank), uint(b.state.Rank)), cmp.Compare(a.state.GPU.Node, b.state.GPU.Node))
	})
	states, pasts = make([]*train.GPUState, len(found)), make([]*gpuPast, len(found))
	for i := range found {
		states[i], pasts[i] = found[i].state, found[i].past
	}
	return states, pasts
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
	made := s.measuredGPUs(job)
	if made == nil {
		return nil
	}
	sum := s.gpus.shared.sum(made, s.Now)
	if sum.Measured == 0 {
		return nil
	}
	return sum
}

// measuredGPUs are the job's GPUs, nil when none is measured.
func (s *Snapshot) measuredGPUs(job *train.Job) *madeGPUs {
	if job == nil {
		return nil
	}
	if _, measured := s.gpus.jobs.Get(job.ID); !measured {
		return nil
	}
	return s.madeGPUs(job)
}

// sum makes the summary, unless the one that was made before still holds.
func (g *gpuShared) sum(made *madeGPUs, now time.Time) *JobGPUs {
	g.mu.Lock()
	defer g.mu.Unlock()
	if made.sum == nil || now.After(made.sumUntil) || now.Before(made.sumFrom) {
		made.sum, made.sumUntil = sumGPUs(made.states, now)
		made.sumFrom = now
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
	boards := make(map[boardKey]bool, sum.Measured)
	for _, state := range states {
		if fresh := state.Freshness(now); len(state.Sources) > 0 && (fresh == train.Fresh || fresh == train.Stale && sum.Fresh == 0) {
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

// boardKey tells boards apart, and with mig the slices of one.
type boardKey struct{ uuid, node, index, mig string }

// addBoard adds what a board has once, however many slices and shares of it a
// job holds. A slice has memory of its own.
func (sum *JobGPUs) addBoard(state *train.GPUState, seen map[boardKey]bool) {
	board := boardKey{uuid: state.GPU.UUID}
	if !state.GPU.HasUUID() {
		board = boardKey{node: state.GPU.Node, index: state.GPU.Index}
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

// JobSpark fills mean and lowest with the mean over a job's GPUs and the
// lowest of them in each step of time, as GPUBuckets does for one of them;
// either may be nil. Let from be a multiple of step, so that a picture taken
// later shows the same bars further left.
func (s *Snapshot) JobSpark(job *train.Job, q train.Quantity, mean, lowest []float32, from time.Time, step time.Duration) {
	spark := &madeSpark{q: q, from: from, step: step, n: max(len(mean), len(lowest))}
	if made := s.measuredGPUs(job); made != nil {
		spark = s.gpus.shared.spark(made, spark)
	}
	spark.show(mean, lowest)
}

// madeSpark is a sparkline of a job.
type madeSpark struct {
	q           train.Quantity
	from        time.Time
	step        time.Duration
	n           int
	means, lows []float32
}

// maxSparks bounds the sparklines kept of one job.
const maxSparks = 4

// spark makes a sparkline, unless the same one was made before.
func (g *gpuShared) spark(made *madeGPUs, like *madeSpark) *madeSpark {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, spark := range made.sparks {
		if spark.q == like.q && spark.n == like.n && spark.step == like.step && spark.from.Equal(like.from) {
			return spark
		}
	}
	like.make(made.pasts)
	if len(made.sparks) >= maxSparks {
		made.sparks = made.sparks[1:]
	}
	made.sparks = append(made.sparks, like)
	return like
}

func (m *madeSpark) make(pasts []*gpuPast) {
	room := make([]float32, 4*m.n)
	sums, counts := room[:m.n], room[m.n:2*m.n]
	m.means, m.lows = room[2*m.n:3*m.n], room[3*m.n:]
	nan := float32(math.NaN())
	for i := range m.n {
		m.means[i], m.lows[i] = 0, nan
	}
	all := make([]float32, m.n)
	column := columnOf(m.q)
	for _, past := range pasts {
		if past == nil || column < 0 {
			continue
		}
		clear(sums)
		clear(counts)
		past.rows.Buckets(column, m.from, m.step, sums, counts)
		for i, count := range counts {
			if count == 0 {
				continue
			}
			value := sums[i] / count
			m.means[i] += value
			if all[i]++; all[i] == 1 || value < m.lows[i] {
				m.lows[i] = value
			}
		}
	}
	for i := range m.means {
		m.means[i] /= all[i] // nothing of nothing is no number
	}
}

// show fills in what was made.
func (m *madeSpark) show(mean, lowest []float32) {
	for _, pair := range [...][2][]float32{{mean, m.means}, {lowest, m.lows}} {
		for i := range pair[0] {
			if pair[0][i] = float32(math.NaN()); i < len(pair[1]) {
				pair[0][i] = pair[1][i]
			}
		}
	}
}
