package logs

import (
	"strconv"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// drawMerged draws the lines of all ranks by time.
func (v *drawer) drawMerged(f views.Frame) []string {
	v.loadAll(f)
	m := &v.merge
	m.height = f.Height
	if m.paused {
		m.from(v.paneSet, f.Height)
	} else {
		m.tail(v.paneSet, f.Height)
	}
	if len(m.entries) == 0 {
		m.rows = nil
		return f.Message(v.whyMerged(f)...)
	}
	names := v.nameWidth()
	room := max(1, f.Width-names-3-v.stamps.width(f.Width))
	m.setRows(v.wrap, room, f.Height)
	lines := make([]string, 0, f.Height)
	for _, r := range m.rows {
		lines = append(lines, v.drawEntry(f, r, names, room))
	}
	return draw.Lines(lines, f.Height)
}

// nameWidth is how wide the column of rank numbers is.
func (v *drawer) nameWidth() int {
	most := len("x") + len(strconv.Itoa(len(v.shown)))
	for _, at := range v.shown {
		most = max(most, len(strconv.Itoa(v.allRanks[at].rank.Index)))
	}
	return most
}

// setRows splits the entries into rows: the last ones while it follows, the
// first ones when it is paused.
func (m *merge) setRows(wrap bool, room, height int) {
	m.rows = m.rows[:0]
	for i, e := range m.entries {
		parts := 1
		if wrap {
			parts = draw.LogRows(e.line.Text, room)
		}
		for part := range min(parts, height) {
			m.rows = append(m.rows, mergedRow{i, part})
		}
	}
	switch drop := len(m.rows) - height; {
	case drop > 0 && m.paused:
		m.rows = m.rows[:height]
	case drop > 0:
		m.rows = m.rows[drop:]
	}
}

// drawEntry draws a row: ranks, time, text.
func (v *drawer) drawEntry(f views.Frame, r mergedRow, names, room int) string {
	m := &v.merge
	e := &m.entries[r.entry]
	line := f.Line()
	mark, markRole := " ", themes.Text
	if e.pointed {
		mark, markRole = f.Theme.Glyphs.Cursor, themes.Accent
	}
	line.Add(markRole, mark)
	name, role := "", themes.Dim
	if r.part == 0 {
		name = strconv.Itoa(e.track.rankPane.rank.Index)
		role = f.Theme.NameRole("rank " + name)
		if e.ranks > 1 {
			name, role = f.Theme.Glyphs.Broken+strconv.Itoa(e.ranks), themes.Strong
		}
	}
	line.Fit(role, name, names, true).Add(themes.Rule, f.Theme.Glyphs.Divider)
	if width := v.stamps.width(f.Width); width > 0 {
		when := ""
		if r.part == 0 {
			when = v.stamps.of(&e.line, startOf(v.job, &e.track.rankPane.pane), f.Now(), width)
		}
		line.Fit(themes.Dim, when, width-1, false).Add(themes.Text, " ")
	}
	from, to := m.left, m.left+room
	if v.wrap {
		from = draw.LogRow(e.line.Text, room, r.part)
		to = from + room
		if next := draw.LogRow(e.line.Text, room, r.part+1); next > from {
			to = min(to, next)
		}
	}
	text := draw.LogText{Text: e.line.Text, Role: roleOf(&e.line.Text), Hits: v.search.hits(e.line.Text, to)}
	return line.AddLog(text, from, to).String()
}
