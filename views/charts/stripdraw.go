package charts

import (
	"math"
	"slices"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// drawn is a strip as it was drawn last: moving the crosshair does not draw
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

// Pens. What is faint is sparse where there are no colours.
func (s *sheet) faint() draw.Pen {
	return draw.Pen{Role: themes.Rule, Layer: draw.LayerBand, Sparse: s.theme.Name == themes.Plain}
}

func (s *sheet) rest() draw.Pen {
	return draw.Pen{Role: themes.Dim, Layer: draw.LayerRest, Sparse: s.theme.Name == themes.Plain}
}

func (s *sheet) bright(role themes.Role) draw.Pen {
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
	s.chooseRange(st, d)
	d.y = draw.NewScale(d.yRange.low, d.yRange.high, s.logFor(st.metric), st.height*draw.DotsY)
	d.ticks = draw.Ticks(d.yRange.low, d.yRange.high, max(1, st.height*2/3), s.logFor(st.metric))
	d.raster.Reset(width, st.height)
	s.paint(st, d)
	return d
}

// logFor reports whether a metric is drawn on a logarithmic axis: the ones
// that are about how good the model is, and the gradients.
func (s *sheet) logFor(metric string) bool {
	return s.log && (metric == s.focused() || metric == s.main)
}

// chooseRange finds what the y axis spans, from what is in sight.
func (s *sheet) chooseRange(st strip, d *drawn) {
	if r, fixed := s.fixed[st.metric]; fixed && s.y == yFixed {
		d.yRange = r
		return
	}
	v := s.view()
	var sight [][]float64
	lines := s.lines(st.metric, s.rank)
	if s.allRanks {
		lines = s.of(st.metric)
	}
	for _, c := range lines {
		sight = append(sight, c.inside(c.track.Values, c.len(), v.low, v.high))
	}
	for _, c := range s.lines(st.over, s.rank) {
		sight = append(sight, c.inside(c.track.Values, c.len(), v.low, v.high))
	}
	newest := math.NaN()
	if v.high >= s.whole().high {
		newest = newestOf(s.lines(st.metric, s.rank))
	}
	d.yRange = rangeOf(sight, s.y, s.logFor(st.metric), newest)
}

// paint draws everything of a strip, the least important first.
func (s *sheet) paint(st strip, d *drawn) {
	width, _ := d.raster.Size()
	x := s.xScale(width)
	s.rules(d, x)
	lines := s.lines(st.metric, s.rank)
	d.odd = -1
	if s.allRanks {
		s.ranks(st.metric, d, x)
	}
	for _, c := range lines {
		if s.smoothed(st.metric) {
			s.curve(d, x, c, c.track.Values, 0, c.kept, s.faint())
		}
		s.curve(d, x, c, c.track.Values, max(0, c.kept-1), c.len(), s.rest())
	}
	if st.metric == s.main {
		for _, o := range s.others {
			s.otherCurve(d, x, o)
		}
	}
	for _, c := range s.lines(st.over, s.rank) {
		s.curve(d, x, c, c.track.Values, 0, c.kept, s.bright(roleOver))
		s.evaluations(d, x, c)
	}
	for _, c := range lines {
		s.curve(d, x, c, s.values(c), 0, c.kept, s.bright(roleMain))
	}
	s.outside(d, x, lines)
	s.labels(d, x, st.metric)
}

// smoothed reports whether a metric is smoothed: a learning rate is not noisy,
// and its corners are what matters.
func (s *sheet) smoothed(metric string) bool { return s.weight > 0 && metric != train.MetricLR }

// values are what is drawn brightly of a curve: its means, or its points.
func (s *sheet) values(c *curve) []float64 {
	if s.smoothed(c.key.metric) {
		return c.smooth
	}
	return c.track.Values
}

// curve draws some points of a curve.
func (s *sheet) curve(d *drawn, x draw.Scale, c *curve, values []float64, from, to int, pen draw.Pen) {
	if from >= to {
		return
	}
	v := s.view()
	from, to = c.sight(from, to, v.low, v.high)
	d.raster.Curve(x, d.y, draw.Points{X: c.xs[from:to], Y: values[from:to], Ascending: c.sorted}, pen)
}

// evaluations marks the points of a curve that has few: evaluations are single
// moments, and without colours the marks tell the curve.
func (s *sheet) evaluations(d *drawn, x draw.Scale, c *curve) {
	width, height := d.raster.Size()
	v := s.view()
	from, to := c.sight(0, c.kept, v.low, v.high)
	if to-from > width/2 {
		return
	}
	sign := []rune(s.theme.Glyphs.Marked)[0]
	for i := from; i < to; i++ {
		if value := c.track.Values[i]; d.y.Has(value) && x.Has(c.xs[i]) {
			row := height - 1 - d.y.Dot(value)/draw.DotsY
			d.raster.Sign(cellOf(x.Dot(c.xs[i])), row, sign, draw.Pen{Role: roleOver, Layer: draw.LayerSign})
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
func (s *sheet) rules(d *drawn, x draw.Scale) {
	sign := []rune(s.theme.Glyphs.Split)[0]
	for i := range s.marks {
		if m := &s.marks[i]; m.kind == markRestart {
			d.raster.Rule(cellOf(x.Dot(m.x)), sign, draw.Pen{Role: themes.Redoing, Layer: draw.LayerRule})
		}
	}
}

// outside marks the columns with values above, below or without a place.
func (s *sheet) outside(d *drawn, x draw.Scale, lines []*curve) {
	_, height := d.raster.Size()
	g := &s.theme.Glyphs
	r := &d.yRange
	v := s.view()
	for _, c := range lines {
		if r.above+r.below == 0 && c.nans == 0 && !d.y.Log {
			continue
		}
		from, to := c.sight(0, c.len(), v.low, v.high)
		for i, value := range c.track.Values[from:to] {
			row, sign, role := height-1, g.Below, themes.Waiting
			switch {
			case !finite(value):
				sign, role = g.Broken, themes.Bad
			case d.y.Log && value <= 0:
				sign = g.Below
			case value > r.high:
				row, sign = 0, g.Above
			case value >= r.low:
				continue
			}
			if at := c.xs[from+i]; x.Has(at) {
				d.raster.Sign(cellOf(x.Dot(at)), row, []rune(sign)[0], draw.Pen{Role: role, Layer: draw.LayerSign})
			}
		}
	}
}

// labels says beside the rules of a strip's plot why training began again,
// where nothing stands in the way.
func (s *sheet) labels(d *drawn, x draw.Scale, metric string) {
	width, height := d.raster.Size()
	if metric != s.focused() || height < leastMain {
		return
	}
	pen := draw.Pen{Role: themes.Redoing, Layer: draw.LayerSign}
	for _, m := range slices.Backward(s.marks) {
		if m.kind != markRestart {
			continue
		}
		text, at := draw.Clean(m.text), cellOf(x.Dot(m.x))
		if at < 0 || at >= width {
			continue
		}
		w := draw.Width(text)
		for row := range min(height/2, 4) {
			if d.raster.Free(at+1, row, w+1, draw.LayerRule) {
				d.raster.Text(at+2, row, text, pen)
				break
			}
			if d.raster.Free(at-w-2, row, w+1, draw.LayerRule) {
				d.raster.Text(at-w-1, row, text, pen)
				break
			}
		}
	}
}
