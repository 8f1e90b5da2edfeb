package logs

import (
	"time"

	"github.com/traintop/traintop/views"
)

// stepTogether moves all panes of the page to the moment of the focused one:
// the newest line of each is the last one printed by then.
func (v *paneSet) stepTogether(f views.Frame) {
	at := v.moment()
	if at.IsZero() {
		return
	}
	lead := v.focused()
	for i, shown := range v.onPage() {
		s := v.allRanks[shown]
		if s == lead || i >= len(v.grid.boxes) {
			continue
		}
		b := v.grid.boxes[i]
		y := v.layout(s, b.width)
		if y == nil {
			continue
		}
		p := &s.pane
		p.pause()
		last := y.findTime(at.Add(1)) - 1
		line, sub := y.tail(max(0, last), b.height-1)
		p.top, p.sub, p.target = y.At(line).Number, sub, 0
	}
}

// moment is the instant that the panes are in step with: that of the last line
// on the focused pane. Zero when they are not in step, or the lines have no
// times.
func (v *paneSet) moment() time.Time {
	s := v.focused()
	if v.loose || v.merged || s == nil || s.pane.follow || len(v.grid.boxes) < 2 {
		return time.Time{}
	}
	box := v.focus - v.grid.first
	if box < 0 || box >= len(v.grid.boxes) {
		return time.Time{}
	}
	height := v.grid.boxes[box].height - 1
	y := v.layout(s, v.grid.boxes[box].width)
	if y == nil {
		return time.Time{}
	}
	i, sub := y.begin(height)
	last, _ := y.down(i, sub, height-1)
	return timeBefore(y, last)
}
