package draw

import (
	"slices"

	"github.com/traintop/traintop/keymap"
)

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
	t.laySideways(natural, max(1, room-2), gap)
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
func (t *Table[R]) laid(column int) bool {
	for _, p := range t.laidOut {
		if p.column == column {
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

// laySideways places all columns in full from the first one that is not
// scrolled away. The most important column stays.
func (t *Table[R]) laySideways(natural []int, width, gap int) {
	order, pinned := t.sidewaysOrder(natural)
	if pinned < 0 {
		t.laidOut = nil
		return
	}
	t.side = max(0, min(t.side, mostSide(order, pinned, natural, width, gap)))
	t.laidOut = t.laidOut[:0:0]
	x := 0
	place := func(c, w int) {
		t.laidOut = append(t.laidOut, columnSpan{c, x, w})
		x += w + gap
	}
	natural[pinned] = min(natural[pinned], max(1, width/2))
	if t.side > 0 {
		place(pinned, natural[pinned])
	}
	skipped := 0
	for _, c := range order {
		switch {
		case c != pinned && skipped < t.side:
			skipped++
		case c == pinned && t.side > 0:
		case t.beyond || x >= width || x > 0 && width-x < min(natural[c], leastShown):
			t.beyond = true
		default:
			t.beyond = t.beyond || natural[c] > width-x
			place(c, min(natural[c], width-x))
		}
	}
}

// leastShown is the part of a column that is worth to be shown.
const leastShown = 4

// sidewaysOrder lists the visible columns, and which of them is the most
// important.
func (t *Table[R]) sidewaysOrder(natural []int) (order []int, pinned int) {
	pinned = -1
	for c := range natural {
		if natural[c] <= 0 {
			continue
		}
		order = append(order, c)
		if pinned < 0 || t.Columns[c].Importance > t.Columns[pinned].Importance {
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
func (t *Table[R]) scrollSideways(action keymap.Action) bool {
	switch action {
	case keymap.ScrollLeft:
		t.side = max(0, t.side-1)
	case keymap.ScrollRight:
		if t.beyond {
			t.side++
		}
	default:
		return false
	}
	return true
}

// Whole reports whether all columns were last drawn in full.
func (t *Table[R]) Whole() bool { return t.whole }
