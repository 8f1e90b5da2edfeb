package logs

import (
	"fmt"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// gutter is the cell before each line: the mark of the line pointed to, of a
// continued line, of lines that a filter left out.
const gutter = 1

// layout is how a pane's lines are split into rows, nil when there is none to
// show.
func (v *paneSet) layout(s *rankPane, width int) *layout {
	p := &s.pane
	l := v.linesIn(p)
	if l == nil || l.Len() == 0 {
		return nil
	}
	y := &layout{lines: l, p: p, width: max(1, width-gutter-v.stamps.width(width)), wrap: v.wrap}
	y.note = v.beginning(l)
	return y
}

// beginning is the text before the first line: why there is nothing older.
func (v *paneSet) beginning(l *lines) string {
	dropped, _ := l.all.Lines.Dropped()
	switch {
	case l.low > 0:
		return draw.Plural(l.low, "older line") + " hidden, 1 shows them"
	case l.kept != nil && !l.complete:
		return "older lines are being looked at"
	case dropped > 0:
		return draw.Plural(int(dropped), "older line") + " dropped, R loads them again"
	case l.all.Status.Partial:
		return "reading began here, R reads from the beginning"
	}
	return ""
}

// setRows computes the rows of a pane.
func (v *drawer) setRows(f views.Frame, s *rankPane, b box) {
	p := &s.pane
	p.height = b.height - 1
	p.rows = p.rows[:0]
	y := v.layout(s, b.width)
	if y == nil {
		p.rows = append(p.rows, v.emptyRows(f, s, b)...)
		return
	}
	i, sub := y.begin(p.height)
	p.rows = append(p.rows, y.from(i, sub, p.height)...)
	if p.sub == revealAt && len(p.rows) > 0 {
		p.holdTop()
	}
}

// emptyRows explain why there is no line to show.
func (v *drawer) emptyRows(f views.Frame, s *rankPane, b box) []row {
	var rows []row
	for i, text := range v.why(f, s) {
		for _, part := range draw.Wrap(draw.Clean(text), max(1, b.width-2)) {
			rows = append(rows, row{kind: rowNote, text: part, sub: i})
		}
	}
	if room := b.height - 1 - len(rows); room > 2 {
		rows = append(make([]row, room/3, b.height), rows...)
	}
	return rows
}

// drawRow draws a row of a pane's body into its cells of the line.
func (v *drawer) drawRow(f views.Frame, line *draw.Line, s *rankPane, at int, b box) {
	p := &s.pane
	if at >= len(p.rows) {
		line.PadTo(b.x + b.width)
		return
	}
	r := &p.rows[at]
	switch r.kind {
	case rowNote:
		role := themes.Dim
		if r.number == 0 && r.sub == 0 {
			role = themes.Text
		}
		line.Add(themes.Text, " ").Add(role, draw.Cut(r.text, b.width-1, f.Theme.Glyphs.Ellipsis))
	case rowMarker:
		line.Add(themes.Accent, ruled(f.Theme, b.width))
	case rowLine:
		v.drawLine(f, line, s, r, b)
	}
	line.PadTo(b.x + b.width)
}

// drawLine draws a row of a line: gutter, stamp, text.
func (v *drawer) drawLine(f views.Frame, line *draw.Line, s *rankPane, r *row, b box) {
	p := &s.pane
	text := r.part
	mark, role := v.gutterMark(f, p, r, text)
	line.Add(role, mark)
	stamp := v.stamps.width(b.width)
	if stamp > 0 {
		when := ""
		if text == 0 {
			when = v.stamps.of(&r.line, startOf(v.job, p), f.Now(), stamp)
		}
		line.Fit(themes.Dim, when, stamp-1, false).Add(themes.Text, " ")
	}
	room := b.width - gutter - stamp
	from := p.left
	to := from + room
	if v.wrap {
		from = draw.LogRow(r.line.Text, room, text)
		to = min(from+room, max(from, draw.LogRow(r.line.Text, room, text+1)))
		if to <= from {
			to = from + room
		}
	}
	t := draw.LogText{Text: r.line.Text, Role: roleOf(&r.line.Text), Hits: v.search.hits(r.line.Text, to)}
	line.AddLog(t, from, to)
	if r.line.Cut > 0 && v.lastRow(r, room, text) {
		line.Add(themes.Waiting, fmt.Sprintf(" %s%s more", f.Theme.Glyphs.Ellipsis, termtext.Bytes(int64(r.line.Cut))))
	}
}

// roleOf is the role of a line by its level.
func roleOf(text *string) themes.Role {
	head := *text
	if len(head) > levelBytes {
		head = head[:levelBytes]
	}
	return draw.LevelOf(draw.LogPlain(head)).Role()
}

func (v *drawer) lastRow(r *row, room, text int) bool {
	return !v.wrap || text == draw.LogRows(r.line.Text, room)-1
}

// gutterMark is the mark in the gutter.
func (v *drawer) gutterMark(f views.Frame, p *pane, r *row, text int) (string, themes.Role) {
	switch {
	case p.target > 0 && r.number == p.target:
		return f.Theme.Glyphs.Cursor, themes.Accent
	case text > 0:
		return f.Theme.Glyphs.NoBreak, themes.Dim
	case r.gap && v.lineFilter.context > 0:
		return f.Theme.Glyphs.Dot, themes.Accent
	}
	return " ", themes.Text
}
