package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/themes"
)

// Line builds one line of the screen from pieces of text in roles. Texts must
// be clean; Line only counts cells and changes looks.
type Line struct {
	theme    *themes.Theme
	selected bool
	width    int // the most cells of the line
	used     int
	role     themes.Role
	opened   bool
	dropped  bool // a text found no room at all
	b        strings.Builder
}

// NewLine begins a line of at most width cells. selected draws all of it on the
// selected row's background.
func NewLine(theme *themes.Theme, width int, selected bool) *Line {
	l := &Line{theme: theme, width: width, selected: selected}
	l.b.Grow(width + 96)
	return l
}

// Add appends a text, cut to the rest of the line.
func (l *Line) Add(role themes.Role, text string) *Line {
	w := Width(text)
	if w > l.width-l.used {
		l.dropped = l.dropped || l.used >= l.width && !blank(text)
		text = Cut(text, l.width-l.used, l.theme.Glyphs.Ellipsis)
		w = Width(text)
	}
	l.put(role, text, w)
	return l
}

// Fit appends a text in exactly width cells, as far as the line reaches.
func (l *Line) Fit(role themes.Role, text string, width int, right bool) *Line {
	width = min(width, l.width-l.used)
	if width <= 0 {
		return l
	}
	text = Cut(text, width, l.theme.Glyphs.Ellipsis)
	w := Width(text)
	if right {
		l.put(role, Spaces(width-w), width-w)
	}
	l.put(role, text, w)
	if !right {
		l.put(role, Spaces(width-w), width-w)
	}
	return l
}

// Left is how many cells are left.
func (l *Line) Left() int { return l.width - l.used }

// Right appends the pieces of the other line at the right end, if there is room
// for them and a gap.
func (l *Line) Right(other *Line) *Line {
	if gap := l.Left() - other.used; gap > 0 && other.used > 0 {
		l.put(themes.Text, Spaces(gap), gap)
		l.b.WriteString(other.b.String())
		l.used += other.used
		l.role, l.opened = other.role, other.opened
	}
	return l
}

// String ends the line: closed, and filled to its width when it is selected.
func (l *Line) String() string {
	if l.selected {
		l.put(l.role, Spaces(l.Left()), l.Left())
	}
	if l.opened {
		l.b.WriteString(themes.Close)
		l.opened = false
	}
	if mark := l.theme.Glyphs.Ellipsis; l.dropped && l.width > Width(mark) {
		// The last text ended where the line ends, and hid that another follows.
		return ansi.Truncate(l.b.String()+" ", l.width, mark)
	}
	return l.b.String()
}

func (l *Line) put(role themes.Role, text string, width int) {
	if text == "" || width <= 0 {
		return
	}
	// Spaces show no foreground, so they need no change of look.
	if !l.opened || role != l.role && !(blank(text) && plainGround(l.theme, l.role)) {
		l.b.WriteString(l.theme.Open(role, l.selected))
		l.role, l.opened = role, true
	}
	l.b.WriteString(text)
	l.used += width
}

func blank(text string) bool {
	for i := range len(text) {
		if text[i] != ' ' {
			return false
		}
	}
	return true
}

// plainGround reports whether spaces drawn in a role are invisible.
func plainGround(t *themes.Theme, r themes.Role) bool {
	return r != themes.Match && r != themes.Chosen
}
