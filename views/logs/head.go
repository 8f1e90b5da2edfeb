package logs

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// head draws the line above a pane: its log, the log's state, the age of its
// newest line. Parts that do not fit are left out, the least important first.
func (v *drawer) head(f views.Frame, line *draw.Line, s *rankPane, b box, focused bool) {
	role, mark := themes.Text, " "
	if focused {
		role = themes.Accent
		if len(v.grid.boxes) > 1 {
			mark = f.Theme.Glyphs.Cursor
		}
	}
	if b.x > 0 {
		line.Add(themes.Rule, f.Theme.Glyphs.Divider)
	}
	right := v.state(f, s)
	left := b.width - width(right) - 1
	line.Add(role, mark)
	left--
	for i, part := range v.name(f, s) {
		text := part.Text
		if i > 0 {
			text = " " + f.Theme.Glyphs.Dot + " " + text
		}
		if w := draw.Width(text); w < left {
			if i > 0 || !focused {
				role = part.Role
			}
			line.Add(role, text)
			left -= w
		}
	}
	fillHead(f, line, left, b.y > 0)
	for _, part := range right {
		line.Add(part.Role, part.Text)
	}
	line.PadTo(b.x + b.width)
}

// fillHead fills the head of a pane up to its right part: with a rule where
// another pane is above.
func fillHead(f views.Frame, line *draw.Line, cells int, ruledOff bool) {
	switch {
	case cells <= 1:
	case ruledOff:
		line.Add(themes.Text, " ").Add(themes.Rule, ruled(f.Theme, cells-2)).Add(themes.Text, " ")
	default:
		line.Add(themes.Text, " ").Add(themes.Text, draw.Spaces(cells-1))
	}
}

func width(parts []draw.Span) int {
	n := 0
	for _, p := range parts {
		n += draw.Width(p.Text)
	}
	return n
}

// name names the log of a pane, the most important part first.
func (v *drawer) name(f views.Frame, s *rankPane) []draw.Span {
	r, p := s.rank, &s.pane
	parts := []draw.Span{{Text: draw.Clean(views.RankTitle(r)), Role: themes.Strong}}
	if store.IsLonePod(v.id) {
		parts[0].Text = draw.Clean(r.Container) // a pod of no job is no rank
	} else if store.IsPodSet(v.id) {
		parts[0].Text = draw.Clean(r.Pod)
	}
	add := func(text string, role themes.Role) {
		if text != "" {
			parts = append(parts, draw.Span{Text: draw.Clean(text), Role: role})
		}
	}
	if len(p.instances) > 1 {
		role := themes.Dim
		if p.at < len(p.instances)-1 {
			role = themes.Waiting
		}
		add(fmt.Sprintf("attempt %d of %d", p.at+1, len(p.instances)), role)
	}
	if p.container != "" && p.container != r.Container {
		add(p.container, themes.Waiting)
	}
	if p.log != nil && p.log.ID.File != "" {
		add(p.log.ID.Base(), themes.Dim)
	}
	add(r.Node, themes.Dim)
	if len(v.job.Roles) > 1 && !r.Unranked {
		add(r.RoleName(), themes.Dim)
	}
	return parts
}

// state is the state of a pane's log: paused with how many new lines, its mark,
// the age of its newest line.
func (v *drawer) state(f views.Frame, s *rankPane) []draw.Span {
	p := &s.pane
	var parts []draw.Span
	add := func(text string, role themes.Role) { parts = append(parts, draw.Span{Text: text + " ", Role: role}) }
	if n := p.unseen(); n > 0 {
		add(fmt.Sprintf("+%s new", draw.Count(int(n))), themes.Accent)
	}
	if l := v.linesIn(p); l != nil && !l.complete {
		add("filtering"+f.Theme.Glyphs.Ellipsis, themes.Dim)
	}
	mark := v.streamState(f, s)
	text := mark.Mark
	if at := lastTime(p.log); !at.IsZero() {
		text += " " + f.Ages.Since(at)
		if f.Now().Sub(at) > quietAfter && mark.Role == themes.Good {
			text += " ago"
			mark.Role = themes.Waiting
		}
	} else if mark.Role != themes.Good && mark.Role != themes.Done {
		text += " " + mark.Word
	}
	add(text, mark.Role)
	return parts
}

// quietAfter is from when the age of the newest line of a running rank is
// highlighted; found by feel.
const quietAfter = 2 * time.Minute

// streamState is the mark of a rank's log: of its stream, or of the rank while
// nothing is streamed.
func (v *drawer) streamState(f views.Frame, s *rankPane) draw.State {
	if log := s.pane.log; log != nil && log.Status.State != "" {
		return streamWord(f.Theme, views.LogState(s.rank, log.Status.State))
	}
	return views.RankState(f.Theme, v.job, s.rank)
}

func streamWord(t *themes.Theme, s train.StreamState) draw.State {
	g := &t.Glyphs
	switch s {
	case train.StreamLive:
		return draw.State{Mark: g.Running, Word: "live", Role: themes.Good}
	case train.StreamWaiting, train.StreamOpening:
		return draw.State{Mark: g.Waiting, Word: string(s), Role: themes.Waiting}
	case train.StreamRetrying:
		return draw.State{Mark: g.Restarting, Word: "cut off", Role: themes.Redoing}
	case train.StreamEnded:
		return draw.State{Mark: g.Done, Word: "ended", Role: themes.Done}
	case train.StreamForbidden:
		return draw.State{Mark: g.Warning, Word: "not allowed", Role: themes.Waiting}
	case train.StreamFailed:
		return draw.State{Mark: g.Failed, Word: "cannot be read", Role: themes.Bad}
	case train.StreamGone:
		return draw.State{Mark: g.Failed, Word: "gone", Role: themes.Odd}
	case train.StreamStopped:
		return draw.State{Mark: g.Unknown, Word: "not followed", Role: themes.Odd}
	}
	return draw.State{Mark: g.Unknown, Word: draw.Clean(string(s)), Role: themes.Odd}
}
