package draw

import "github.com/traintop/traintop/themes"

// AddSelected appends a text on the background of the selected row, in a line
// that is not selected: a cell of a map under the cursor.
func (l *Line) AddSelected(role themes.Role, text string) *Line {
	w := Width(text)
	if w > l.Left() {
		return l
	}
	l.b.WriteString(l.theme.Open(role, true))
	l.b.WriteString(text)
	l.b.WriteString(themes.Close)
	l.used += w
	l.opened = false
	return l
}

// Used is how many cells the line has.
func (l *Line) Used() int { return l.used }
