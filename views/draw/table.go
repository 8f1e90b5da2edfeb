package draw

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/keymap"
	"k8s.io/apimachinery/pkg/labels"
)

// Table shows rows of R. Rows have an identity: cursor and marks stay on their
// objects while rows come, go and move. Order and filter are computed when the
// data, the order or the filter changes; drawing costs only the visible rows.
type Table[R any] struct {
	// Noun names one row: "job".
	Noun    string
	Columns []Column[R]
	// Key is a row's identity.
	Key func(R) string
	// Labels are read by -l filters; nil when rows have none.
	Labels func(R) map[string]string
	// Faulty reports whether a row is in trouble.
	Faulty func(R) bool
	// Pinned reports whether a row comes before the others in every order; nil
	// pins none.
	Pinned func(R) bool
	// Alerts reports whether a row has a sign before it that a person should look
	// at it; nil marks none.
	Alerts func(R) bool
	// First is the order before a person sorts, and FirstName its name; nil
	// keeps the rows in the given order.
	First     func(a, b R) int
	FirstName string
	// Begin is the key of the row with the cursor until a person moves it, ""
	// for the row on top.
	Begin string
	// Resting draws no cursor: another table on the screen has it.
	Resting bool

	all     []R // in the given order
	rows    []R // the shown rows, in order
	version Version
	loaded  bool
	stale   bool // rows have to be computed again

	cursor    int
	cursorKey string
	moved     bool // the cursor was moved; until then it stays on top
	offset    int
	page      int // rows that were last drawn

	marks    map[string]bool
	lastMark string

	filter     Filter
	matched    matched
	faultyOnly bool
	wide       bool
	sortBy     string // a column's title, "" for First
	descending bool
	chosen     string // title of the column chosen to sort by

	natural []int  // widest content seen of each column; only grows
	filled  []bool // columns in which a value was seen
	drawn   []int  // the row of each line of the last drawing
	placement
}

// Version identifies data: rows are read again only when it changes.
type Version struct {
	Data   uint64
	Limits string // the other inputs that decide which rows there are
}

// gutter is the room before each row for the cursor and the mark.
const gutter = 2

// SetColumns replaces the columns, also by another number of them.
func (t *Table[R]) SetColumns(columns []Column[R]) {
	t.Columns, t.natural, t.filled, t.laidOut, t.side, t.stale = columns, nil, nil, nil, 0, true
}

// Refresh computes the shown rows again at the next drawing.
func (t *Table[R]) Refresh() { t.stale = true }

// Load loads rows when their version is new. fill is not called otherwise.
func (t *Table[R]) Load(v Version, ink Ink, fill func() []R) {
	if !t.loaded || v != t.version {
		if v.Limits != t.version.Limits {
			t.natural, t.filled = nil, nil
		}
		t.all, t.version, t.loaded, t.stale = fill(), v, true, true
	}
	t.Arrange(ink)
}

// Arrange computes the rows again if needed.
func (t *Table[R]) Arrange(ink Ink) {
	if t.stale {
		t.arrange(ink)
	}
}

// arrange filters and sorts, and puts the cursor back on its object.
func (t *Table[R]) arrange(ink Ink) {
	t.stale = false
	t.measure(t.all[:min(len(t.all), measured)], ink)
	t.rows, t.matched = t.rows[:0:0], matched{important: mostImportant(t.Columns, t.wide), in: map[uint64]struct{}{}}
	for _, row := range t.all {
		if t.passes(row, ink) {
			t.rows = append(t.rows, row)
		}
	}
	if compare := t.order(); compare != nil {
		slices.SortStableFunc(t.rows, compare)
	}
	if t.Pinned != nil {
		slices.SortStableFunc(t.rows, t.pinnedFirst)
	}
	t.follow()
}

// measured bounds how many rows are read for column widths beside those that
// are drawn.
const measured = 200

func (t *Table[R]) passes(row R, ink Ink) bool {
	if t.faultyOnly && t.Faulty != nil && !t.Faulty(row) {
		return false
	}
	if t.filter.Empty() {
		return true
	}
	var of labels.Set
	if t.Labels != nil {
		of = t.Labels(row)
	}
	if !t.filter.NeedsText() {
		return t.filter.Match("", of)
	}
	line, columns, ends := t.joined(row, ink)
	passes := t.filter.Match(line, of)
	if passes != t.filter.inverse {
		t.matched.note(&t.filter, line, columns, ends)
	}
	return passes
}

// joined is a row as the filter reads it: its columns side by side, also those
// for which the screen is too narrow, so that a filter finds the same at every
// width. It returns which columns those are, and where each ends.
func (t *Table[R]) joined(row R, ink Ink) (line string, columns, ends []int) {
	var b strings.Builder
	for i := range t.Columns {
		if c := &t.Columns[i]; t.wide || !c.Wide {
			b.WriteString(c.Cell(row, ink).String())
			columns, ends = append(columns, i), append(ends, b.Len())
			b.WriteByte(' ')
		}
	}
	return b.String(), columns, ends
}

func (t *Table[R]) pinnedFirst(a, b R) int {
	switch pinned := t.Pinned(a); {
	case pinned == t.Pinned(b):
		return 0
	case pinned:
		return -1
	}
	return 1
}

func (t *Table[R]) order() func(a, b R) int {
	c := t.column(t.sortBy)
	if c == nil || c.Compare == nil {
		return t.First
	}
	if t.descending {
		return func(a, b R) int { return c.Compare(b, a) }
	}
	return c.Compare
}

func (t *Table[R]) column(title string) *Column[R] {
	for i := range t.Columns {
		if title != "" && t.Columns[i].Title == title {
			return &t.Columns[i]
		}
	}
	return nil
}

// follow moves the cursor to its object's row. When the object is gone, the
// cursor stays at its index.
func (t *Table[R]) follow() {
	if !t.moved {
		t.cursor, t.offset = 0, 0
		if t.Begin != "" {
			t.cursor = max(0, t.find(t.Begin))
		}
	} else if at := t.find(t.cursorKey); at >= 0 {
		t.offset += at - t.cursor
		t.cursor = at
	}
	t.moveTo(t.cursor)
}

func (t *Table[R]) find(key string) int {
	if t.cursor < len(t.rows) && t.Key(t.rows[t.cursor]) == key {
		return t.cursor
	}
	return slices.IndexFunc(t.rows, func(row R) bool { return t.Key(row) == key })
}

// moveTo puts the cursor on a row, or on the nearest one.
func (t *Table[R]) moveTo(row int) {
	t.cursor = max(0, min(row, len(t.rows)-1))
	t.cursorKey = ""
	if len(t.rows) > 0 {
		t.cursorKey = t.Key(t.rows[t.cursor])
	}
}

// Select puts the cursor on the row with this key, if there is one.
func (t *Table[R]) Select(key string) {
	if at := t.find(key); at >= 0 {
		t.moved = true
		t.moveTo(at)
	}
}

// Current is the row under the cursor.
func (t *Table[R]) Current() (row R, ok bool) {
	if t.cursor >= len(t.rows) {
		return row, false
	}
	return t.rows[t.cursor], true
}

// Chosen are the marked rows in the order shown, or the one under the cursor.
func (t *Table[R]) Chosen() []R {
	var chosen []R
	if len(t.marks) > 0 {
		for _, row := range t.rows {
			if t.marks[t.Key(row)] {
				chosen = append(chosen, row)
			}
		}
	}
	if row, ok := t.Current(); ok && len(chosen) == 0 {
		chosen = append(chosen, row)
	}
	return chosen
}

// Rows are those that are shown, in order. The caller must not change them.
func (t *Table[R]) Rows() []R { return t.rows }

// Visible are those of them that were drawn last.
func (t *Table[R]) Visible() []R {
	from := min(t.offset, len(t.rows))
	return t.rows[from:min(len(t.rows), from+t.page)]
}

// Len is how many rows are shown, Total how many there are, Marks how many
// carry a mark.
func (t *Table[R]) Len() int   { return len(t.rows) }
func (t *Table[R]) Total() int { return len(t.all) }
func (t *Table[R]) Marks() int { return len(t.marks) }

// SetFilter narrows the rows; see ParseFilter.
func (t *Table[R]) SetFilter(text string) error {
	f, err := ParseFilter(text)
	if err != nil {
		return err
	}
	t.filter, t.stale = f, true
	return nil
}

// Filter is the filter as it was typed.
func (t *Table[R]) Filter() string { return t.filter.Text }

// FaultyOnly reports whether only rows in trouble are shown.
func (t *Table[R]) FaultyOnly() bool { return t.faultyOnly }

// Wide reports whether wide columns are shown.
func (t *Table[R]) Wide() bool { return t.wide }

// SetWide shows all columns in full, the wide and the empty ones too, or only
// those that fit.
func (t *Table[R]) SetWide(wide bool) { t.wide, t.side, t.stale = wide, 0, true }

// Sorting is the column that the rows are sorted by, "" for the first order.
func (t *Table[R]) Sorting() (title string, descending bool) { return t.sortBy, t.descending }

// SortBy sorts by a column; a title that no column has is the first order.
func (t *Table[R]) SortBy(title string, descending bool) {
	if t.column(title) == nil {
		title, descending = "", false
	}
	t.sortBy, t.descending, t.stale = title, descending, true
}

// sortOrTurn sorts by a column, or turns the order when it is sorted by it.
func (t *Table[R]) sortOrTurn(title string) bool {
	c := t.column(title)
	if c == nil || c.Compare == nil {
		return false
	}
	if t.sortBy == title {
		t.SortBy(title, !t.descending)
	} else {
		t.SortBy(title, c.Descending)
	}
	return true
}

// SortedBy describes how the rows are sorted.
func (t *Table[R]) SortedBy() string {
	switch {
	case t.sortBy == "" && t.FirstName != "":
		return "sorted by " + t.FirstName
	case t.sortBy == "":
		return ""
	case t.descending:
		return "sorted by " + strings.ToLower(t.sortBy) + ", descending"
	}
	return "sorted by " + strings.ToLower(t.sortBy)
}

// Do carries out actions that every table has. The screen passes the titles of
// the columns of the sort keys.
func (t *Table[R]) Do(action keymap.Action, sorts map[keymap.Action]string) bool {
	if title, sorting := sorts[action]; sorting {
		return t.sortOrTurn(title)
	}
	return t.move(action) || t.mark(action) || t.toggle(action) || t.scrollSideways(action)
}
