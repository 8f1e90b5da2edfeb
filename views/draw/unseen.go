package draw

import "strings"

// matched are the columns in which rows match the filter.
type matched struct {
	// important is the most important column, -1 without columns.
	important int
	// in has a bit for each column, and one entry for all rows that match in the
	// same columns.
	in map[uint64]struct{}
}

// mostMatched bounds the columns that are told apart.
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

// FilterLine is the filter as it was typed, and names the columns that are not
// on the screen and alone decide about some rows: those that are shown because
// of them, or hidden by an inverse filter.
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
	var titles []string
	for c := range t.Columns {
		if c < mostMatched && unseen&(1<<c) != 0 {
			titles = append(titles, t.Columns[c].Title)
		}
	}
	switch n := len(titles); {
	case n == 0 || len(t.laidOut) == 0:
		return t.filter.Text
	case n > 2:
		return t.filter.Text + " (also in " + Count(n) + " columns that are not shown)"
	}
	return t.filter.Text + " (also in " + strings.Join(titles, " and ") + ", not shown)"
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
