package charts

import (
	"math"
	"sort"
)

// timeAt is when training was at a position of the axis, in Unix seconds; NaN
// where the log has no times. Between two points of one attempt time is
// interpolated; between two attempts it is that of the end of the first.
func (s *sheet) timeAt(x float64) float64 {
	switch s.axis {
	case byUTC, byLocal:
		return x
	case byElapsed:
		return s.ran.instant(x)
	}
	at := math.NaN()
	for _, c := range s.lines(s.main, s.rank) {
		if !c.sorted || c.kept == 0 || c.xs[0] > x {
			continue
		}
		i := sort.Search(c.kept, func(i int) bool { return c.xs[i] > x }) - 1
		if c.row(i).Time == 0 {
			continue
		}
		at = float64(c.row(i).Time) / 1e9
		if next := i + 1; next < c.kept && c.row(next).Time != 0 {
			at += (x - c.xs[i]) / (c.xs[next] - c.xs[i]) * float64(c.row(next).Time-c.row(i).Time) / 1e9
		}
	}
	return at
}

// instant is when the job had been running for some seconds: the inverse of at.
func (u *uptime) instant(elapsed float64) float64 {
	if len(u.spans) == 0 {
		return u.begin + elapsed
	}
	if elapsed < 0 {
		return u.spans[0].from + elapsed
	}
	for _, s := range u.spans {
		if ran := s.to - s.from; elapsed > ran {
			elapsed -= ran
			continue
		}
		return s.from + elapsed
	}
	return math.NaN()
}

// edgesOf is when training was at the edges of each column of a plot: one more
// than there are columns. known is false when no edge has a time.
func (s *sheet) edgesOf(columns int) (edges []float64, known bool) {
	v := s.view()
	edges = make([]float64, columns+1)
	for i := range edges {
		edges[i] = s.timeAt(v.low + (v.high-v.low)*float64(i)/float64(columns))
		known = known || finite(edges[i])
	}
	return edges, known
}
