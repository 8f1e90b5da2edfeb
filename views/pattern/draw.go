package pattern

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/sources/formats/draft"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Render draws the line with its numbers, what each is called, and what the
// pattern reads of the log.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	if len(v.offered) == 0 {
		return f.Message(v.nothing()...)
	}
	lines := []string{
		f.Line().Add(themes.Dim, " "+v.which()).String(),
		v.lineRow(f),
		"",
	}
	below := v.below(f, f.Height-len(lines)-len(v.fields))
	room := max(1, f.Height-len(lines)-len(below))
	from := max(0, min(v.cursor-room/2, len(v.fields)-room))
	for i := from; i < min(len(v.fields), from+room); i++ {
		lines = append(lines, v.fieldRow(f, i))
	}
	return draw.Lines(append(lines, below...), f.Height)
}

func (v *View) nothing() []string {
	if len(v.lines) == 0 {
		return []string{"no line of a log has been read yet"}
	}
	return []string{"no line of the log has a number that could be a metric", "esc goes back"}
}

// which names the line.
func (v *View) which() string {
	text := fmt.Sprintf("line %s", draw.Count(int(v.numbers[v.offered[v.at]])))
	if v.at == 0 {
		text += ", which looks most like a metric"
	}
	if n := len(v.offered); n > 1 {
		text += fmt.Sprintf("   kind %d of %d", v.at+1, n)
	}
	return text
}

// lineRow is the line around the number under the cursor; numbers that are read
// are marked.
func (v *View) lineRow(f views.Frame) string {
	text, line := v.line(), f.Line().Add(themes.Text, " ")
	at := v.fields[v.cursor]
	begin := 0
	if width := draw.Width(text[:at.To]); width > f.Width-4 {
		for i := range text { // from a whole character on
			if begin = i; draw.Width(text[i:at.To]) <= f.Width*2/3 {
				break
			}
		}
		line.Add(themes.Dim, f.Theme.Glyphs.Ellipsis)
	}
	end := begin
	for i, field := range v.fields {
		if field.From < begin {
			continue
		}
		line.Add(themes.Dim, draw.Clean(text[end:field.From]))
		role := themes.Text
		if v.names[i] != "" {
			role = themes.Good
		}
		if i == v.cursor {
			line.AddSelected(role, text[field.From:field.To])
		} else {
			line.Add(role, text[field.From:field.To])
		}
		end = field.To
	}
	return line.Add(themes.Dim, draw.Clean(text[min(end, len(text)):])).String()
}

// Widths of the columns of names and of values; longer ones are cut.
const nameWidth, valueWidth = 24, 14

// widths are those of the columns of names and of values in the line.
func (v *View) widths() (name, value int) {
	name = len(notRead)
	for i, field := range v.fields {
		name, value = max(name, draw.Width(v.names[i])), max(value, draw.Width(v.line()[field.From:field.To]))
	}
	return min(name, nameWidth), min(value, valueWidth)
}

// notRead is in the place of a name.
const notRead = "not read"

// fieldRow is a number, its name, and what the pattern reads of it in the log.
func (v *View) fieldRow(f views.Frame, i int) string {
	line := draw.NewLine(f.Theme, f.Width, i == v.cursor)
	sign, name, role := " ", notRead, themes.Dim
	nameWidth, valueWidth := v.widths()
	if i == v.cursor {
		sign = f.Theme.Glyphs.Cursor
	}
	if v.names[i] != "" {
		name, role = v.names[i], themes.Good
	}
	line.Add(themes.Accent, sign+" ").Fit(role, name, nameWidth, false).
		Add(themes.Text, "  ").Fit(themes.Text, v.line()[v.fields[i].From:v.fields[i].To], valueWidth, true)
	if values := v.valuesOf(i); values != nil && values.Count > 0 {
		line.Add(themes.Dim, fmt.Sprintf("   first %s, last %s, between %s and %s", draw.Value(values.First), draw.Value(values.Last), draw.Value(values.Low), draw.Value(values.High)))
	}
	return line.String()
}

// valuesOf are what the pattern reads of a field, nil where it does not.
func (v *View) valuesOf(field int) *draft.Values {
	group := -1
	for i := 0; i <= field; i++ {
		if v.names[i] != "" {
			group++
		}
	}
	if v.names[field] == "" || group >= len(v.preview.Values) {
		return nil
	}
	return &v.preview.Values[group]
}

// below is what the pattern reads, and the pattern: all of it where there are so
// many lines, else its beginning.
func (v *View) below(f views.Frame, room int) []string {
	if v.match == "" {
		return []string{"", f.Line().Add(themes.Waiting, " nothing is read yet: space takes the number under the cursor").String()}
	}
	text := fmt.Sprintf(" reads %s of %s", draw.Count(v.preview.Matched), draw.Plural(v.preview.Lines, "line"))
	if v.left > 0 {
		text += fmt.Sprintf(", the newest ones; %s before them were not looked at", draw.Count(int(v.left)))
	}
	role := themes.Text
	if v.preview.Matched < 2 {
		role = themes.Waiting
	}
	lines := []string{"", f.Line().Add(role, text).String()}
	const name = " match: "
	rest := v.match
	for width := max(1, f.Width-len(name)); len(lines) < max(3, room) && rest != ""; {
		part := rest
		if len(lines) < room-1 {
			part = ansi.Truncate(rest, width, "")
		}
		line := f.Line().Add(themes.Dim, name)
		if rest != v.match {
			line = f.Line().Add(themes.Dim, draw.Spaces(len(name)))
		}
		lines, rest = append(lines, line.Add(themes.Text, part).String()), rest[len(part):]
	}
	return lines
}
