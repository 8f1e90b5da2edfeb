package charts

import (
	"math"
	"slices"
	"sort"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// curveKey names a curve: a metric of a rank in one attempt.
type curveKey struct {
	metric  string
	stream  train.StreamID
	rank    int
	attempt int
}

// curve is a track and what is computed from it. When the track grows, only new
// points are processed.
type curve struct {
	key   curveKey
	track series.Track
	// xs are the positions of the points on the current x axis, NaN for points
	// that have none.
	xs []float64
	// smooth is the running mean at each point.
	smooth []float64
	// spikes are the outliers; broken are points that are not finite where the
	// one before was. Of very many the newest are kept.
	spikes, broken []int
	// kept is how many points count: a later attempt repeated the rest.
	kept int

	running
	// saved are earlier states, the newest last: a thinned track rewrites its
	// last points, and earlier points need not be processed again.
	saved [2]running
}

// running is the state carried from point to point.
type running struct {
	n         int // points processed
	nans      int // of them, not finite
	average   average
	watch     spikeWatch
	sorted    bool    // xs never decrease
	low, high float64 // the smallest and largest of xs
}

// saveEvery is the number of points between two saved states.
const saveEvery = 256

func newCurve(key curveKey) *curve { return &curve{key: key} }

func (c *curve) len() int { return len(c.track.Values) }

func (c *curve) row(i int) *series.Row { return &c.track.Rows[c.track.Row[i]] }

// take updates the curve from a newer snapshot of its track.
func (c *curve) take(t series.Track, x func(*series.Row) float64, weight float64) {
	again := weight != c.average.weight
	old := legacy{track: c.track, average: c.average}
	if again || c.n <= gapsSeen { // too few points to know the usual gap
		c.forget()
		c.average = average{weight: weight, unit: unitOf(&t)}
	} else if common := c.common(&t); common < c.n {
		c.rewind(common, &old)
	}
	c.track, c.kept = t, len(t.Values)
	for i := c.n; i < len(t.Values); i++ {
		c.add(i, x(c.row(i)))
		old.hand(c, i)
	}
}

// common is how many points at the beginning of a track the curve has processed
// already.
func (c *curve) common(t *series.Track) int {
	return sort.Search(min(c.n, len(t.Values)), func(i int) bool {
		v := t.Values[i]
		return t.Rows[t.Row[i]].Line != c.row(i).Line || v != c.track.Values[i] && v == v
	})
}

// rewind returns to the newest saved state made of at most n points, and leaves
// results of the later points to old.
func (c *curve) rewind(n int, old *legacy) {
	state := running{sorted: true, low: math.Inf(1), high: math.Inf(-1), average: average{weight: c.average.weight, unit: c.average.unit}}
	for _, saved := range c.saved {
		if saved.n > 0 && saved.n <= n {
			state = saved
		}
	}
	old.from, old.means = state.n, slices.Clone(c.smooth[state.n:])
	c.running = state
	c.smooth, c.xs = c.smooth[:state.n], c.xs[:state.n]
	c.spikes, c.broken = below(c.spikes, state.n), below(c.broken, state.n)
	for i := range c.saved {
		if c.saved[i].n > state.n {
			c.saved[i] = running{}
		}
	}
}

func below(rows []int, n int) []int { return rows[:sort.SearchInts(rows, n)] }

// forget drops all computed results.
func (c *curve) forget() {
	c.smooth, c.spikes, c.broken, c.xs = nil, nil, nil, nil
	c.running = running{sorted: true, low: math.Inf(1), high: math.Inf(-1)}
	c.saved = [2]running{}
}

// add processes the next point.
func (c *curve) add(i int, x float64) {
	v := c.track.Values[i]
	if !finite(v) {
		if c.nans++; i == 0 || finite(c.track.Values[i-1]) {
			c.broken = append(newest(c.broken), i)
		}
	}
	if c.watch.add(v) {
		c.spikes = append(newest(c.spikes), i)
	}
	c.smooth = append(c.smooth, c.average.add(c.row(i).X, v))
	c.addX(x)
	if c.n = i + 1; c.n%saveEvery == 0 {
		c.saved = [2]running{c.saved[1], c.running}
	}
}

// manyMarks bounds how many points of a sort are marked on one curve.
const manyMarks = 1000

func newest(rows []int) []int {
	if len(rows) < 2*manyMarks {
		return rows
	}
	return append([]int(nil), rows[manyMarks:]...)
}

// addX adds the next point to the x axis.
func (c *curve) addX(x float64) {
	if !finite(x) {
		c.xs, c.sorted = append(c.xs, math.NaN()), false
		return
	}
	if x < c.high {
		c.sorted = false
	}
	c.xs, c.low, c.high = append(c.xs, x), min(c.low, x), max(c.high, x)
}

// legacy holds means computed while all samples were there: a track that has
// been thinned since would give other means.
type legacy struct {
	track   series.Track
	from    int // the point of the first of means
	means   []float64
	average average // after the last of them
	at      int
}

// hand gives an old point the mean that it had.
func (l *legacy) hand(c *curve, i int) {
	lineAt := func(k int) int64 { return l.track.Rows[l.track.Row[l.from+k]].Line }
	line := c.row(i).Line
	for l.at < len(l.means) && lineAt(l.at) < line {
		l.at++
	}
	if l.at == len(l.means) || lineAt(l.at) != line {
		return
	}
	c.smooth[i] = l.means[l.at]
	if l.at == len(l.means)-1 {
		c.average = l.average
	}
}

// after returns the first point, by x, that is not before a position; -1
// without one. Points that were repeated do not count, nor does the point named
// by after.
func (c *curve) after(x float64) int {
	if c.sorted {
		if i := sort.SearchFloat64s(c.xs[:c.kept], x); i < c.kept {
			return i
		}
		return -1
	}
	best := -1
	for i, at := range c.xs[:c.kept] {
		if at >= x && (best < 0 || at < c.xs[best]) {
			best = i
		}
	}
	return best
}

// before returns the last point, by x, before a position; -1 without one.
func (c *curve) before(x float64) int {
	if c.sorted {
		return sort.SearchFloat64s(c.xs[:c.kept], x) - 1
	}
	best := -1
	for i, at := range c.xs[:c.kept] {
		if at < x && (best < 0 || at >= c.xs[best]) {
			best = i
		}
	}
	return best
}

// find returns the point read from a line, or from the last line before it; -1
// without one.
func (c *curve) find(line int64) int {
	return sort.Search(c.len(), func(i int) bool { return c.row(i).Line > line }) - 1
}

// sight returns the points between two positions, with one more on either side
// so that lines reach the edges.
func (c *curve) sight(from, to int, low, high float64) (first, last int) {
	if !c.sorted {
		return from, to
	}
	first = max(from, sort.SearchFloat64s(c.xs[:to], low)-1)
	last = min(to, sort.Search(to, func(i int) bool { return c.xs[i] > high })+1)
	return first, max(first, last)
}

// inside returns those values whose position is between two.
func (c *curve) inside(values []float64, to int, low, high float64) []float64 {
	if c.sorted {
		first := sort.SearchFloat64s(c.xs[:to], low)
		last := sort.Search(to, func(i int) bool { return c.xs[i] > high })
		return values[first:max(first, last)]
	}
	var in []float64
	for i, x := range c.xs[:to] {
		if x >= low && x <= high {
			in = append(in, values[i])
		}
	}
	return in
}

// until returns the last point for which holds is true, when it is true for all
// points before it; -1 without one.
func (c *curve) until(holds func(*series.Row) bool) int {
	return sort.Search(c.len(), func(i int) bool { return !holds(c.row(i)) }) - 1
}
