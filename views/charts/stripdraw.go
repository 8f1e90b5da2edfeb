package charts

import (
	"math"
	"slices"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// drawn caches the last drawing of a strip: moving the crosshair does not draw
// it again.
type drawn struct {
	key    drawnKey
	raster draw.Raster
	y      draw.Scale
	yRange yRange
	ticks  []draw.Tick
	odd    int // the rank that is drawn in a colour, -1 for none
}

// drawnKey is everything that a drawn strip depends on.
type drawnKey struct {
	run           *series.Run
	others        string
	job           *train.Job
	theme         *themes.Theme
	width, height int
	view          window
	axis          axis
	weight        int
	y             yMode
	log, allRanks bool
	rank          int
	over          string
}

// painter paints one strip of a sheet.
type painter struct {
	*sheet
	strip strip
	d     *drawn
	x     draw.Scale
}

// Pens. Faint ones are sparse where there are no colours.
func (p *painter) faint() draw.Pen {
	return draw.Pen{Role: themes.Rule, Layer: draw.LayerBand, Sparse: p.theme.Name == themes.Plain}
}

func (p *painter) rest() draw.Pen {
	return draw.Pen{Role: themes.Dim, Layer: draw.LayerRest, Sparse: p.theme.Name == themes.Plain}
}

func (p *painter) bright(role themes.Role) draw.Pen {
	return draw.Pen{Role: role, Layer: draw.LayerLine}
}

// Roles of curves.
const (
	roleMain = themes.Name0
	roleOver = themes.Name3
	roleOdd  = themes.Bad
)

// strip draws one strip in a plot of some cells, unless it is drawn already.
func (s *sheet) strip(st strip, width int) *drawn {
	d := s.drawn[st.metric]
	if d == nil {
		d = &drawn{}
		s.drawn[st.metric] = d
	}
	key := drawnKey{
		run: s.run, others: s.othersKey(), job: s.job, theme: s.theme, width: width, height: st.height, view: s.view(),
		axis: s.axis, weight: s.weight, y: s.y, log: s.log, allRanks: s.allRanks, rank: s.rank, over: st.over,
	}
	if d.key == key {
		return d
	}
	d.key = key
	d.raster.Reset(width, st.height)
	p := painter{sheet: s, strip: st, d: d, x: s.xScale(width)}
	p.chooseRange()
	d.y = draw.NewScale(d.yRange.low, d.yRange.high, s.logFor(st.metric), st.height*draw.DotsY)
	d.ticks = draw.Ticks(d.yRange.low, d.yRange.high, max(1, st.height*2/3), s.logFor(st.metric))
	p.paint()
	return d
}

// logFor reports whether a metric is drawn on a logarithmic axis: those that
// measure the quality of the model, and the gradients.
func (s *sheet) logFor(metric string) bool {
	return s.log && (metric == s.focused() || metric == s.main)
}

// chooseRange computes the range of the y axis from the visible points.
func (p *painter) chooseRange() {
	v := p.view()
	lines := p.lines(p.strip.metric, p.rank)
	if p.allRanks {
		lines = p.of(p.strip.metric)
	}
	sight := append(p.inSight(lines), p.inSight(p.lines(p.strip.over, p.rank))...)
	if r, fixed := p.fixed[p.strip.metric]; fixed && p.y == yFixed {
		p.d.yRange = r.counting(sight, p.logFor(p.strip.metric))
		return
	}
	newest := math.NaN()
	if v.high >= p.own().high {
		newest = newestOf(p.lines(p.strip.metric, p.rank))
	}
	p.d.yRange = rangeOf(sight, p.y, p.logFor(p.strip.metric), newest)
	p.widenForOthers(sight)
}

// inSight are the values of curves in the visible part of the axis.
func (p *painter) inSight(lines []*curve) (sight [][]float64) {
	v := p.view()
	for _, c := range lines {
		sight = append(sight, c.inside(c.track.Values, c.len(), v.low, v.high))
	}
	return sight
}

// widenForOthers widens the range of the y axis to that of each job that is
// laid over. Each has a range of its own: the few points of one job would be
// outliers among the many of another.
func (p *painter) widenForOthers(own [][]float64) {
	r, some := &p.d.yRange, anyFinite(own)
	for _, o := range p.others {
		sight := p.inSight(o.curves(p.strip.metric))
		if !anyFinite(sight) {
			continue
		}
		theirs := rangeOf(sight, p.y, p.logFor(p.strip.metric), math.NaN())
		if !some {
			r.low, r.high, some = theirs.low, theirs.high, true
		}
		r.low, r.high = min(r.low, theirs.low), max(r.high, theirs.high)
	}
	least := math.Inf(-1)
	if p.logFor(p.strip.metric) {
		least = 0
	}
	r.above, r.below = 0, 0
	r.countOutside(own, least)
}

func anyFinite(sight [][]float64) bool {
	return slices.ContainsFunc(sight, func(values []float64) bool { return slices.ContainsFunc(values, finite) })
}

// paint draws everything of a strip, the least important first.
func (p *painter) paint() {
	p.rules()
	lines := p.lines(p.strip.metric, p.rank)
	p.d.odd = -1
	if p.allRanks {
		p.ranks()
	}
	for _, c := range lines {
		if p.smoothed(p.strip.metric) {
			p.curve(c, c.track.Values, 0, c.kept, p.faint())
		}
		p.curve(c, c.track.Values, max(0, c.kept-1), c.len(), p.rest())
	}
	for _, o := range p.others {
		p.otherCurve(o)
	}
	for _, c := range p.lines(p.strip.over, p.rank) {
		p.curve(c, c.track.Values, 0, c.kept, p.bright(roleOver))
		p.evaluations(c)
	}
	for _, c := range lines {
		p.curve(c, p.values(c), 0, c.kept, p.bright(roleMain))
	}
	p.outside(lines)
	p.labels()
}

// smoothed reports whether a metric is smoothed: a learning rate is not noisy,
// and its corners matter.
func (s *sheet) smoothed(metric string) bool { return s.weight > 0 && metric != train.MetricLR }

// values are the brightly drawn values of a curve: its means, or its points.
func (s *sheet) values(c *curve) []float64 {
	if s.smoothed(c.key.metric) {
		return c.smooth
	}
	return c.track.Values
}

// curve draws some points of a curve.
func (p *painter) curve(c *curve, values []float64, from, to int, pen draw.Pen) {
	if from >= to {
		return
	}
	v := p.view()
	from, to = c.sight(from, to, v.low, v.high)
	p.d.raster.Curve(p.x, p.d.y, draw.Points{X: c.xs[from:to], Y: values[from:to], Ascending: c.sorted}, pen)
}

// evaluations marks the points of a curve that has few: evaluations are single
// moments, and without colours only the marks distinguish the curve.
func (p *painter) evaluations(c *curve) {
	width, height := p.d.raster.Size()
	v := p.view()
	from, to := c.sight(0, c.kept, v.low, v.high)
	if to-from > width/2 {
		return
	}
	sign := []rune(p.theme.Glyphs.Marked)[0]
	for i := from; i < to; i++ {
		if value := c.track.Values[i]; p.d.y.Has(value) && p.x.Has(c.xs[i]) {
			row := height - 1 - p.d.y.Dot(value)/draw.DotsY
			p.d.raster.Sign(cellOf(p.x.Dot(c.xs[i])), row, sign, draw.Pen{Role: roleOver, Layer: draw.LayerSign})
		}
	}
}

// cellOf is the cell of a dot, counted to the right or up.
func cellOf(dot int) int {
	if dot < 0 {
		return -1
	}
	return dot / draw.DotsX
}

// rules draws a rule where each later attempt begins.
func (p *painter) rules() {
	sign := []rune(p.theme.Glyphs.Split)[0]
	for i := range p.marks {
		if m := &p.marks[i]; m.kind == markRestart {
			p.d.raster.Rule(cellOf(p.x.Dot(m.x)), sign, draw.Pen{Role: themes.Redoing, Layer: draw.LayerRule})
		}
	}
}

// outside marks the columns with values above, below or without a position.
func (p *painter) outside(lines []*curve) {
	_, height := p.d.raster.Size()
	g := &p.theme.Glyphs
	r := &p.d.yRange
	v := p.view()
	for _, c := range lines {
		if r.above+r.below == 0 && c.nans == 0 && !p.d.y.Log {
			continue
		}
		from, to := c.sight(0, c.len(), v.low, v.high)
		for i, value := range c.track.Values[from:to] {
			row, sign, role := height-1, g.Below, themes.Waiting
			switch {
			case !finite(value):
				sign, role = g.Broken, themes.Bad
			case p.d.y.Log && value <= 0:
				sign = g.Below
			case value > r.high:
				row, sign = 0, g.Above
			case value >= r.low:
				continue
			}
			if at := c.xs[from+i]; p.x.Has(at) {
				p.d.raster.Sign(cellOf(p.x.Dot(at)), row, []rune(sign)[0], draw.Pen{Role: role, Layer: draw.LayerSign})
			}
		}
	}
}

// labels writes beside the rules of a strip's plot why training restarted,
// where the cells are free.
func (p *painter) labels() {
	width, height := p.d.raster.Size()
	if p.strip.metric != p.focused() || height < leastMain {
		return
	}
	pen := draw.Pen{Role: themes.Redoing, Layer: draw.LayerSign}
	for _, m := range slices.Backward(p.marks) {
		if m.kind != markRestart {
			continue
		}
		text, at := draw.Clean(m.text), cellOf(p.x.Dot(m.x))
		if at < 0 || at >= width {
			continue
		}
		w := draw.Width(text)
		for row := range min(height/2, 4) {
			if p.d.raster.Free(at+1, row, w+1, draw.LayerRule) {
				p.d.raster.Text(at+2, row, text, pen)
				break
			}
			if p.d.raster.Free(at-w-2, row, w+1, draw.LayerRule) {
				p.d.raster.Text(at-w-1, row, text, pen)
				break
			}
		}
	}
}
