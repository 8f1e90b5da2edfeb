package store

import (
	"math"
	"time"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/train"
)

// JobSpark fills mean and lowest with the mean and the lowest over a job's
// GPUs in each time step, as GPUBuckets does for one GPU; either may be nil.
// Let from be a multiple of step, so that a later snapshot shows the same bars
// further left.
func (s *Snapshot) JobSpark(job *train.Job, q train.Quantity, mean, lowest []float32, from time.Time, step time.Duration) {
	spark := &madeSpark{q: q, from: from, step: step, n: max(len(mean), len(lowest))}
	if made := s.gpuTables().measuredGPUs(job); made != nil {
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

// spark builds a sparkline, unless the same one is cached.
func (g *gpuShared) spark(made *jobGPUCache, like *madeSpark) *madeSpark {
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

func (m *madeSpark) make(pasts []*gpus.Past) {
	room := make([]float32, 4*m.n)
	sums, counts := room[:m.n], room[m.n:2*m.n]
	m.means, m.lows = room[2*m.n:3*m.n], room[3*m.n:]
	nan := float32(math.NaN())
	for i := range m.n {
		m.means[i], m.lows[i] = 0, nan
	}
	all := make([]float32, m.n)
	column := gpus.Column(m.q)
	for _, past := range pasts {
		if past == nil || column < 0 {
			continue
		}
		clear(sums)
		clear(counts)
		past.Rows.Buckets(column, m.from, m.step, sums, counts)
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
		m.means[i] /= all[i] // zero divided by zero is no number
	}
}

// show copies the sparkline into the slices.
func (m *madeSpark) show(mean, lowest []float32) {
	for _, pair := range [...][2][]float32{{mean, m.means}, {lowest, m.lows}} {
		for i := range pair[0] {
			if pair[0][i] = float32(math.NaN()); i < len(pair[1]) {
				pair[0][i] = pair[1][i]
			}
		}
	}
}
