package draw

import "github.com/traintop/traintop/keymap"

// move carries out actions that move the cursor.
func (t *Table[R]) move(action keymap.Action) bool {
	to := t.cursor
	switch action {
	case keymap.Up:
		to--
	case keymap.Down:
		to++
	case keymap.Top:
		to = 0
	case keymap.Bottom:
		to = len(t.rows) - 1
	case keymap.PageUp:
		to -= max(1, t.page-1)
	case keymap.PageDown:
		to += max(1, t.page-1)
	default:
		return false
	}
	t.moved = true
	t.moveTo(to)
	return true
}

// Moved reports whether the cursor was ever moved.
func (t *Table[R]) Moved() bool { return t.moved }

// mark carries out actions that mark rows.
func (t *Table[R]) mark(action keymap.Action) bool {
	switch action {
	case keymap.Mark:
		t.toggleMark(t.cursorKey)
		t.moved = true
		t.moveTo(t.cursor + 1)
	case keymap.MarkRange:
		t.markRange()
	case keymap.ClearMarks:
		t.marks, t.lastMark = nil, ""
	default:
		return false
	}
	return true
}

func (t *Table[R]) toggleMark(key string) {
	if key == "" {
		return
	}
	if t.marks == nil {
		t.marks = map[string]bool{}
	}
	if t.marks[key] {
		delete(t.marks, key)
		return
	}
	t.marks[key], t.lastMark = true, key
}

// markRange marks from the row marked last to the cursor.
func (t *Table[R]) markRange() {
	from := t.cursor
	for i, row := range t.rows {
		if t.lastMark != "" && t.Key(row) == t.lastMark {
			from = i
		}
	}
	for i := min(from, t.cursor); i <= max(from, t.cursor) && i < len(t.rows); i++ {
		if key := t.Key(t.rows[i]); !t.marks[key] {
			t.toggleMark(key)
		}
	}
}

// toggle carries out actions that change how the table is shown.
func (t *Table[R]) toggle(action keymap.Action) bool {
	switch action {
	case keymap.FaultyOnly:
		t.faultyOnly, t.stale = t.Faulty != nil && !t.faultyOnly, true
	case keymap.Wide:
		t.SetWide(!t.wide)
	case keymap.SortLeft:
		t.choose(-1)
	case keymap.SortRight:
		t.choose(1)
	case keymap.SortChosen:
		t.sortOrTurn(t.chosen)
	default:
		return false
	}
	return true
}

// choose moves the choice of a column to sort by among those on the screen.
func (t *Table[R]) choose(step int) {
	at := -1
	if step < 0 {
		at = len(t.laidOut)
	}
	for i, p := range t.laidOut {
		if t.Columns[p.column].Title == t.chosen {
			at = i
		}
	}
	for at += step; at >= 0 && at < len(t.laidOut); at += step {
		if c := &t.Columns[t.laidOut[at].column]; c.Compare != nil {
			t.chosen = c.Title
			return
		}
	}
}

// Click puts the cursor on the row at a line of the last drawing, or sorts by
// the column whose title was hit. hit is true for a row.
func (t *Table[R]) Click(x, y int) (hit bool) {
	if y == 0 {
		for _, p := range t.laidOut {
			if x-gutter >= p.x && x-gutter < p.x+p.width {
				t.sortOrTurn(t.Columns[p.column].Title)
			}
		}
		return false
	}
	if y < 0 || y > len(t.drawn) || t.drawn[y-1] >= len(t.rows) {
		return false
	}
	t.moved = true
	t.moveTo(t.drawn[y-1])
	return true
}

// Wheel scrolls by moving the cursor.
func (t *Table[R]) Wheel(lines int) {
	t.moved = true
	t.moveTo(t.cursor + lines)
}

// scroll moves the window so that the cursor is in it.
func (t *Table[R]) scroll() {
	t.offset = min(t.offset, t.cursor)
	t.offset = max(t.offset, t.cursor-t.page+1)
	t.offset = max(0, min(t.offset, len(t.rows)-t.page))
}
