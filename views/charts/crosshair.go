package charts

import (
	"math"
	"time"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// crosshair is the point under the crosshair. The crosshair stays on its point when
// the axis, the zoom or the data change.
type crosshair struct {
	set  bool // false while it follows the newest point
	key  curveKey
	line int64
}

// point returns the crosshair's point, or the newest one; c is nil when there
// is none.
func (v *viewport) point() (c *curve, i int) {
	if v.crosshair.set {
		if c := v.curves[v.crosshair.key]; c != nil {
			if i := c.find(v.crosshair.line); i >= 0 && i < len(c.xs) {
				return c, i
			}
		}
	}
	lines := v.lines(v.main, v.rank)
	for n := len(lines) - 1; n >= 0; n-- {
		if c := lines[n]; c.len() > 0 {
			return c, c.len() - 1
		}
	}
	return nil, 0
}

// put moves the crosshair to a point and stops following new points.
func (v *viewport) put(c *curve, i int) {
	v.pause()
	v.crosshair = crosshair{set: true, key: c.key, line: c.row(i).Line}
	v.show(c.xs[i])
}

// show moves the window so that it contains a position.
func (v *viewport) show(x float64) {
	w := v.view()
	if !finite(x) || x >= w.low && x <= w.high {
		return
	}
	half := (w.high - w.low) / 2
	v.window = &window{x - half, x + half}
	v.zoom.window = v.window
}

// crossToLine puts the crosshair on the point read from a line of a log, or
// from the last line before it.
func (v *viewport) crossToLine(stream train.StreamID, line int64) {
	best, at := (*curve)(nil), 0
	for _, metric := range append([]string{v.main}, v.shown...) {
		for _, c := range v.of(metric) {
			if c.key.stream != stream {
				continue
			}
			if i := c.find(line); i >= 0 && (best == nil || c.row(i).Line > best.row(at).Line) {
				best, at = c, i
			}
		}
	}
	if best != nil {
		v.rank = best.key.rank
		v.put(best, at)
	}
}

// move moves the crosshair by cells, to a cell that has a point.
func (v *viewport) move(cells int) {
	c, i := v.point()
	if c == nil {
		return
	}
	x := v.xScale(v.laid.frame.plot)
	edge := func(cell int) float64 { return x.Value(cell*draw.DotsX) - (x.Value(1)-x.Value(0))/2 }
	from := c.xs[i]
	if !finite(from) {
		from = v.view().high
	}
	to := cellOf(x.Dot(from)) + cells
	if cells > 0 {
		if next, n := v.next(edge(to), from); next != nil {
			cell := cellOf(x.Dot(next.xs[n]))
			if last, n := v.previous(edge(cell+1), math.Inf(1)); last != nil {
				v.put(last, n)
			}
		}
		return
	}
	if previous, n := v.previous(edge(to+1), from); previous != nil {
		v.put(previous, n)
	}
}

// next returns the first point of the main metric that counts, at or after a
// position and after another.
func (v *viewport) next(x, after float64) (c *curve, i int) {
	x = max(x, math.Nextafter(after, math.Inf(1)))
	for _, line := range v.lines(v.main, v.rank) {
		if n := line.after(x); n >= 0 && (c == nil || line.xs[n] <= c.xs[i]) {
			c, i = line, n
		}
	}
	return c, i
}

// previous returns the last point before two positions.
func (v *viewport) previous(x, before float64) (c *curve, i int) {
	for _, line := range v.lines(v.main, v.rank) {
		if n := line.before(min(x, before)); n >= 0 && (c == nil || line.xs[n] >= c.xs[i]) {
			c, i = line, n
		}
	}
	return c, i
}

// nearest returns the point that counts nearest to a position.
func (v *viewport) nearest(x float64) (c *curve, i int) {
	before, b := v.previous(x, math.Inf(1))
	after, a := v.next(x, math.Inf(-1))
	switch {
	case before == nil:
		return after, a
	case after == nil || x-before.xs[b] < after.xs[a]-x:
		return before, b
	}
	return after, a
}

// toMark moves the crosshair to the next wanted mark in a direction and returns
// its description. around continues from the other end.
func (v *viewport) toMark(step int, around bool, wanted func(*mark) bool) *mark {
	c, i := v.point()
	if c == nil {
		return nil
	}
	x, best := c.xs[i], (*mark)(nil)
	if !v.crosshair.set && step > 0 {
		x = math.Inf(-1) // from the beginning, not from the newest point
	}
	for n := range v.marks {
		m := &v.marks[n]
		if !wanted(m) || step > 0 && m.x <= x || step < 0 && m.x >= x {
			continue
		}
		if best == nil || step > 0 && m.x < best.x || step < 0 && m.x > best.x {
			best = m
		}
	}
	if best == nil && around {
		for n := range v.marks {
			m := &v.marks[n]
			if wanted(m) && (best == nil || step > 0 && m.x < best.x || step < 0 && m.x > best.x) {
				best = m
			}
		}
	}
	if best != nil {
		v.toPoint(best)
	}
	return best
}

func (v *viewport) toPoint(m *mark) {
	if m.curve != nil {
		v.put(m.curve, m.index)
	} else if c, i := v.nearest(m.x); c != nil {
		v.put(c, i)
	}
}

// crossLine describes the position of the crosshair.
func (v *viewport) crossLine(width int) string {
	c, i := v.point()
	if c == nil {
		return ""
	}
	what := " newest "
	if v.crosshair.set {
		what = " crosshair "
	}
	line := draw.NewLine(v.theme, width, false)
	line.Add(themes.Accent, what).Add(themes.Strong, v.stepWord()+" "+draw.Step(math.Round(c.row(i).X*1000)/1000))
	for _, fact := range v.factsOf(c, i) {
		if fact != "" && line.Left() > draw.Width(fact)+4 {
			line.Add(themes.Text, "   "+draw.Clean(fact))
		}
	}
	return line.String()
}

// factsOf lists facts about a point beside its step.
func (v *viewport) factsOf(c *curve, i int) (facts []string) {
	r := c.row(i)
	if r.Time != 0 {
		facts = append(facts, clockText(timeOf(c, i).In(v.axis.zone()), v.now))
		if v.axis == byElapsed {
			facts = append(facts, "after "+v.axis.text(c.xs[i]))
		}
	}
	if finite(r.Epoch) && v.stepWord() != "epoch" {
		facts = append(facts, "epoch "+draw.Short(math.Round(r.Epoch*1000)/1000))
	}
	if c.key.metric != v.main {
		facts = append(facts, nameOf(c.key.metric)+" "+draw.Value(c.track.Values[i]))
	}
	if n := len(v.lines(v.main, c.key.rank)); n > 1 {
		facts = append(facts, "attempt "+draw.Of(c.key.attempt+1, n))
		if i >= c.kept {
			facts = append(facts, "done again later")
		}
	}
	return append(facts, "line "+draw.Count(int(r.Line)), v.markAt(c, i))
}

// clockText is a time of day with its zone, and with its day when that is not
// today.
func clockText(at, now time.Time) string {
	now = now.In(at.Location())
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return at.Format("15:04:05 MST")
	}
	return at.Format("Jan 2 15:04:05 MST")
}

// markAt describes the mark at a point.
func (v *viewport) markAt(c *curve, i int) string {
	for n := range v.marks {
		m := &v.marks[n]
		if m.curve == c && m.index == i || m.kind == markCheckpoint && m.x == c.xs[i] {
			if text := m.words(); text != "" {
				return text
			}
		}
	}
	return ""
}

// words describe the mark; a value that is not finite is printed as it is.
func (m *mark) words() string {
	switch m.kind {
	case markRestart:
		return m.text
	case markSpike:
		return "spike of " + nameOf(m.curve.key.metric)
	case markCheckpoint:
		return "checkpoint"
	}
	return ""
}
