package logfindings

import (
	"fmt"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
)

const (
	// A climb is a loss whose median rises from one stretch to the next, of climbStretches
	// over the log, from its lowest to the end, for climbLeast stretches at least, and ends
	// as far above the lowest as a spike does: too slow for a spike, whose level before
	// follows it.
	climbStretches = 20
	climbLeast     = 4
	climbPoints    = 5 // of a stretch at least
	// climbLooks is how many points are looked at, spread over a longer log.
	climbLooks = 400
)

// climb finds a loss that diverges gradually.
func climb(v *rankLog, log *store.Log, column *series.Column) (candidate, bool) {
	values, apart := spread(column.Values, climbLooks)
	length := len(values) / climbStretches
	if length < climbPoints {
		return candidate{}, false
	}
	var medians []float64
	for from := len(values) % climbStretches; from < len(values); from += length {
		medians = append(medians, median(values[from:min(from+length, len(values))]))
	}
	lowest := len(medians) - 1
	for lowest > 0 && medians[lowest-1] < medians[lowest] {
		lowest--
	}
	if len(medians)-1-lowest < climbLeast || slices.Min(medians) < medians[lowest] {
		return candidate{}, false
	}
	begin := len(values)%climbStretches + lowest*length
	low := values[begin : begin+length]
	level := medians[lowest]
	high := max(spikeFactor*level, level+spikeSpread*deviation(low, level))
	if !(level > 0.05) || !(slices.Min(column.Values[len(column.Values)-climbPoints:]) > high) {
		return candidate{}, false
	}
	first := (begin + length) * apart
	c := fromRow(v, log, column, first, "loss-spike", 50)
	c.title = fmt.Sprintf("the loss has risen from about %.3g to %.3g since %s", level, median(column.Values[len(column.Values)-climbPoints:]), stepOf(&log.Samples.Rows[column.Row[first]]))
	return c, true
}

// spread returns at most so many values, and how far apart they are.
func spread(values []float64, most int) (some []float64, apart int) {
	apart = max(1, (len(values)+most-1)/most)
	if apart == 1 {
		return values, 1
	}
	for i := 0; i < len(values); i += apart {
		some = append(some, values[i])
	}
	return some, apart
}

// zeroLeast is how many losses of exactly 0 are no rounding, behind one of zeroAfter.
const (
	zeroLeast = 10
	zeroAfter = 0.1
)

// collapse finds a loss that is exactly 0 from one point to the next, and stays so: what a
// program prints whose numbers overflow, or whose labels are all masked.
func collapse(v *rankLog, log *store.Log, column *series.Column) (candidate, bool) {
	values := column.Values
	first := len(values)
	for first > 0 && values[first-1] == 0 {
		first--
	}
	if first < spikeBefore || len(values)-first < zeroLeast || !(values[first-1] >= zeroAfter) {
		return candidate{}, false
	}
	c := fromRow(v, log, column, first, "nan-loss", 50)
	c.doubtful = true
	c.title = fmt.Sprintf("the loss is exactly 0 from %s on, after %.3g: numbers that overflow, or labels that are all masked", stepOf(&log.Samples.Rows[column.Row[first]]), values[first-1])
	return c, true
}
