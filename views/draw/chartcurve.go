package draw

import (
	"math"
	"sort"
)

// Points are those of a curve, in order.
type Points struct {
	X, Y []float64
	// Ascending promises that X never decreases and holds no NaN; it saves
	// checking.
	Ascending bool
}

// Curve draws the line through points in their order, which need not be that of
// x. Points without a position on the axes break it; a single point is a dot.
//
// Points in the same column of dots are drawn as one stroke from the smallest
// to the largest: these are the dots that drawing every point gives, at the
// cost of one or two comparisons for each.
func (r *Raster) Curve(x, y Scale, p Points, pen Pen) {
	n := min(len(p.X), len(p.Y))
	p.X, p.Y = p.X[:n], p.Y[:n]
	least := math.Inf(-1) // what y can show is above it
	if y.Log {
		least = 0
	}
	var s stroke
	for i := 0; i < n; i++ {
		v := p.Y[i]
		if !finite(v) || !finite(p.X[i]) || v <= least {
			s.end(r, &y, pen)
			continue
		}
		at := x.Dot(p.X[i])
		was := s
		s.end(r, &y, pen)
		if was.open && at != was.at {
			r.segment(was.at, y.Dot(was.last), at, y.Dot(v), pen)
		}
		s = stroke{open: true, at: at, low: v, high: v, last: v}
		if was.open && at == was.at {
			s.low, s.high = min(s.low, was.low), max(s.high, was.high)
		}
		if p.Ascending {
			i = s.sweep(&x, least, p, i)
		} else {
			i = s.gather(&x, least, p, i)
		}
	}
	s.end(r, &y, pen)
}

// stroke is the sum of the points in one column of dots.
type stroke struct {
	open            bool
	at              int
	low, high, last float64
}

// sweep processes the points after i in the same column of dots, and returns
// the last of them. It is the inner loop of a chart: where x ascends, the end
// of the column is searched for, and only values are read.
func (s *stroke) sweep(x *Scale, least float64, p Points, i int) int {
	first := i + 1
	end := first + sort.Search(len(p.X)-first, func(k int) bool { return x.Dot(p.X[first+k]) > s.at })
	low, high := s.low, s.high
	for k, v := range p.Y[first:end] {
		if !(v > least && v <= math.MaxFloat64) {
			end = first + k
			break
		}
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	if end > first {
		s.last = p.Y[end-1]
	}
	s.low, s.high = low, high
	return end - 1
}

// gather is sweep for unordered points: one within the known range of the
// column needs no scale, any other ends it.
func (s *stroke) gather(x *Scale, least float64, p Points, i int) int {
	xs, ys := p.X, p.Y
	from, to := xs[i], xs[i]
	for step := 64; i+step < len(xs); {
		ahead := xs[i+step]
		if !(ahead >= to) || x.Dot(ahead) != s.at {
			if step /= 4; step == 0 {
				break
			}
			continue
		}
		to = ahead
		for end := i + step; i < end; i++ {
			at, v := xs[i+1], ys[i+1]
			if !(at >= from && at <= to && v > least && v <= math.MaxFloat64) {
				return i
			}
			if v < s.low {
				s.low = v
			}
			if v > s.high {
				s.high = v
			}
			s.last = v
		}
	}
	return i
}

func (s *stroke) end(r *Raster, y *Scale, pen Pen) {
	if s.open && s.at >= 0 && s.at < r.width*DotsX {
		r.column(s.at, y.Dot(s.low), y.Dot(s.high), pen)
	}
	s.open = false
}

// Band is the smallest and the largest value of several curves at each column
// of dots.
type Band struct{ lows, highs []float64 }

// Reset makes the band empty, and of this many columns of dots.
func (b *Band) Reset(columns int) {
	b.lows, b.highs = b.lows[:0], b.highs[:0]
	for range columns {
		b.lows, b.highs = append(b.lows, math.Inf(1)), append(b.highs, math.Inf(-1))
	}
}

// Add widens the band by the points of a curve.
func (b *Band) Add(x Scale, xs, ys []float64) {
	for i, v := range ys[:min(len(xs), len(ys))] {
		if !finite(v) || !x.Has(xs[i]) {
			continue
		}
		if at := x.Dot(xs[i]); at >= 0 && at < len(b.lows) {
			b.lows[at], b.highs[at] = min(b.lows[at], v), max(b.highs[at], v)
		}
	}
}

// Band fills a band. Columns between two that have values are filled as well.
func (r *Raster) Band(y Scale, b *Band, pen Pen) {
	before := -1
	for at := range b.lows {
		if b.lows[at] > b.highs[at] {
			continue
		}
		low, high := r.edges(&y, b, at)
		for between := before + 1; before >= 0 && between < at; between++ {
			fromLow, fromHigh := r.edges(&y, b, before)
			share := float64(between-before) / float64(at-before)
			r.column(between, mix(fromLow, low, share), mix(fromHigh, high, share), pen)
		}
		r.column(at, low, high, pen)
		before = at
	}
}

func (r *Raster) edges(y *Scale, b *Band, at int) (low, high int) {
	lowest := b.lows[at]
	if y.Log && lowest <= 0 {
		lowest = y.Low
	}
	return y.Dot(lowest), y.Dot(max(lowest, b.highs[at]))
}

func mix(a, b int, share float64) int { return a + int(math.Round(float64(b-a)*share)) }
