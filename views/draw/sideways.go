package draw

import (
	"slices"

	"github.com/traintop/traintop/keymap"
)

// placement is where the columns were last drawn.
type placement struct {
	laidOut []columnSpan
	side    int  // columns that are scrolled away to the left
	beyond  bool // columns were left out to the right of the last drawing
	whole   bool // all columns were last drawn in full
}

// lay places the columns: as wide as they need where all fit, else by
// importance; or all of them in full, of which the window shows a part, once a
// person scrolls sideways or asks for the wide columns.
func (t *Table[R]) lay(width int) {
	room, gap, natural := max(1, width-gutter), gapFor(width), t.widths()
	columns := sortedFirst(t)
	t.beyond = false
	switch {
	case inFull(natural, gap) <= room:
		t.side, t.whole = 0, true
		t.laidOut = layout(columns, natural, room, gap)
		return
	case !t.wide && t.side == 0:
		t.whole = false
		t.laidOut = layout(columns, natural, room, gap)
		for c := range natural {
			t.beyond = t.beyond || natural[c] > 0 && !t.laid(c)
		}
		return
	}
	t.whole = false
	order, pinned := sidewaysOrder(t.Columns, natural)
	t.laySideways(order, pinned, natural, max(1, room-2), gap)
}

// sortedFirst are the columns with the one that a person sorts by next to the most
// important: an order is not to be seen without it.
func sortedFirst[R any](t *Table[R]) []Column[R] {
	if t.sortBy == "" {
		return t.Columns
	}
	sorted := slices.IndexFunc(t.Columns, func(c Column[R]) bool { return c.Title == t.sortBy })
	first := mostImportant(t.Columns, t.wide)
	if sorted < 0 || sorted == first {
		return t.Columns
	}
	columns := slices.Clone(t.Columns)
	columns[sorted].Importance = columns[first].Importance - 1
	return columns
}

// laid reports whether a column is on the screen.
func (p *placement) laid(column int) bool {
	for _, span := range p.laidOut {
		if span.column == column {
			return true
		}
	}
	return false
}

// inFull is the width of all columns side by side.
func inFull(natural []int, gap int) int {
	total := -gap
	for _, w := range natural {
		if w > 0 {
			total += w + gap
		}
	}
	return total
}

// laySideways places the columns in full, in an order, from the first one that is not
// scrolled away. The pinned one, the most important, stays.
func (p *placement) laySideways(order []int, pinned int, natural []int, width, gap int) {
	if pinned < 0 {
		p.laidOut = nil
		return
	}
	p.side = max(0, min(p.side, mostSide(order, pinned, natural, width, gap)))
	p.laidOut = p.laidOut[:0:0]
	x := 0
	place := func(c, w int) {
		p.laidOut = append(p.laidOut, columnSpan{c, x, w})
		x += w + gap
	}
	natural[pinned] = min(natural[pinned], max(1, width/2))
	if p.side > 0 {
		place(pinned, natural[pinned])
	}
	skipped := 0
	for _, c := range order {
		switch {
		case c != pinned && skipped < p.side:
			skipped++
		case c == pinned && p.side > 0:
		case p.beyond || x >= width || x > 0 && width-x < min(natural[c], leastShown):
			p.beyond = true
		default:
			p.beyond = p.beyond || natural[c] > width-x
			place(c, min(natural[c], width-x))
		}
	}
}

// leastShown is the part of a column that is worth to be shown.
const leastShown = 4

// sidewaysOrder lists the visible columns, and which of them is the most
// important.
func sidewaysOrder[R any](columns []Column[R], natural []int) (order []int, pinned int) {
	pinned = -1
	for c := range natural {
		if natural[c] <= 0 {
			continue
		}
		order = append(order, c)
		if pinned < 0 || columns[c].Importance > columns[pinned].Importance {
			pinned = c
		}
	}
	return order, pinned
}

// mostSide is how many columns may be scrolled away until the last one is
// shown in full.
func mostSide(order []int, pinned int, natural []int, width, gap int) int {
	left, most := width-min(natural[pinned], max(1, width/2))-gap, 0
	for i := len(order) - 1; i >= 0; i-- {
		if order[i] == pinned {
			continue
		}
		left -= natural[order[i]] + gap
		if left < -gap {
			most++
		}
	}
	if len(order) > 1 && most == len(order)-1 { // the last column alone is wider
		most--
	}
	return most
}

// scrollSideways scrolls by one column. It reports whether anything is to be
// seen there.
func (p *placement) scrollSideways(action keymap.Action) bool {
	switch action {
	case keymap.ScrollLeft:
		p.side = max(0, p.side-1)
	case keymap.ScrollRight:
		if p.beyond {
			p.side++
		}
	default:
		return false
	}
	return true
}

// Whole reports whether all columns were last drawn in full.
func (p *placement) Whole() bool { return p.whole }
