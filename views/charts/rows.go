package charts

import (
	"math"
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

// frame is the position of the parts of the sheet, in cells.
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

// rowWriter writes the rows of a sheet: strips with axes and legends, marks,
// the x axis. cross is the cell of the crosshair, -1 without one, and x its
// position on the axis.
type rowWriter struct {
	*sheet
	f     frame
	cross int
	x     float64
}

// crosshair is the vertical rule over a plot.
func (w *rowWriter) crosshair() draw.Cross {
	return draw.Cross{Column: w.cross, Sign: w.theme.Glyphs.Divider, Role: themes.Accent}
}

// stripRows draws a strip with its axis and legend.
func (w *rowWriter) stripRows(st strip) []string {
	d := w.strip(st, w.f.plot)
	labels := rowLabels(d, st.height)
	legend := w.legend(st, d)
	rows := make([]string, st.height)
	for row := range rows {
		line := draw.NewLine(w.theme, w.f.width, false)
		line.Fit(themes.Dim, labels[row], w.f.gutter-1, true).Add(themes.Rule, axisSign(w.theme, labels[row]))
		line.Raster(&d.raster, row, w.crosshair())
		if w.f.legend > 0 && row < len(legend) {
			line.Add(themes.Text, " ")
			for _, part := range legend[row] {
				line.Add(part.Role, part.Text)
			}
		}
		rows[row] = line.String()
	}
	if w.f.legend == 0 {
		rows[0] = w.nameInPlot(st, d, labels[0], legend)
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
// value are at the right end of the plot.
func (w *rowWriter) nameInPlot(st strip, d *drawn, label string, legend [][]draw.Span) string {
	line := draw.NewLine(w.theme, w.f.width, false)
	line.Fit(themes.Dim, label, w.f.gutter-1, true).Add(themes.Rule, axisSign(w.theme, label))
	name := nameOf(st.metric)
	value := ""
	if len(legend) > 1 && len(legend[1]) > 0 {
		value = legend[1][0].Text
	}
	text := " " + draw.Clean(name) + " " + value
	if room := w.f.plot - draw.Width(text); room > 0 {
		line.RasterTo(&d.raster, 0, room, w.crosshair()).Add(themes.Strong, text)
	} else {
		line.Raster(&d.raster, 0, w.crosshair())
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

// legend is the legend of a strip with its value at the crosshair: lines of
// spans. The first is the name, the second the value.
func (w *rowWriter) legend(st strip, d *drawn) [][]draw.Span {
	name := []draw.Span{{Text: draw.Clean(nameOf(st.metric)), Role: themes.Strong}}
	if w.logFor(st.metric) {
		name = append(name, draw.Span{Text: " log", Role: themes.Dim})
	}
	if st.metric == w.focused() && w.weight > 0 {
		name = append(name, draw.Span{Text: " EMA " + weightText(weights[w.weight]), Role: themes.Dim})
	}
	lines := [][]draw.Span{name}
	lines = append(lines, w.valueLine(st.metric, w.rank, roleMain))
	if st.over != "" {
		value := w.valueLine(st.over, w.rank, roleOver)
		lines = append(lines, append([]draw.Span{{Text: "eval ", Role: themes.Dim}}, value[:1]...))
	}
	if d.odd >= 0 {
		value := w.valueLine(st.metric, d.odd, roleOdd)
		lines = append(lines, append([]draw.Span{{Text: "rank " + draw.Step(float64(d.odd)) + " ", Role: themes.Dim}}, value[:1]...))
	}
	if r := &d.yRange; r.above > 0 {
		lines = append(lines, []draw.Span{{Text: draw.Count(r.above) + " above, max " + draw.Short(r.highest), Role: themes.Waiting}})
	}
	if r := &d.yRange; r.below > 0 {
		lines = append(lines, []draw.Span{{Text: draw.Count(r.below) + " below, min " + draw.Short(r.lowest), Role: themes.Waiting}})
	}
	return append(lines, w.deltas(st.metric)...)
}

func weightText(w float64) string { return strings.TrimPrefix(draw.Short(w), "0") }

// valueLine is the value of a metric at a position, and its mean.
func (w *rowWriter) valueLine(metric string, rank int, role themes.Role) []draw.Span {
	c, i := w.at(metric, rank, w.x)
	if c == nil {
		return []draw.Span{{Text: w.theme.Glyphs.Dash, Role: themes.Dim}}
	}
	v := c.track.Values[i]
	if !finite(v) {
		role = themes.Bad
	}
	line := []draw.Span{{Text: draw.Value(v), Role: role}}
	if w.smoothed(metric) && finite(c.smooth[i]) {
		line = append(line, draw.Span{Text: " ~" + draw.Value(c.smooth[i]), Role: themes.Dim})
	}
	return line
}

// deltas are the values of the other jobs at a position, and by how much the
// job's own differs from each. Beyond its end a job has its last value.
func (w *rowWriter) deltas(metric string) [][]draw.Span {
	var lines [][]draw.Span
	own := math.NaN()
	if c, i := w.at(metric, w.rank, w.x); c != nil {
		own = w.values(c)[i]
	}
	for _, o := range w.others {
		value, by, known := w.valueAt(o, metric, w.x, own)
		if !known {
			if c, i := o.at(metric, o.rank(metric), w.x); o.run != nil && c != nil && w.x > c.high {
				lines = append(lines, []draw.Span{
					{Text: o.letter + " " + draw.Value(w.values(c)[i]), Role: o.role}, {Text: " at " + w.axis.text(c.xs[i]), Role: themes.Dim},
				})
			}
			continue
		}
		line := []draw.Span{{Text: o.letter + " " + draw.Value(value), Role: o.role}}
		if delta := " (" + draw.Delta(by, value) + ")"; finite(by) && draw.Width(line[0].Text+delta) < w.f.legend {
			line = append(line, draw.Span{Text: delta, Role: themes.Dim})
		}
		lines = append(lines, line)
	}
	return lines
}

// markRow is the row of marks below the large strip.
func (w *rowWriter) markRow() string {
	var r draw.Raster
	r.Reset(w.f.plot, 1)
	x := w.xScale(w.f.plot)
	for kind := markCheckpoint; kind >= markBroken; kind-- {
		sign, role := markSign(w.theme, kind)
		for i := range w.marks {
			if m := &w.marks[i]; m.kind == kind {
				r.Sign(cellOf(x.Dot(m.x)), 0, []rune(sign)[0], draw.Pen{Role: role, Layer: draw.LayerSign})
			}
		}
	}
	line := draw.NewLine(w.theme, w.f.width, false).Fit(themes.Dim, "marks", w.f.gutter-1, true).Add(themes.Rule, w.theme.Glyphs.Divider)
	line.Raster(&r, 0, w.crosshair())
	if w.f.legend > 0 {
		line.Add(themes.Text, " ")
		for kind := markBroken; kind <= markCheckpoint; kind++ {
			sign, role := markSign(w.theme, kind)
			if word := markWord(kind) + " "; w.count(kind) > 0 && line.Left() > draw.Width(word) {
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

// xRow labels the x axis, and the crosshair's position on it.
func (w *rowWriter) xRow() string {
	x := w.xScale(w.f.plot)
	v := w.view()
	cell := func(value float64) int { return cellOf(x.Dot(value)) }
	var r draw.Raster
	r.Reset(w.f.plot, 1)
	here, from, to := "", -1, -1 // cells under the crosshair's label
	if w.cross >= 0 {
		here = " " + w.axis.text(w.x) + " "
		from = max(0, min(w.cross-draw.Width(here)/2+1, w.f.plot-draw.Width(here)+2)) - 1
		to = from + draw.Width(here)
	}
	ticks, begins := draw.Spaced(w.axis.ticks(v.low, v.high, max(2, w.f.plot/12)), cell, w.f.plot, 2)
	for i, t := range ticks {
		if end := begins[i] + draw.Width(t.Text); w.cross < 0 || end <= from || begins[i] >= to {
			r.Text(begins[i], 0, t.Text, draw.Pen{Role: themes.Dim, Layer: draw.LayerRest})
		}
	}
	r.Text(from, 0, here, draw.Pen{Role: themes.Accent, Layer: draw.LayerSign})
	line := draw.NewLine(w.theme, w.f.width, false).Fit(themes.Dim, w.axisWord(), w.f.gutter, false)
	return line.Raster(&r, 0, draw.Cross{Column: -1}).String()
}

// axisWord is the unit of the x axis.
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
