package series

import (
	"math"

	"github.com/traintop/traintop/train"
)

// epochs converts steps that count within the epoch into steps of the run.
type epochs struct {
	now, next epochState
	// bases are the steps at which epochs began, for a log that returns to one
	// of them.
	bases map[float64]float64
}

// epochState is the current epoch of the log. It is committed once the line
// that led to it turns out not to be out of order.
type epochState struct {
	epoch float64 // NaN when none was printed
	base  float64 // steps of the epochs before this one
	// step is the newest, low and high are the bounds of this epoch.
	step, low, high float64
	// ends counts consecutive epochs printed at the same step: a log that
	// prints the last step of each.
	ends float64
}

// maxBases bounds how many epochs are remembered.
const maxBases = 4096

func newEpochs() epochs {
	none := epochState{epoch: math.NaN(), step: math.NaN(), low: math.NaN(), high: math.NaN()}
	return epochs{now: none, next: none, bases: map[float64]float64{}}
}

// position returns the step of the run; commit makes it the newest. scope is
// what the parser of the line assumes so far: it may learn better when an
// epoch ends.
func (e *epochs) position(step, epoch float64, scope train.StepScope, perEpoch float64) float64 {
	s := e.now
	if scope == train.ScopeRun && s.base > 0 && step >= s.base+s.step {
		e.next = s
		return step // another line of the log, which counts from the beginning
	}
	epoch = math.Floor(epoch)
	s.turn(step, epoch, scope, perEpoch, e.bases)
	if !math.IsNaN(epoch) {
		s.epoch = epoch
	}
	if step != s.step {
		s.ends = 0
	}
	s.step, s.low, s.high = step, min(s.low, step), max(s.high, step)
	e.next = s
	return s.base + step
}

// turn detects whether a new epoch began, and where.
func (s *epochState) turn(step, epoch float64, scope train.StepScope, perEpoch float64, bases map[float64]float64) {
	within := scope != train.ScopeRun
	switch grew, known := epoch > s.epoch, !math.IsNaN(epoch); {
	case math.IsNaN(s.step):
		s.begin(step, epoch, scope, perEpoch)
	case grew && (within || step < s.step):
		s.base = s.baseOf(epoch, perEpoch)
		s.low, s.high = step, step
	case grew && step == s.step:
		if s.ends++; s.ends > 1 {
			s.base = s.ends * s.length(perEpoch)
		}
	case known && epoch < s.epoch && s.base > 0:
		s.base, s.low, s.high = bases[epoch], step, step
	case !known && within && step < s.step && (step <= s.low || step < s.high/2):
		s.base += s.length(perEpoch)
		s.low, s.high = step, step
	}
}

// begin starts the first epoch: a log that begins in a later epoch was resumed
// there.
func (s *epochState) begin(step, epoch float64, scope train.StepScope, perEpoch float64) {
	s.low, s.high = step, step
	if scope == train.ScopeEpoch && perEpoch > 0 && epoch > 1 {
		s.base = (epoch - 1) * perEpoch // most count from 1
	}
}

// baseOf returns the step at which a later epoch begins.
func (s *epochState) baseOf(epoch, perEpoch float64) float64 {
	skipped := 1.0
	if !math.IsNaN(s.epoch) {
		skipped = min(epoch-s.epoch, 1e6)
	}
	return s.base + skipped*s.length(perEpoch)
}

// length returns how many steps the epoch had: as printed, or as observed.
func (s *epochState) length(perEpoch float64) float64 {
	seen := s.high
	if s.low == 0 {
		seen++ // counted from 0
	}
	if plausible(perEpoch) && perEpoch >= s.high {
		return perEpoch
	}
	return seen
}

// commit makes the newest position the one that the next line is compared
// with.
func (e *epochs) commit() {
	if e.next.epoch != e.now.epoch && !math.IsNaN(e.next.epoch) && len(e.bases) < maxBases {
		e.bases[e.next.epoch] = e.next.base
	}
	e.now = e.next
}
