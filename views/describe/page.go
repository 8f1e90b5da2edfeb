package describe

import (
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// page collects the lines of a description.
type page struct {
	f     views.Frame
	lines []draw.TextLine
	cut   int // lines that were left out
}

// maxLines bounds a description; an object in etcd has 1.5 MiB at most, and
// a tree of it writes each value on a line.
const maxLines = 20_000

func (p *page) add(spans ...draw.Span) {
	if len(p.lines) >= maxLines {
		p.cut++
		return
	}
	p.lines = append(p.lines, spans)
}

// section begins a part of the page.
func (p *page) section(name string) {
	if len(p.lines) > 0 {
		p.add()
	}
	p.add(draw.Span{Text: name + ":", Role: themes.Accent})
}

// keyCells is the width of the name of a fact at the left margin.
const keyCells = 18

// indent is the indentation of each level of a page, in cells.
const indent = 2

// fact is a line "Name:  value"; the values of one page are aligned. A fact
// without a value is left out.
func (p *page) fact(depth int, name, value string, role themes.Role) {
	if value != "" {
		p.add(key(depth, name+":", keyCells), draw.Span{Text: value, Role: role})
	}
}

// leaf is a fact whose value is aligned with those of its neighbours.
func (p *page) leaf(depth, cells int, name, value string) {
	p.add(key(depth, name+":", cells), draw.Span{Text: value, Role: themes.Text})
}

// facts is a fact with several values, one on each line.
func (p *page) facts(depth int, name string, values []string) {
	label := name + ":"
	for _, value := range values {
		p.add(key(depth, label, keyCells), draw.Span{Text: value, Role: themes.Text})
		label = ""
	}
}

// key is a name in a number of cells, as far as it fits.
func key(depth int, label string, cells int) draw.Span {
	label = draw.Clean(label)
	return draw.Span{Text: draw.Spaces(depth*indent) + label + draw.Spaces(max(1, cells-draw.Width(label))), Role: themes.YAMLKey}
}

// maxCell bounds a column of a table, the last one aside.
const maxCell = 60

// table is rows of cells below their titles; the last column may be a
// sentence of any length.
func (p *page) table(titles []string, rows [][]draw.Span) {
	widths := make([]int, len(titles))
	for i, title := range titles {
		widths[i] = draw.Width(title)
	}
	for _, row := range rows {
		for i := range row {
			row[i].Text = draw.Clean(row[i].Text)
			widths[i] = min(maxCell, max(widths[i], draw.Width(row[i].Text)))
		}
	}
	heads := make([]draw.Span, len(titles))
	for i, title := range titles {
		heads[i] = draw.Span{Text: title, Role: themes.Heading}
	}
	for _, row := range append([][]draw.Span{heads}, rows...) {
		line := []draw.Span{{Text: draw.Spaces(indent), Role: themes.Text}}
		for i, cell := range row {
			if i < len(row)-1 {
				cell.Text = draw.Fit(cell.Text, widths[i], false, p.f.Theme.Glyphs.Ellipsis) + "  "
			}
			line = append(line, cell)
		}
		p.add(line...)
	}
}

func plain(text string) draw.Span { return draw.Span{Text: text, Role: themes.Text} }

func dim(text string) draw.Span { return draw.Span{Text: text, Role: themes.Dim} }

// shortened cuts a value of any length to a line or two.
func (p *page) shortened(value string) string {
	return draw.Cut(draw.Clean(value), maxValue, p.f.Theme.Glyphs.Ellipsis)
}

// maxValue bounds the value of an annotation or of a field, in cells: long
// ones are configuration in disguise, which the YAML shows whole.
const maxValue = 300

// spaced joins the words that are not empty.
func spaced(words ...string) string {
	var there []string
	for _, word := range words {
		if word != "" {
			there = append(there, word)
		}
	}
	return strings.Join(there, " ")
}
