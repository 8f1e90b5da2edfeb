package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

// timelinePlace is where the bar of the timeline stands, for the mouse.
type timelinePlace struct {
	row, left, width int
	from, to         time.Time
}

// leastBar is the narrowest bar that tells anything; below it only the
// instant is written.
const leastBar = 12

// timelineLine is the instant that is shown, and where it lies among what
// happened: ⏸ 14:03:22 12m ago  14:00 ──·──▲──◆───── 15:10.
func (m *model) timelineLine() string {
	from, to := m.span()
	at := m.heading()
	line := m.line()
	m.addInstant(line, at, to)
	begin, end := " "+spanTime(from, to, from)+" ", " "+spanTime(from, to, to)+" "
	hint := m.line()
	if m.width >= roomy {
		m.addTimelineKeys(hint)
	}
	width := line.Left() - len(begin) - len(end) - (m.width - hint.Left()) - 2
	if width < leastBar {
		return line.String()
	}
	m.page.timeline = timelinePlace{m.page.timeline.row, m.width - line.Left() + len(begin), width, from, to}
	line.Add(themes.Dim, begin)
	for _, cell := range m.timelineBar(at) {
		line.Add(cell.Role, cell.Text)
	}
	return line.Add(themes.Dim, end).Right(hint).String()
}

// addInstant writes whether it plays, how fast, what instant is shown, and
// where the present is another, how long ago that was.
func (m *model) addInstant(line *draw.Line, at, to time.Time) {
	t := &m.travel
	sign, state := m.theme.Glyphs.Suspended, ""
	if t.playing {
		sign, state = m.theme.Glyphs.Playing, " "+speedText(t.speed)
	} else if t.speed != 1 {
		state = " " + speedText(t.speed)
	}
	role := themes.Strong
	if m.past() {
		role = themes.Notice
	}
	layout := time.TimeOnly
	if !sameDay(at, to) || m.past() && to.Sub(at) > 12*time.Hour {
		layout = "Jan 2 15:04:05"
	}
	line.Add(themes.Accent, " "+sign+state).Add(themes.Text, " ").Add(role, " "+at.Local().Format(layout)+" ")
	if m.past() {
		line.Add(themes.Dim, " "+draw.Duration(to.Sub(at))+" ago")
	}
	if t.moving && t.wanted != nil || t.moving && !t.playing {
		line.Add(themes.Dim, " "+m.theme.Glyphs.Ellipsis)
	}
}

func (m *model) addTimelineKeys(line *draw.Line) {
	for _, k := range []struct {
		action keymap.Action
		word   string
	}{
		{keymap.TravelPlay, "play"}, {keymap.TravelBack, ""}, {keymap.TravelOn, "10s"},
		{keymap.TravelMarkBack, ""}, {keymap.TravelMark, "marks"}, {keymap.TravelNow, "now"},
	} {
		if k.action == keymap.TravelNow && m.session.Replayed {
			continue
		}
		line.Add(themes.Key, " "+keymap.Print(keymap.KeyOf(k.action)))
		if k.word != "" {
			line.Add(themes.Dim, " "+k.word+" ")
		}
	}
}

// timelineBar draws the span: what happened, trouble above all, and the
// instant that is shown.
func (m *model) timelineBar(at time.Time) []draw.Span {
	p, g := m.page.timeline, m.theme.Glyphs
	cells := make([]draw.Span, p.width)
	for i := range cells {
		cells[i] = draw.Span{Text: g.Rule, Role: themes.Rule}
	}
	m.drawMissing(cells)
	for i := range m.travel.moments {
		moment := &m.travel.moments[i]
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
func (m *model) drawMissing(cells []draw.Span) {
	p := m.page.timeline
	for i := range m.travel.moments {
		moment := &m.travel.moments[i]
		if moment.Until.IsZero() {
			continue
		}
		for at := p.cell(moment.At); at <= p.cell(moment.Until); at++ {
			cells[at] = draw.Span{Text: " ", Role: themes.Rule}
		}
	}
}

// cell is where an instant stands in the bar.
func (p timelinePlace) cell(at time.Time) int {
	whole := p.to.Sub(p.from)
	if whole <= 0 {
		return 0
	}
	return min(max(int(float64(at.Sub(p.from))/float64(whole)*float64(p.width)), 0), p.width-1)
}

// clickTimeline jumps to where the bar was clicked.
func (m *model) clickTimeline(at tea.Mouse) (cmd tea.Cmd, hit bool) {
	p := m.page.timeline
	if m.dialog != nil || p.width == 0 || at.Y != p.row || at.X < p.left || at.X >= p.left+p.width || at.Button != tea.MouseLeft {
		return nil, false
	}
	share := (float64(at.X-p.left) + 0.5) / float64(p.width)
	return m.travelTo(p.from.Add(time.Duration(share * float64(p.to.Sub(p.from))))), true
}

// storyLine is what somebody tells of the instant that is shown, "" for
// nothing.
func (m *model) storyLine() string {
	told, is := m.session.Past.(Storied)
	if !is || m.travel.mute {
		return ""
	}
	text, keys := told.Story(m.heading())
	if text == "" {
		return ""
	}
	line := m.line().Add(themes.Notice, " "+draw.Clean(text)+" ")
	if keys != "" && line.Left() > draw.Width(keys)+1 {
		line.Add(themes.Key, " "+draw.Clean(keys))
	}
	return line.String()
}

func sameDay(a, b time.Time) bool {
	a, b = a.Local(), b.Local()
	return a.YearDay() == b.YearDay() && a.Year() == b.Year()
}

// spanTime writes an end of a span as exactly as its length asks for.
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
