package charts

import (
	"math"
	"slices"

	"github.com/traintop/traintop/store/series"
)

// weights are the smoothings that a person can choose, by the share of the old
// mean.
var weights = []float64{0, 0.6, 0.9, 0.99}

// smoothingFrom are the indexes of weights that a curve of so many points and more gets
// unless a person chooses, the most points first: few points are drawn as they are.
var smoothingFrom = []struct{ points, weight int }{{200, 2}, {60, 1}, {0, 0}}

// weightFor is the index of the weight for a number of points.
func weightFor(points int) int {
	for _, from := range smoothingFrom {
		if points >= from.points {
			return from.weight
		}
	}
	return 0
}

// average is a running mean that forgets exponentially. It begins at the
// first value instead of zero (debiased), and counts distance instead of
// samples: where twice as many steps lie between two samples the older ones
// weigh as much less as if the sample between them had been there.
//
//	m = sum of w^((x-xi)/unit) vi / sum of w^((x-xi)/unit)
type average struct {
	weight, unit float64

	sum, total, x float64
	any           bool
	// power is weight^gap for the last gap: mostly all gaps are the same.
	gap, power float64
}

// add adds the next value and returns the mean. Values that are not finite
// change nothing.
func (a *average) add(x, v float64) float64 {
	if !finite(v) {
		return a.mean()
	}
	if a.weight == 0 || !a.any {
		a.sum, a.total, a.x, a.any = v, 1, x, true
		return v
	}
	power := a.fade(x - a.x)
	next, total := a.sum*power+v, a.total*power+1
	if !finite(next) { // the sum of two huge values
		next, total = v, 1
	}
	a.sum, a.total, a.x = next, total, x
	return a.mean()
}

func (a *average) mean() float64 {
	if !a.any {
		return math.NaN()
	}
	return a.sum / a.total
}

// fade is how much of the old mean is left after a gap. A negative or unknown
// gap counts as one sample.
func (a *average) fade(gap float64) float64 {
	if a.unit > 0 && gap >= 0 && finite(gap) {
		gap /= a.unit
	} else {
		gap = 1
	}
	if gap != a.gap || a.power == 0 {
		a.gap, a.power = gap, math.Pow(a.weight, gap)
	}
	return a.power
}

// gapsSeen is how many gaps decide what counts as one sample.
const gapsSeen = 32

// unitOf is the usual gap between the first samples of a track, 0 when there
// is none.
func unitOf(t *series.Track) float64 {
	var gaps []float64
	for i := 1; i < len(t.Row) && len(gaps) < gapsSeen; i++ {
		if gap := t.Rows[t.Row[i]].X - t.Rows[t.Row[i-1]].X; gap > 0 && finite(gap) {
			gaps = append(gaps, gap)
		}
	}
	if len(gaps) == 0 {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

func finite(v float64) bool { return v-v == 0 }
