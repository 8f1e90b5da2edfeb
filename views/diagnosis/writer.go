package diagnosis

import (
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

const (
	// textWidth is the greatest width of prose: longer lines are hard to read.
	// Evidence and commands may be wider.
	textWidth = 110
	wideWidth = 160
	// narrow is the width below which labels have lines of their own.
	narrow = 60
	// mostLines bounds one text: a thousand lines explain no more than the
	// first ones. All of it can be copied.
	mostLines = 12
)

// writer lays a page out.
type writer struct {
	page
	f views.Frame
	// prose is the width of prose, width that of evidence and commands.
	prose, width int
	// runs reports whether a step can be carried out here; nil where nothing is.
	runs func(*train.Step) bool
	// probes reports whether a probe can be run here; nil where nothing is.
	probes func(id string) bool
}

func newWriter(f views.Frame, width int) *writer {
	width = max(8, width)
	return &writer{f: f, prose: min(width, textWidth), width: min(width, wideWidth)}
}

func (w *writer) begin(i item) {
	i.first = len(w.lines)
	w.items = append(w.items, i)
}

func (w *writer) end() { w.items[len(w.items)-1].last = len(w.lines) - 1 }

func (w *writer) blank() { w.lines = append(w.lines, nil) }

// text adds prose behind a label, wrapped below where it begins.
func (w *writer) text(role themes.Role, label, text string) {
	w.wrapped(draw.Span{Text: label, Role: themes.Dim}, role, text, w.prose)
}

// wide is text that may be as wide as the screen.
func (w *writer) wide(role themes.Role, label, text string) {
	w.wrapped(draw.Span{Text: label, Role: themes.Dim}, role, text, w.width)
}

// marked adds a text behind a mark and a name.
func (w *writer) marked(mark draw.State, name string, role themes.Role, text string) {
	w.wrapped(draw.Span{Text: mark.Mark + " " + name, Role: mark.Role}, role, text, w.prose)
}

// wrapped lays out a text behind its label. A label that leaves too little room
// has a line of its own.
func (w *writer) wrapped(label draw.Span, role themes.Role, text string, width int) {
	indent := draw.Width(label.Text)
	if indent > 6 && indent > width/3 {
		indent = 4
		w.lines = append(w.lines, line{{Text: draw.Cut(strings.TrimRight(label.Text, " "), w.width, w.f.Theme.Glyphs.Ellipsis), Role: label.Role}})
		label.Text = draw.Spaces(indent)
	}
	parts := draw.Wrap(draw.Clean(text), max(4, width-indent))
	if len(parts) > mostLines {
		parts = parts[:mostLines]
		parts[mostLines-1] = draw.Cut(parts[mostLines-1], max(1, width-indent-2), "") + " " + w.f.Theme.Glyphs.Ellipsis
	}
	for i, part := range parts {
		if i > 0 {
			label = draw.Span{Text: draw.Spaces(indent), Role: themes.Text}
		}
		w.lines = append(w.lines, line{label, {Text: part, Role: role}})
	}
}

// beside adds a text at the right end of the first of the lines from first on,
// and reports whether there was room for it.
func (w *writer) beside(first int, role themes.Role, text string) bool {
	if first >= len(w.lines) {
		return false
	}
	l := &w.lines[first]
	used := 0
	for _, span := range *l {
		used += draw.Width(span.Text)
	}
	gap := w.width - used - draw.Width(text)
	if gap < 3 {
		return false
	}
	*l = append(*l, draw.Span{Text: draw.Spaces(gap), Role: themes.Text}, draw.Span{Text: text, Role: role})
	return true
}
