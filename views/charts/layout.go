package charts

import (
	"slices"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// layout is the position of each part in the last drawing.
type layout struct {
	frame  frame
	strips []placed
	// body is how many lines the charts took, without the log lines below.
	body int
}

// placed is a strip and its first row.
type placed struct {
	strip
	top int
}

// Heights, found by feel.
const (
	notesFrom = 20 // the height of a screen that keeps a row for notes
	paneFrom  = 18 // and of one that has room for log lines
	leastPane = 4
	mostPane  = 14
)

// charts draws all of the screen.
func (v *View) charts(f views.Frame) []string {
	pane := v.paneHeight(f.Height)
	cross, x := -1, v.view().high
	if c, i := v.point(); c != nil && finite(c.xs[i]) {
		x = c.xs[i]
		if v.crosshair.set {
			scale := v.xScale(frameOf(f.Width).plot)
			cross = cellOf(scale.Dot(x))
		}
	}
	head := []string{v.progressLine(f.Width), v.crossLine(f.Width)}
	lines := v.body(f.Width, f.Height-pane, head, cross, x)
	v.laid.body = len(lines)
	if pane > 0 {
		lines = append(lines, v.paneRows(f, pane)...)
	}
	return lines
}

// bodyRows draws the head, the notes and the strips in exactly some lines.
func (s *sheet) bodyRows(width, height int, head []string, cross int, x float64) ([]string, layout) {
	l := layout{frame: frameOf(width)}
	w := rowWriter{s, l.frame, cross, x}
	lines := head
	if height >= notesFrom || s.brokenNote() != "" {
		lines = append(lines, s.notes(width))
	}
	legendAt, legend := len(lines), 0
	if len(s.others) > 0 {
		legend = s.legendLines(width, height)
		lines = append(lines, make([]string, legend)...)
	}
	below := 1 // the x axis
	marked := height >= notesFrom || len(s.marks) > 0
	if marked {
		below++
	}
	room := max(1, height-len(lines)-below)
	focus := s.focused()
	for i, st := range arrange(s.strips, focus, s.hidden(focus, room), room, s.gpuRows(l.frame.plot)) {
		if st.metric == train.MetricLoss && st.metric == s.main && s.overMain() {
			st.over = train.MetricEvalLoss
		}
		l.strips = append(l.strips, placed{st, len(lines)})
		if st.metric == gpuStrip {
			lines = append(lines, w.gpuStripRows(st.height)...)
		} else {
			lines = append(lines, w.stripRows(st)...)
		}
		if i == 0 && marked {
			lines = append(lines, w.markRow())
		}
	}
	if legend > 0 {
		focused := s.drawn[focus]
		names := s.jobsLegend(width, func(o *other) (string, bool) { return s.state(o, focused) })
		copy(lines[legendAt:], draw.Lines(names, legend))
	}
	return append(lines, w.xRow()), l
}

// body is bodyRows that saves the layout.
func (v *View) body(width, height int, head []string, cross int, x float64) []string {
	lines, l := v.bodyRows(width, height, head, cross, x)
	v.laid = l
	return lines
}

// hidden is how many of the small strips above are left out so that those after
// the focused one are visible: moving down through many strips scrolls them.
func (s *sheet) hidden(focus string, room int) int {
	fit := max(0, (room-leastMain)/smallStrip)
	others := len(s.strips) - 1
	if fit >= others {
		return 0
	}
	return max(0, min(slices.Index(s.strips, focus), others-fit))
}

// paneShown reports whether log lines are shown below the charts: for a log
// without a cluster they are until a person hides them.
func (v *View) paneShown() bool {
	if v.pane != nil {
		return *v.pane
	}
	return v.known != nil && v.known.LogsOnly
}

func (v *View) paneHeight(height int) int {
	if !v.paneShown() || height < paneFrom {
		return 0
	}
	return min(mostPane, max(leastPane, height/4))
}
