package charts

import (
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

// frame is where the parts of the sheet stand, in cells.
type frame struct {
	width  int
	gutter int // labels of the y axis, with the axis itself
	plot   int
	legend int // names and values beside the plot, with a blank before them
}

// Widths, found by feel.
const (
	gutterCells  = 8
	legendCells  = 16
	legendWide   = 22
	legendFrom   = 60 // the width of a screen that has room for a legend
	legendWideAt = 130
)

func frameOf(width int) frame {
	f := frame{width: width, gutter: gutterCells}
	switch {
	case width >= legendWideAt:
		f.legend = legendWide
	case width >= legendFrom:
		f.legend = legendCells
	}
	f.plot = max(1, width-f.gutter-f.legend)
	return f
}

// stripRows draws a strip with its axis and legend. cross is the cell of the
// crosshair, -1 without one, and x the place it stands for.
func (s *sheet) stripRows(st strip, f frame, cross int, x float64) []string {
	d := s.strip(st, f.plot)
	labels := rowLabels(d, st.height)
	legend := s.legend(st, d, x)
	rule := draw.Cross{Column: cross, Sign: s.theme.Glyphs.Divider, Role: themes.Accent}
	rows := make([]string, st.height)
	for row := range rows {
		line := draw.NewLine(s.theme, f.width, false)
		line.Fit(themes.Dim, labels[row], f.gutter-1, true).Add(themes.Rule, axisSign(s.theme, labels[row]))
		line.Raster(&d.raster, row, rule)
		if f.legend > 0 && row < len(legend) {
			line.Add(themes.Text, " ")
			for _, part := range legend[row] {
				line.Add(part.Role, part.Text)
			}
		}
		rows[row] = line.String()
	}
	if f.legend == 0 {
		rows[0] = s.nameInPlot(st, d, f, labels[0], rule, legend)
	}
	return rows
}

func axisSign(t *themes.Theme, label string) string {
	if label == "" {
		return t.Glyphs.Divider
	}
	return t.Glyphs.Axis
}

// nameInPlot is the first row of a strip that has no legend: the name and the
// value stand at the right end of the plot.
func (s *sheet) nameInPlot(st strip, d *drawn, f frame, label string, rule draw.Cross, legend [][]draw.Span) string {
	line := draw.NewLine(s.theme, f.width, false)
	line.Fit(themes.Dim, label, f.gutter-1, true).Add(themes.Rule, axisSign(s.theme, label))
	name := nameOf(st.metric)
	value := ""
	if len(legend) > 1 && len(legend[1]) > 0 {
		value = legend[1][0].Text
	}
	text := " " + draw.Clean(name) + " " + value
	if room := f.plot - draw.Width(text); room > 0 {
		line.RasterTo(&d.raster, 0, room, rule).Add(themes.Strong, text)
	} else {
		line.Raster(&d.raster, 0, rule)
	}
	return line.String()
}

// rowLabels are the labels of the y axis, by row from above.
func rowLabels(d *drawn, height int) []string {
	labels := make([]string, height)
	for _, t := range d.ticks {
		row := height - 1 - d.y.Dot(t.At)/draw.DotsY
		if row >= 0 && row < height && labels[row] == "" {
			labels[row] = t.Text
		}
	}
	return labels
}

// legend says what a strip shows and what it is at the crosshair: lines of
// spans. The first is the name, the second the value.
func (s *sheet) legend(st strip, d *drawn, x float64) [][]draw.Span {
	name := []draw.Span{{Text: draw.Clean(nameOf(st.metric)), Role: themes.Strong}}
	if s.logFor(st.metric) {
		name = append(name, draw.Span{Text: " log", Role: themes.Dim})
	}
	if st.metric == s.focused() && s.weight > 0 {
		name = append(name, draw.Span{Text: " EMA " + weightText(weights[s.weight]), Role: themes.Dim})
	}
	lines := [][]draw.Span{name}
	lines = append(lines, s.valueLine(st.metric, s.rank, x, roleMain))
	if st.over != "" {
		value := s.valueLine(st.over, s.rank, x, roleOver)
		lines = append(lines, append([]draw.Span{{Text: "eval ", Role: themes.Dim}}, value[:1]...))
	}
	if d.odd >= 0 {
		value := s.valueLine(st.metric, d.odd, x, roleOdd)
		lines = append(lines, append([]draw.Span{{Text: "rank " + draw.Step(float64(d.odd)) + " ", Role: themes.Dim}}, value[:1]...))
	}
	if r := &d.yRange; r.above > 0 {
		lines = append(lines, []draw.Span{{Text: draw.Count(r.above) + " above, max " + draw.Short(r.highest), Role: themes.Waiting}})
	}
	if r := &d.yRange; r.below > 0 {
		lines = append(lines, []draw.Span{{Text: draw.Count(r.below) + " below, min " + draw.Short(r.lowest), Role: themes.Waiting}})
	}
	if st.metric == s.main {
		lines = append(lines, s.deltas(x)...)
	}
	return lines
}

func weightText(w float64) string { return strings.TrimPrefix(draw.Short(w), "0") }

// valueLine is the value of a metric at a place, and its mean.
func (s *sheet) valueLine(metric string, rank int, x float64, role themes.Role) []draw.Span {
	c, i := s.at(metric, rank, x)
	if c == nil {
		return []draw.Span{{Text: s.theme.Glyphs.Dash, Role: themes.Dim}}
	}
	v := c.track.Values[i]
	if !finite(v) {
		role = themes.Bad
	}
	line := []draw.Span{{Text: draw.Value(v), Role: role}}
	if s.smoothed(metric) && finite(c.smooth[i]) {
		line = append(line, draw.Span{Text: " ~" + draw.Value(c.smooth[i]), Role: themes.Dim})
	}
	return line
}

// deltas compare with the other jobs at a place.
func (s *sheet) deltas(x float64) [][]draw.Span {
	var lines [][]draw.Span
	c, i := s.at(s.main, s.rank, x)
	for _, o := range s.others {
		line := []draw.Span{{Text: o.letter + " ", Role: o.role(s.theme)}}
		if c != nil {
			if by, any := s.delta(o, x, s.values(c)[i]); any {
				line = append(line, draw.Span{Text: draw.Delta(by) + " ", Role: themes.Text})
			}
		}
		lines = append(lines, append(line, draw.Span{Text: "vs " + draw.Clean(o.name), Role: themes.Dim}))
	}
	return lines
}

// markRow is the row of marks below the large strip.
func (s *sheet) markRow(f frame, cross int) string {
	var r draw.Raster
	r.Reset(f.plot, 1)
	x := s.xScale(f.plot)
	for kind := markCheckpoint; kind >= markBroken; kind-- {
		sign, role := markSign(s.theme, kind)
		for i := range s.marks {
			if m := &s.marks[i]; m.kind == kind {
				r.Sign(cellOf(x.Dot(m.x)), 0, []rune(sign)[0], draw.Pen{Role: role, Layer: draw.LayerSign})
			}
		}
	}
	line := draw.NewLine(s.theme, f.width, false).Fit(themes.Dim, "marks", f.gutter-1, true).Add(themes.Rule, s.theme.Glyphs.Divider)
	line.Raster(&r, 0, draw.Cross{Column: cross, Sign: s.theme.Glyphs.Divider, Role: themes.Accent})
	if f.legend > 0 {
		line.Add(themes.Text, " ")
		for kind := markBroken; kind <= markCheckpoint; kind++ {
			sign, role := markSign(s.theme, kind)
			if word := markWord(kind) + " "; s.count(kind) > 0 && line.Left() > draw.Width(word) {
				line.Add(role, sign).Add(themes.Dim, word)
			}
		}
	}
	return line.String()
}

func markSign(t *themes.Theme, kind markKind) (string, themes.Role) {
	switch kind {
	case markBroken:
		return t.Glyphs.Broken, themes.Bad
	case markRestart:
		return t.Glyphs.Restarting, themes.Redoing
	case markSpike:
		return t.Glyphs.Above, themes.Waiting
	}
	return t.Glyphs.Saved, themes.Dim
}

func markWord(kind markKind) string {
	return [...]string{"NaN", "restart", "spike", "ckpt"}[kind]
}

// xRow labels the x axis, and the crosshair's place on it.
func (s *sheet) xRow(f frame, cross int, at float64) string {
	x := s.xScale(f.plot)
	v := s.view()
	place := func(value float64) int { return cellOf(x.Dot(value)) }
	var r draw.Raster
	r.Reset(f.plot, 1)
	here, from, to := "", -1, -1 // what the crosshair covers
	if cross >= 0 {
		here = " " + s.axis.text(at) + " "
		from = max(0, min(cross-draw.Width(here)/2+1, f.plot-draw.Width(here)+2)) - 1
		to = from + draw.Width(here)
	}
	ticks, begins := draw.Spaced(s.axis.ticks(v.low, v.high, max(2, f.plot/12)), place, f.plot, 2)
	for i, t := range ticks {
		if end := begins[i] + draw.Width(t.Text); cross < 0 || end <= from || begins[i] >= to {
			r.Text(begins[i], 0, t.Text, draw.Pen{Role: themes.Dim, Layer: draw.LayerRest})
		}
	}
	r.Text(from, 0, here, draw.Pen{Role: themes.Accent, Layer: draw.LayerSign})
	line := draw.NewLine(s.theme, f.width, false).Fit(themes.Dim, s.axisWord(), f.gutter, false)
	return line.Raster(&r, 0, draw.Cross{Column: -1}).String()
}

// axisWord is what the x axis counts.
func (s *sheet) axisWord() string {
	switch s.axis {
	case byStep:
		return s.stepWord()
	case byLocal:
		zone, _ := s.now.In(s.axis.zone()).Zone()
		return zone
	}
	return s.axis.String()
}
