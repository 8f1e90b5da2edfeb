package draw

import "strings"

// matched are the columns in which rows match the filter.
type matched struct {
	// important is the most important column, -1 without columns.
	important int
	// in has a bit for each column, and one entry for all rows that match in the
	// same columns.
	in map[uint64]struct{}
	// cut has a bit for each column that cuts off all that a row on the screen matches
	// by.
	cut uint64
}

// mostMatched bounds the columns that are distinguished.
const mostMatched = 64

// note notes a row that matches: the text of its columns, and where each ends.
// Rows that match in the most important column, which is always on the screen,
// need no explanation.
func (m *matched) note(f *Filter, line string, columns, ends []int) {
	var in uint64
	from := 0
	for i, c := range columns {
		if c < mostMatched && f.hits(line[from:ends[i]]) {
			if c == m.important {
				return
			}
			in |= 1 << c
		}
		from = ends[i] + 1
	}
	if in != 0 {
		m.in[in] = struct{}{}
	}
}

// noteCut notes the columns that cut off what the rows on the screen match by: cells are
// those of the rows from offset on, as they are drawn, and below the further lines of
// their sentences.
func noteCut[R any](t *Table[R], ink Ink, cells [][]Cell, below [][]Cell) {
	t.matched.cut = 0
	if !t.filter.NeedsText() || t.filter.inverse {
		return
	}
	for i := range cells {
		if seen(t, ink, cells[i], below[i]) {
			continue
		}
		for _, p := range t.laidOut {
			if full := t.Columns[p.column].Cell(t.rows[t.offset+i], ink); p.column < mostMatched && t.filter.hits(full.String()) {
				t.matched.cut |= 1 << p.column
			}
		}
	}
}

// seen reports whether what a row matches by is on the screen.
func seen[R any](t *Table[R], ink Ink, cells, below []Cell) bool {
	for at, p := range t.laidOut {
		drawn := Cut(cells[p.column].String(), p.width, ink.Theme.Glyphs.Ellipsis)
		joined := drawn // a line may break within a word
		if at == len(t.laidOut)-1 {
			for k := range below {
				line := Cut(below[k].Text, p.width, ink.Theme.Glyphs.Ellipsis)
				drawn, joined = drawn+" "+line, joined+line
			}
		}
		if t.filter.hits(drawn) || joined != drawn && t.filter.hits(joined) {
			return true
		}
	}
	return false
}

// FilterLine is the filter as it was typed, and names the columns that are not
// on the screen and alone decide about some rows: those that are shown because
// of them, or hidden by an inverse filter; and those that cut off what decides.
func (t *Table[R]) FilterLine() string {
	if t.filter.Empty() {
		return t.filter.Text
	}
	var shown, unseen uint64
	for _, p := range t.laidOut {
		shown |= 1 << min(p.column, mostMatched-1)
	}
	for in := range t.matched.in {
		if in&shown == 0 {
			unseen |= in
		}
	}
	if len(t.laidOut) == 0 {
		return t.filter.Text
	}
	var where []string
	if text := titlesOf(t.Columns, unseen); text != "" {
		where = append(where, "in "+text+", not shown")
	}
	if text := titlesOf(t.Columns, t.matched.cut&shown); text != "" {
		where = append(where, "in "+text+", cut off")
	}
	if where == nil {
		return t.filter.Text
	}
	return t.filter.Text + " (also " + strings.Join(where, "; ") + ")"
}

// titlesOf names some columns, more than two by their number; "" for none.
func titlesOf[R any](columns []Column[R], some uint64) string {
	var titles []string
	for c := range columns {
		if c < mostMatched && some&(1<<c) != 0 {
			titles = append(titles, columns[c].Title)
		}
	}
	if len(titles) > 2 {
		return Count(len(titles)) + " columns"
	}
	return strings.Join(titles, " and ")
}

// mostImportant is the index of the column that is shown at any width, -1
// without columns.
func mostImportant[R any](columns []Column[R], wide bool) int {
	for _, c := range byImportance(columns) {
		if wide || !columns[c].Wide {
			return c
		}
	}
	return -1
}
