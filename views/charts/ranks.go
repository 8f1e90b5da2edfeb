package charts

import (
	"math"
	"slices"

	"github.com/traintop/traintop/views/draw"
)

// fewRanks is up to how many ranks are drawn one by one; more are a band from
// the smallest to the largest.
const fewRanks = 8

// ranks draws the ranks beside the bright one: grey, the odd one in a colour.
func (s *sheet) ranks(metric string, d *drawn, x draw.Scale) {
	all := s.ranksOf(metric)
	if len(all) < 2 {
		return
	}
	d.odd = s.oddOf(metric)
	if len(all) > fewRanks {
		s.band(metric, d, x)
	}
	for _, c := range s.of(metric) {
		switch {
		case c.key.rank == d.odd:
			s.curve(d, x, c, s.values(c), 0, c.kept, s.bright(roleOdd))
		case c.key.rank != s.rank && len(all) <= fewRanks:
			s.curve(d, x, c, s.values(c), 0, c.kept, s.rest())
		}
	}
}

// band fills the space between the smallest and the largest of all ranks.
func (s *sheet) band(metric string, d *drawn, x draw.Scale) {
	width, _ := d.raster.Size()
	var band draw.Band
	band.Reset(width * draw.DotsX)
	v := s.view()
	for _, c := range s.of(metric) {
		from, to := c.sight(0, c.kept, v.low, v.high)
		band.Add(x, c.xs[from:to], s.values(c)[from:to])
	}
	pen := s.faint()
	pen.Sparse = true
	d.raster.Band(d.y, &band, pen)
}

// A rank is odd when its newest mean is this many times further from the
// ranks' median than they usually are, and by this share of it.
const (
	oddSpread = 6
	oddShare  = 0.05
)

// oddOf is the rank that differs most from the others, -1 when none is odd.
func (s *sheet) oddOf(metric string) int {
	ranks := s.ranksOf(metric)
	if len(ranks) < 3 {
		return -1
	}
	newest := make([]float64, len(ranks))
	for i, rank := range ranks {
		newest[i] = newestOf(s.lines(metric, rank))
	}
	middle := median(newest)
	apart := make([]float64, len(ranks))
	for i := range newest {
		apart[i] = math.Abs(newest[i] - middle)
	}
	limit := max(oddSpread*median(apart), oddShare*math.Abs(middle))
	odd, most := -1, limit
	for i, by := range apart {
		if by > most || !finite(newest[i]) && finite(middle) && odd < 0 {
			odd, most = ranks[i], max(most, by)
		}
	}
	return odd
}

func (s *sheet) ranksOf(metric string) []int { return s.book.ranks(metric) }

// median is that of the finite values, NaN without one.
func median(values []float64) float64 {
	var known []float64
	for _, v := range values {
		if finite(v) {
			known = append(known, v)
		}
	}
	if len(known) == 0 {
		return math.NaN()
	}
	slices.Sort(known)
	return known[len(known)/2]
}
