package ui

import (
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// The header's sparkline: its cells, the time of each, and the number of GPUs
// that are sampled.
const (
	sumCells     = 10
	sumCell      = 3 * time.Minute
	sumWitnesses = 256
)

// gpuSum is the header's summary of all GPUs, made off the event loop.
type gpuSum struct {
	signals.Sum
	// idlePods are pods of no job that hold idle GPUs.
	idlePods []signals.IdlePod
	// past is the mean use, in percent, of each sumCell up to drawn; negative
	// without data.
	past  [sumCells]int8
	drawn time.Time
}

// freeSum are the free GPUs of the snapshot that is shown, and what they were
// counted by.
type freeSum struct {
	signals.FreeGPUs
	report  *diagnose.Report
	version uint64
}

// freeGPUs counts the free GPUs of the snapshot that is shown, as lists of nodes
// and of GPUs do; the one of the newest diagnosis may be older.
func (h *header) freeGPUs() signals.FreeGPUs {
	s, report, sum := h.m.snapshot, h.m.analysis.report, &h.m.free
	// All only grow, so their sum changes when one of them does.
	if version := s.NodesVersion + s.JobsVersion + s.GPUsVersion; sum.report != report || sum.version != version {
		*sum = freeSum{report.Signals().Free(s), report, version}
	}
	return sum.FreeGPUs
}

// of summarises a snapshot. The past is read again only when a cell is over.
func (g gpuSum) of(s *store.Snapshot, report *diagnose.Report) gpuSum {
	sum := gpuSum{Sum: report.Signals().Sum(), idlePods: report.Signals().IdlePods(s), past: g.past, drawn: g.drawn}
	if end := s.Now.Truncate(sumCell).Add(sumCell); sum.Held > 0 && (!end.Equal(g.drawn) || g.Held == 0) {
		sum.drawn, sum.past = end, pastOf(s, held(s, sum.Held), end)
	}
	return sum
}

// held returns some of the GPUs that pods or jobs hold, about n of them all.
func held(s *store.Snapshot, n int) []train.GPUID {
	var some []train.GPUID
	step, seen := 1+(n-1)/sumWitnesses, 0
	s.MeasuredNodes(func(node string, _ uint64) bool {
		for _, state := range s.GPUsOn(node) {
			if !state.Held() || len(state.Sources) == 0 {
				continue
			}
			if seen%step == 0 {
				some = append(some, state.GPU.ID())
			}
			seen++
		}
		return true
	})
	return some
}

// pastOf is the mean use in each cell of time up to an instant.
func pastOf(s *store.Snapshot, gpus []train.GPUID, end time.Time) (past [sumCells]int8) {
	var one, sums, counts [sumCells]float32
	for _, id := range gpus {
		s.GPUBuckets(id, train.GPUUtilization, end.Add(-sumCells*sumCell), sumCell, one[:])
		for cell, v := range one {
			if v == v { // not NaN
				sums[cell], counts[cell] = sums[cell]+v, counts[cell]+1
			}
		}
	}
	for cell := range past {
		past[cell] = -1
		if counts[cell] > 0 {
			past[cell] = int8(math.Round(float64(min(100, max(0, sums[cell]/counts[cell])))))
		}
	}
	return past
}

// reads reports whether the header shows the same, apart from ages.
func (g gpuSum) reads(other gpuSum) bool {
	return g.Held == other.Held && g.Idle == other.Idle && g.HeldSlices == other.HeldSlices && g.IdleSlices == other.IdleSlices && g.past == other.past && slices.Equal(g.idlePods, other.idlePods)
}

// aged reports whether the header shows an age.
func (g gpuSum) aged() bool { return g.Newest != gpuSum{}.Newest }

// values are those of the sparkline, from the first one with data.
func (g gpuSum) values() []float32 {
	var values []float32
	for _, v := range g.past {
		switch {
		case v >= 0:
			values = append(values, float32(v))
		case len(values) > 0:
			values = append(values, float32(math.NaN()))
		}
	}
	return values
}
