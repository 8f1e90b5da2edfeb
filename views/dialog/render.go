package dialog

import (
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

// The box has at most so many cells, so that sentences stay readable on a wide
// terminal, and leaves a margin on a narrow one. Found by feel.
const (
	widest = 92
	margin = 2
)

// borderCells are the cells before the content of a row.
const borderCells = 2

// Render draws the box for a space of width by height cells: lines of one and
// the same width, fewer than height where less is enough.
func (d *Dialog) Render(theme *themes.Theme, width, height int) []string {
	d.presetFocus()
	inner := max(1, min(widest, width-2*margin)-4) // a border and a space at each side
	p := pen{theme: theme, inner: inner}
	body := d.explained(p)
	foot := d.asked(p)
	room := max(1, height-2-len(foot))
	d.deep = max(0, len(body)-room)
	d.scroll = min(d.scroll, d.deep)
	if d.deep > 0 {
		body = body[d.scroll:min(len(body), d.scroll+room)]
	}
	d.cursor.y = 1 + len(body) + 1 + d.focus // below the title, what will happen and an empty line
	lines := append([]string{p.top(d.Title)}, body...)
	lines = append(lines, foot...)
	return append(lines, p.bottom(d.scroll < d.deep))
}

func (d *Dialog) explained(p pen) []string {
	var lines []string
	for _, line := range d.Lines {
		for _, part := range draw.Wrap(draw.Clean(line.Text), p.inner) {
			lines = append(lines, p.row(p.line().Add(line.Role, part)))
		}
	}
	return lines
}

// asked are the fields, the reason of a refusal, and the buttons.
func (d *Dialog) asked(p pen) []string {
	lines := []string{p.row(p.line())}
	for i, f := range d.Fields {
		lines = append(lines, p.row(d.drawField(p, f, i == d.focus)))
	}
	if len(d.Fields) > 0 {
		lines = append(lines, p.row(p.line()))
	}
	switch {
	case d.Refused != "":
		for _, part := range draw.Wrap(draw.Clean(d.Refused), p.inner) {
			lines = append(lines, p.row(p.line().Add(themes.NoticeFailed, part)))
		}
	case d.Waiting != "":
		lines = append(lines, p.row(p.line().Add(themes.Dim, draw.Clean(d.Waiting))))
	}
	return append(lines, p.row(d.buttons(p)))
}

func (d *Dialog) drawField(p pen, f Field, focused bool) *draw.Line {
	label, value := themes.Dim, themes.Text
	mark := "  "
	if focused {
		label, value, mark = themes.Accent, themes.Strong, p.theme.Glyphs.Cursor+" "
	}
	line := p.line().Add(label, mark+draw.Clean(f.Label)+"  ")
	if len(f.Choices) > 0 {
		line.Add(themes.Dim, p.theme.Glyphs.Left+" ").Add(value, draw.Clean(f.Choices[f.Chosen])).Add(themes.Dim, " "+p.theme.Glyphs.Right)
	} else {
		text := draw.Clean(f.Text)
		if focused {
			begins, at := p.inner-line.Left(), 0
			text, at = d.editor().Window(line.Left()) // the text being typed must be visible
			d.cursor.x = borderCells + begins + at
		}
		line.Add(value, text)
	}
	if f.Hint != "" {
		line.Add(themes.Dim, "   "+draw.Clean(f.Hint))
	}
	return line
}

func (d *Dialog) buttons(p pen) *draw.Line {
	word := "Cancel"
	if d.Does == "" {
		word = "Close"
	}
	labels := []string{word}
	if d.Does != "" {
		labels = append(labels, d.Does)
	}
	line := p.line()
	for i, label := range labels {
		role, open, shut := themes.Text, "[ ", " ]"
		if i == 1 && (d.Refused != "" || d.Waiting != "") {
			role = themes.Dim
		}
		if d.focus == d.cancel()+i {
			role, open = themes.Accent, "["+p.theme.Glyphs.Cursor
		}
		if i > 0 {
			line.Add(themes.Text, "   ")
		}
		line.Add(role, open+draw.Clean(label)+shut)
	}
	return line
}

// pen draws lines of one width with a border.
type pen struct {
	theme *themes.Theme
	inner int
}

func (p pen) line() *draw.Line { return draw.NewLine(p.theme, p.inner, false) }

func (p pen) row(line *draw.Line) string {
	side := p.theme.Paint(themes.Rule, p.theme.Glyphs.Divider)
	return side + " " + line.String() + draw.Spaces(line.Left()) + " " + side
}

func (p pen) top(title string) string {
	line := draw.NewLine(p.theme, p.inner+4, false).Add(themes.Rule, p.theme.Glyphs.Rule+" ").Add(themes.Strong, draw.Cut(draw.Clean(title), p.inner, p.theme.Glyphs.Ellipsis)).Add(themes.Rule, " ")
	return line.Add(themes.Rule, strings.Repeat(p.theme.Glyphs.Rule, max(0, line.Left()))).String()
}

func (p pen) bottom(more bool) string {
	text := ""
	if more {
		text = " down shows more "
	}
	line := draw.NewLine(p.theme, p.inner+4, false).Add(themes.Rule, p.theme.Glyphs.Rule).Add(themes.Dim, text)
	return line.Add(themes.Rule, strings.Repeat(p.theme.Glyphs.Rule, max(0, line.Left()))).String()
}
