package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

// timelineBounds is the position of the timeline's bar, for the mouse.
type timelineBounds struct {
	row, left, width int
	from, to         time.Time
}

// leastBar is the narrowest useful bar; below it only the instant is written.
const leastBar = 12

// line is the shown instant, and its position among the moments:
// ⏸ 14:03:22 12m ago  14:00 ──·──▲──◆───── 15:10.
func (t *travel) line() string {
	from, to := t.span()
	at := t.heading()
	line := t.m.painter.line()
	t.addInstant(line, at, to)
	begin, end := " "+spanTime(from, to, from)+" ", " "+spanTime(from, to, to)+" "
	hint := t.m.painter.line()
	if t.m.width >= roomy {
		t.addKeys(hint)
	}
	width := line.Left() - len(begin) - len(end) - (t.m.width - hint.Left()) - 2
	if width < leastBar {
		return line.String()
	}
	t.m.page.timeline = timelineBounds{t.m.page.timeline.row, t.m.width - line.Left() + len(begin), width, from, to}
	line.Add(themes.Dim, begin)
	for _, cell := range t.bar(at) {
		line.Add(cell.Role, cell.Text)
	}
	return line.Add(themes.Dim, end).Right(hint).String()
}

// addInstant writes whether it plays, how fast, the shown instant, and how long
// ago that was where it is not the present.
func (t *travel) addInstant(line *draw.Line, at, to time.Time) {
	sign, state := t.m.theme.Glyphs.Suspended, ""
	if t.playing {
		sign, state = t.m.theme.Glyphs.Playing, " "+speedText(t.speed)
	} else if t.speed != 1 {
		state = " " + speedText(t.speed)
	}
	role := themes.Strong
	if t.past() {
		role = themes.Notice
	}
	layout := time.TimeOnly
	if !sameDay(at, to) || t.past() && to.Sub(at) > 12*time.Hour {
		layout = "Jan 2 15:04:05"
	}
	line.Add(themes.Accent, " "+sign+state).Add(themes.Text, " ").Add(role, " "+at.Local().Format(layout)+" ")
	if t.past() {
		line.Add(themes.Dim, " "+termtext.Duration(to.Sub(at))+" ago")
	}
	if t.moving && t.wanted != nil || t.moving && !t.playing {
		line.Add(themes.Dim, " "+t.m.theme.Glyphs.Ellipsis)
	}
}

func (t *travel) addKeys(line *draw.Line) {
	for _, k := range []struct {
		action keymap.Action
		word   string
	}{
		{keymap.TravelPlay, "play"}, {keymap.TravelBack, ""}, {keymap.TravelOn, "10s"},
		{keymap.TravelMarkBack, ""}, {keymap.TravelMark, "marks"}, {keymap.TravelNow, "now"},
	} {
		if k.action == keymap.TravelNow && t.m.session.Replayed {
			continue
		}
		line.Add(themes.Key, " "+keymap.Print(keymap.KeyOf(k.action)))
		if k.word != "" {
			line.Add(themes.Dim, " "+k.word+" ")
		}
	}
}

// bar draws the span: the moments, faults above all, and the shown instant.
func (t *travel) bar(at time.Time) []draw.Span {
	p, g := t.m.page.timeline, t.m.theme.Glyphs
	cells := make([]draw.Span, p.width)
	for i := range cells {
		cells[i] = draw.Span{Text: g.Rule, Role: themes.Rule}
	}
	t.drawMissing(cells)
	for _, moment := range t.allMoments() {
		cell := &cells[p.cell(moment.At)]
		switch {
		case moment.Trouble:
			*cell = draw.Span{Text: g.Warning, Role: themes.Bad}
		case cell.Role != themes.Bad:
			*cell = draw.Span{Text: g.Dot, Role: themes.Accent}
		}
	}
	cells[p.cell(at)] = draw.Span{Text: g.Marked, Role: themes.Strong}
	return cells
}

// drawMissing leaves the bar empty where nothing was recorded.
func (t *travel) drawMissing(cells []draw.Span) {
	p := t.m.page.timeline
	for i := range t.moments {
		moment := &t.moments[i]
		if moment.Until.IsZero() {
			continue
		}
		for at := p.cell(moment.At); at <= p.cell(moment.Until); at++ {
			cells[at] = draw.Span{Text: " ", Role: themes.Rule}
		}
	}
}

// cell is the cell of an instant in the bar.
func (p timelineBounds) cell(at time.Time) int {
	whole := p.to.Sub(p.from)
	if whole <= 0 {
		return 0
	}
	return min(max(int(float64(at.Sub(p.from))/float64(whole)*float64(p.width)), 0), p.width-1)
}

// click jumps to the clicked instant of the bar.
func (t *travel) click(at tea.Mouse) (cmd tea.Cmd, hit bool) {
	p := t.m.page.timeline
	if t.m.dialog != nil || p.width == 0 || at.Y != p.row || at.X < p.left || at.X >= p.left+p.width || at.Button != tea.MouseLeft {
		return nil, false
	}
	share := (float64(at.X-p.left) + 0.5) / float64(p.width)
	return t.to(p.from.Add(time.Duration(share * float64(p.to.Sub(p.from))))), true
}

// story is the narration at the shown instant, "" for none.
func (t *travel) story() string {
	reported, is := t.m.session.Past.(Narrated)
	if !is || t.mute {
		return ""
	}
	text, keys := reported.Story(t.heading())
	if text == "" {
		return ""
	}
	text, keys = t.besideKeys(draw.Clean(text), draw.Clean(keys))
	line := t.m.painter.line().Add(themes.Notice, " "+text+" ")
	if keys != "" {
		line.Add(themes.Key, " "+keys)
	}
	return line.String()
}

// besideKeys are a text and the keys that show more of it, as far as both have room.
// The first of the keys matters more than the end of the text: without it nobody
// knows what to press.
func (t *travel) besideKeys(text, keys string) (cut, first string) {
	room := t.m.width - 3 // the blanks around them
	if draw.Width(text)+draw.Width(keys) > room {
		keys, _, _ = strings.Cut(keys, ",")
	}
	if left := room - draw.Width(keys); draw.Width(text) > left {
		if left < room/2 {
			return text, ""
		}
		text = draw.Cut(text, left, t.m.theme.Glyphs.Ellipsis)
	}
	return text, keys
}

func sameDay(a, b time.Time) bool {
	a, b = a.Local(), b.Local()
	return a.YearDay() == b.YearDay() && a.Year() == b.Year()
}

// spanTime formats an end of a span as exactly as its length needs.
func spanTime(from, to, at time.Time) string {
	switch {
	case to.Sub(from) < 10*time.Minute:
		return at.Local().Format(time.TimeOnly)
	case sameDay(from, to):
		return at.Local().Format("15:04")
	}
	return at.Local().Format("Jan 2 15:04")
}

// clockTime is an instant as a sentence names it.
func clockTime(at time.Time) string { return at.Local().Format(time.TimeOnly) }
