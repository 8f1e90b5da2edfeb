package charts

import (
	"math"
	"slices"
)

// yMode is how the range of the y axis is chosen.
type yMode int

const (
	yRobust yMode = iota // the range of nearly all samples
	yFull                // the range of all of them
	yFixed               // the range when it was fixed
	yModes
)

func (m yMode) String() string { return [...]string{"robust", "full", "fixed"}[m] }

// yRange is the range of an axis, and the values outside of it.
type yRange struct {
	low, high    float64
	above, below int
	// highest and lowest are the extremes of all that can be drawn.
	highest, lowest float64
}

// Robust ranges leave out this share of the samples on either side.
const leftOut = 0.01

// robustRoom is how far, as a share of its length, a robust range extends
// beyond the values that decide it: noise is within, and outliers are outside.
const robustRoom = 0.5

// The smallest range of an axis, as a share of its values: smaller differences
// come from rounding, and their ticks would be longer than a label. Small
// values are written with a power of ten and have room for fewer digits.
const (
	leastSpan      = 0.0005
	leastSpanSmall = 0.005
	small          = 1e-3
	// flat is the rounding difference between sums of equal numbers.
	flat = 1e-9
)

// sampled bounds how many samples decide a robust range: enough for a
// hundredth of them to be some twenty.
const sampled = 2048

// rangeOf chooses the range for the visible values. newest is one that must be
// within, NaN for none.
func rangeOf(sight [][]float64, mode yMode, log bool, newest float64) yRange {
	var r yRange
	least := math.Inf(-1)
	if log {
		least = 0
	}
	r.lowest, r.highest = rangeEnds(sight, least)
	if !(r.highest > least) || !(r.lowest <= r.highest) {
		r.low, r.high, r.highest, r.lowest = 0, 1, 1, 0
		if log {
			r.low = 0.1
		}
		return r
	}
	r.low, r.high = r.lowest, r.highest
	if mode == yRobust {
		r.low, r.high = robust(sight, least, r.lowest, r.highest)
		if finite(newest) && newest > least {
			r.low, r.high = min(r.low, newest), max(r.high, newest)
		}
	}
	r.pad(log)
	r.countOutside(sight, least)
	return r
}

// robust is the range without the outermost samples, if it is worth leaving
// them out at all.
func robust(sight [][]float64, least, lowest, highest float64) (low, high float64) {
	n := 0
	for _, values := range sight {
		n += len(values)
	}
	every := max(1, n/sampled)
	some := make([]float64, 0, n/every+len(sight))
	for _, values := range sight {
		for i := len(values) - 1; i >= 0; i -= every {
			if v := values[i]; finite(v) && v > least {
				some = append(some, v)
			}
		}
	}
	if len(some) == 0 {
		return lowest, highest
	}
	slices.Sort(some)
	out := int(float64(len(some)) * leftOut)
	low, high = some[out], some[len(some)-1-out]
	if least == 0 {
		room := math.Sqrt(high / low)
		return max(lowest, low/room), min(highest, high*room)
	}
	room := high*robustRoom - low*robustRoom
	return max(lowest, low-room), min(highest, high+room)
}

func rangeEnds(sight [][]float64, least float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, values := range sight {
		for _, v := range values {
			if v > least && v < low {
				low = v
			}
			if v > high && v <= math.MaxFloat64 {
				high = v
			}
		}
	}
	return low, high
}

// pad keeps curves off the edges, and gives a flat one an axis.
func (r *yRange) pad(log bool) {
	if !log {
		r.widen()
	}
	switch {
	case log:
		r.low, r.high = r.low/1.1, r.high*1.1
	case r.high > r.low:
		room := r.high/20 - r.low/20
		if r.low >= 0 && r.low < room { // zero is a better end than a value below it
			room = r.low
		}
		r.low, r.high = r.low-room, r.high+r.high/20-r.low/20
	case r.low == 0:
		r.low, r.high = -1, 1
	default:
		r.low, r.high = r.low-math.Abs(r.low)/10, r.high+math.Abs(r.high)/10
	}
	r.low, r.high = max(r.low, -math.MaxFloat64), min(r.high, math.MaxFloat64)
	if log {
		r.low = max(r.low, math.SmallestNonzeroFloat64)
	}
}

// widen keeps an axis from showing only rounding differences.
func (r *yRange) widen() {
	size := math.Max(math.Abs(r.low), math.Abs(r.high))
	middle, half := r.low/2+r.high/2, r.high/2-r.low/2
	least := leastSpan * size / 2
	if size < small {
		least = leastSpanSmall * size / 2
	}
	switch {
	case half <= flat*size:
		r.low, r.high = middle, middle
	case half < least:
		r.low, r.high = middle-least, middle+least
	}
}

// counting is a range that was fixed, with the extremes of the visible values and
// those outside of it.
func (r yRange) counting(sight [][]float64, log bool) yRange {
	least := math.Inf(-1)
	if log {
		least = 0
	}
	r.above, r.below = 0, 0
	r.lowest, r.highest = rangeEnds(sight, least)
	r.countOutside(sight, least)
	return r
}

func (r *yRange) countOutside(sight [][]float64, least float64) {
	if r.lowest >= r.low && r.highest <= r.high {
		return
	}
	for _, values := range sight {
		for _, v := range values {
			switch {
			case v > r.high && v <= math.MaxFloat64:
				r.above++
			case v < r.low && v > least && v >= -math.MaxFloat64:
				r.below++
			}
		}
	}
}
