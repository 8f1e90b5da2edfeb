package draw

import "github.com/charmbracelet/x/ansi"

// window cuts the cells from..from+width out of a line.
func window(line TextLine, from, width int) TextLine {
	var out TextLine
	for _, s := range line {
		w := Width(s.Text)
		switch {
		case width <= 0:
			return out
		case w <= from:
			from -= w
			continue
		case from > 0 || w > width:
			s.Text = ansi.Cut(s.Text, from, min(w, from+width))
			w = Width(s.Text)
		}
		from = 0
		width -= w
		out = append(out, s)
	}
	return out
}
