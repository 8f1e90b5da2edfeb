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
func (p *painter) ranks() {
	metric := p.strip.metric
	all := p.ranksOf(metric)
	if len(all) < 2 {
		return
	}
	p.d.odd = p.oddOf(metric)
	if len(all) > fewRanks {
		p.band()
	}
	for _, c := range p.of(metric) {
		switch {
		case c.key.rank == p.d.odd:
			p.curve(c, p.values(c), 0, c.kept, p.bright(roleOdd))
		case c.key.rank != p.rank && len(all) <= fewRanks:
			p.curve(c, p.values(c), 0, c.kept, p.rest())
		}
	}
}

// band fills the space between the smallest and the largest of all ranks.
func (p *painter) band() {
	width, _ := p.d.raster.Size()
	var band draw.Band
	band.Reset(width * draw.DotsX)
	v := p.view()
	for _, c := range p.of(p.strip.metric) {
		from, to := c.sight(0, c.kept, v.low, v.high)
		band.Add(p.x, c.xs[from:to], p.values(c)[from:to])
	}
	pen := p.faint()
	pen.Sparse = true
	p.d.raster.Band(p.d.y, &band, pen)
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

func (s *sheet) ranksOf(metric string) []int { return s.curveSet.ranks(metric) }

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
