package charts

import (
	"math"
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

// curve is a track and what is worked out of it. When the track grows, only
// what came is looked at.
type curve struct {
	key   curveKey
	track series.Track
	// xs are the places of the points on the x axis in force, NaN for those
	// that have none.
	xs []float64
	// smooth is the running mean at each point.
	smooth []float64
	// spikes are the points that stand out; broken those that are not finite
	// where the one before was. Of very many the newest are kept.
	spikes, broken []int
	// kept is how many points count: a later attempt did the rest again.
	kept int

	running
	// saved are earlier states, the newest last: a thinned track rewrites its
	// last points, and what came before them need not be worked out again.
	saved [2]running
}

// running is what goes from point to point.
type running struct {
	n         int // points that were looked at
	nans      int // of them, that are not finite
	average   average
	watch     spikeWatch
	sorted    bool    // xs never go back
	low, high float64 // the smallest and largest of xs
}

// saveEvery is how many points lie between two saved states.
const saveEvery = 256

func newCurve(key curveKey) *curve { return &curve{key: key} }

func (c *curve) len() int { return len(c.track.Values) }

func (c *curve) row(i int) *series.Row { return &c.track.Rows[c.track.Row[i]] }

// take brings the curve up to a newer picture of its track.
func (c *curve) take(t series.Track, x func(*series.Row) float64, weight float64) {
	before := *c
	again := weight != c.average.weight
	rewound := !again && c.rewind(c.common(&t))
	if !rewound {
		c.forget()
		c.average = average{weight: weight, unit: unitOf(&t)}
	}
	c.track, c.kept = t, len(t.Values)
	for i := c.n; i < len(t.Values); i++ {
		c.add(i, x(c.row(i)))
	}
	if !again && !rewound && before.n > gapsSeen {
		c.inherit(&before)
	}
}

// common is how many points at the beginning of a track are the curve's.
func (c *curve) common(t *series.Track) int {
	return sort.Search(min(c.n, len(t.Values)), func(i int) bool {
		v := t.Values[i]
		return t.Rows[t.Row[i]].Line != c.row(i).Line || v != c.track.Values[i] && v == v
	})
}

// rewind goes back to the newest state that was made of at most n points; it
// is false when there is none, or too few points had told the usual gap.
func (c *curve) rewind(n int) bool {
	if c.n <= gapsSeen {
		return false
	}
	for _, state := range []running{c.running, c.saved[1], c.saved[0]} {
		if state.n > 0 && state.n <= n {
			c.running = state
			c.smooth, c.xs = c.smooth[:state.n], c.xs[:state.n]
			c.spikes, c.broken = below(c.spikes, state.n), below(c.broken, state.n)
			return true
		}
	}
	return false
}

func below(places []int, n int) []int { return places[:sort.SearchInts(places, n)] }

// forget drops all that was worked out.
func (c *curve) forget() {
	c.smooth, c.spikes, c.broken, c.xs = nil, nil, nil, nil
	c.running = running{sorted: true, low: math.Inf(1), high: math.Inf(-1)}
	c.saved = [2]running{}
}

// add takes the next point.
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
	c.place(x)
	if c.n = i + 1; c.n%saveEvery == 0 {
		c.saved = [2]running{c.saved[1], c.running}
	}
}

// manyMarks bounds how many points of a sort are marked on one curve.
const manyMarks = 1000

func newest(places []int) []int {
	if len(places) < 2*manyMarks {
		return places
	}
	return append([]int(nil), places[manyMarks:]...)
}

// place puts the next point on the x axis.
func (c *curve) place(x float64) {
	if !finite(x) {
		c.xs, c.sorted = append(c.xs, math.NaN()), false
		return
	}
	if x < c.high {
		c.sorted = false
	}
	c.xs, c.low, c.high = append(c.xs, x), min(c.low, x), max(c.high, x)
}

// inherit keeps the means that were worked out while all samples were there:
// a track that has been thinned since would give others.
func (c *curve) inherit(before *curve) {
	at := 0
	for i := range c.smooth {
		line := c.row(i).Line
		for at < before.len() && before.row(at).Line < line {
			at++
		}
		if at < before.len() && before.row(at).Line == line {
			c.smooth[i] = before.smooth[at]
		}
	}
	if n := c.len(); n > 0 && before.len() > 0 && before.row(before.len()-1).Line == c.row(n-1).Line {
		c.average = before.average
	}
}

// after is the first point, by x, that is not before a place; -1 without one.
// Points that were done again do not count, nor does after where they stand.
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

// before is the last point, by x, before a place; -1 without one.
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

// find is the point read from a line, or from the last one before it; -1
// without one.
func (c *curve) find(line int64) int {
	return sort.Search(c.len(), func(i int) bool { return c.row(i).Line > line }) - 1
}

// sight is the points whose place is between two, with one more on either
// side so that lines go on to the edges.
func (c *curve) sight(from, to int, low, high float64) (first, last int) {
	if !c.sorted {
		return from, to
	}
	first = max(from, sort.SearchFloat64s(c.xs[:to], low)-1)
	last = min(to, sort.Search(to, func(i int) bool { return c.xs[i] > high })+1)
	return first, max(first, last)
}

// inside are the values among some whose place is between two.
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

// until is the last point whose row something holds for, when it holds for
// all before it; -1 without one.
func (c *curve) until(holds func(*series.Row) bool) int {
	return sort.Search(c.len(), func(i int) bool { return !holds(c.row(i)) }) - 1
}
