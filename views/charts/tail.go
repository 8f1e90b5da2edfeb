package charts

import (
	"time"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// tail is whether the screen follows new points.
type tail struct {
	live bool
	// since and points are when it stopped, and how many points there were.
	since  time.Time
	points int
}

// pause freezes the drawing.
func (v *viewport) pause() {
	if !v.tail.live {
		return
	}
	held := v.view()
	v.tail = tail{since: v.now, points: v.points()}
	v.window = &held
}

// resume follows the newest point again.
func (v *viewport) resume() {
	v.tail.live = true
	v.crosshair.set = false
	v.follow()
}

// follow moves the window to the newest point while the screen is live.
func (v *viewport) follow() {
	if !v.tail.live {
		return
	}
	v.window = nil
	if v.zoom.window != nil {
		moved := *v.zoom.window
		by := v.own().high - moved.high
		moved.low, moved.high = moved.low+by, moved.high+by
		v.window = &moved
	}
}

// points counts those of the main metric.
func (v *viewport) points() int {
	n := 0
	for _, c := range v.lines(v.main, v.rank) {
		n += c.len()
	}
	return n
}

// tailState shows whether the screen follows, and the state of the log.
func (v *viewport) tailState(f views.Frame) draw.Span {
	if !v.tail.live {
		text := "paused at " + v.tail.since.UTC().Format("15:04:05")
		if n := v.points() - v.tail.points; n > 0 {
			text += ", +" + draw.Count(n) + " new"
		}
		return draw.Span{Text: text + ", G goes on", Role: themes.Accent}
	}
	lines := v.lines(v.main, v.rank)
	if len(lines) == 0 {
		return draw.Span{}
	}
	state := train.StreamState("")
	if log := logOf(f, lines[len(lines)-1].key.stream); log != nil {
		if state = log.Status.State; state == train.StreamLive && v.job != nil && !v.job.LogsOnly && v.job.Phase.Terminal() {
			state = train.StreamEnded
		}
	}
	g := &f.Theme.Glyphs
	switch state {
	case train.StreamLive:
		return draw.Span{Text: g.Running + " live", Role: roleLive}
	case train.StreamEnded, train.StreamStopped:
		return draw.Span{Text: g.Done + " log " + string(state), Role: themes.Done}
	case "":
		return draw.Span{Text: g.Unknown + " not followed", Role: themes.Odd}
	}
	return draw.Span{Text: g.Warning + " log " + string(state), Role: themes.Waiting}
}
