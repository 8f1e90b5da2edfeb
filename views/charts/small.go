package charts

import (
	"math"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Below this size a chart is unreadable: a sparkline, the newest value and its
// change replace each strip.
const (
	leastWidth  = 40
	leastHeight = 8
)

// small draws one line for each metric.
func (v *View) small(f views.Frame) []string {
	lines := []string{v.progressLine(f.Width)}
	for _, metric := range v.shown {
		lines = append(lines, v.smallLine(metric, f.Width))
	}
	if note := v.brokenNote(); note != "" && len(lines) >= 2 {
		lines = append(lines[:2], append([]string{f.Line().Add(themes.Bad, f.Theme.Glyphs.Broken+" "+note).String()}, lines[2:]...)...)
	}
	return draw.Lines(lines, f.Height)
}

func (s *sheet) smallLine(metric string, width int) string {
	line := draw.NewLine(s.theme, width, false)
	lines := s.lines(metric, s.rank)
	last := newestOf(lines)
	line.Fit(themes.Strong, draw.Clean(nameOf(metric)), min(10, width/3), false).Add(themes.Text, " "+draw.Value(rawOf(lines))+" ")
	if from := earlierOf(lines); finite(from) && line.Left() > 16 {
		line.Add(themes.Dim, draw.Delta(last-from, last)+" ")
	}
	return line.Add(roleMain, draw.Spark(s.theme, s.run.Spark(metric, 64), line.Left())).String()
}

// rawOf is the newest value as it was printed.
func rawOf(lines []*curve) float64 {
	if len(lines) == 0 {
		return math.NaN()
	}
	values := lines[len(lines)-1].track.Values
	return values[len(values)-1]
}

// earlierOf is the mean a tenth of the newest attempt ago.
func earlierOf(lines []*curve) float64 {
	if len(lines) == 0 {
		return newestOf(nil)
	}
	c := lines[len(lines)-1]
	return c.smooth[c.len()-1-c.len()/10]
}
