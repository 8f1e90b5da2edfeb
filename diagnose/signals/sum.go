package signals

import (
	"time"

	"github.com/traintop/traintop/train"
)

// Sum counts the GPUs of a snapshot that pods hold and that have a fresh
// reading.
type Sum struct {
	Held int // held by pods, with known utilization
	Idle int // of them, those with a utilization below the limit idleUse now
	// HeldSlices and IdleSlices are how many of both are MIG slices.
	HeldSlices, IdleSlices int
	// Newest is when each kind of source measured last, zero for never.
	Newest [train.FromTool + 1]time.Time
}

// Sum counts the GPUs.
func (r *Report) Sum() Sum {
	if r == nil {
		return Sum{}
	}
	return r.sum
}

// IdleUse returns the utilization, in percent, below which a GPU counts as
// idle.
func (r *Report) IdleUse() float64 {
	if r == nil {
		return idleUse.Preset
	}
	return r.limits.of(&idleUse)
}

func (s *Sum) add(other Sum) {
	s.Held += other.Held
	s.Idle += other.Idle
	s.HeldSlices += other.HeldSlices
	s.IdleSlices += other.IdleSlices
	for source, at := range other.Newest {
		if at.After(s.Newest[source]) {
			s.Newest[source] = at
		}
	}
}

// IdleNow reports whether a GPU that is held has a utilization below the
// limit idleUse now. known is false when nobody is known to hold it, when it has no fresh
// reading, and when its sources do not measure its utilization.
func (r *Report) IdleNow(state *train.GPUState, now time.Time) (idle, known bool) {
	var limits Thresholds
	if r != nil {
		limits = r.limits
	}
	return idleNow(state, limits, now)
}

func idleNow(state *train.GPUState, limits Thresholds, now time.Time) (idle, known bool) {
	use, _, known := useOf(&state.Values)
	if !known || !state.Held() || len(state.Sources) == 0 || state.Freshness(now) != train.Fresh {
		return false, false
	}
	return 100*use < limits.of(&idleUse), true
}

// sumOf counts the GPUs of a node.
func sumOf(n *node) Sum {
	var s Sum
	for i := range n.gpus {
		g := &n.gpus[i]
		if idle, known := idleNow(g.GPUState, n.limits, n.now); known {
			slice := 0
			if g.GPU.MIG.Instance != "" {
				slice = 1
			}
			s.Held++
			s.HeldSlices += slice
			if idle {
				s.Idle++
				s.IdleSlices += slice
			}
		}
		for _, source := range g.Sources {
			if g.At.After(s.Newest[source]) {
				s.Newest[source] = g.At
			}
		}
	}
	return s
}
