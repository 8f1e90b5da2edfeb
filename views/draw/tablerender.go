package draw

import (
	"strings"

	"github.com/traintop/traintop/themes"
)

// Render draws the column titles and the rows around the cursor: exactly
// height lines.
func (t *Table[R]) Render(ink Ink, width, height int) []string {
	t.Arrange(ink)
	t.page = max(0, height-1)
	t.scroll()
	last := min(len(t.rows), t.offset+t.page)
	cells := t.cells(t.rows[t.offset:last], ink)
	t.lay(width)
	t.shorten(cells, ink.Theme.Glyphs.Ellipsis)
	lines := make([]string, 0, height)
	lines, t.drawn = append(lines, t.titles(ink, width)), t.drawn[:0]
	below := t.wrap(cells, t.page-len(t.rows))
	noteCut(t, ink, cells, below)
	for i := range cells {
		lines, t.drawn = append(lines, t.line(ink, width, t.offset+i, cells[i])), append(t.drawn, t.offset+i)
		for _, rest := range below[i] {
			lines, t.drawn = append(lines, t.lineBelow(ink, width, t.offset+i, rest)), append(t.drawn, t.offset+i)
		}
	}
	return Lines(lines, height)
}

// shorten shortens names that do not fit, so that those on the screen stay
// different.
func (t *Table[R]) shorten(cells [][]Cell, ellipsis string) {
	for _, p := range t.laidOut {
		c := &t.Columns[p.column]
		if !c.Name && !c.Ends || !anyWider(cells, p) {
			continue
		}
		texts := make([]string, len(cells))
		for i := range cells {
			texts[i] = cells[i][p.column].Text
		}
		if c.Ends {
			texts = cutCommon(texts, ellipsis)
		} else {
			texts = CutDistinct(texts, p.width, ellipsis)
		}
		for i, short := range texts {
			cells[i][p.column].Text = short
		}
	}
}

// anyWider reports whether a column cuts any of its cells.
func anyWider(cells [][]Cell, p columnSpan) bool {
	for i := range cells {
		if Width(cells[i][p.column].Text) > p.width {
			return true
		}
	}
	return false
}

// leastWrapped is the width from which a sentence is worth a second line.
// mostLines bounds its lines; it is shown in full on the screen of its row.
const (
	leastWrapped = 20
	mostLines    = 4
)

// wrap breaks the sentences that their column cuts and returns the texts below
// each row. All get a second line before one gets a third, while lines are to
// spare.
func (t *Table[R]) wrap(cells [][]Cell, spare int) (below [][]Cell) {
	below = make([][]Cell, len(cells))
	if spare <= 0 || len(t.laidOut) == 0 {
		return below
	}
	p := t.laidOut[len(t.laidOut)-1]
	if !t.Columns[p.column].Wrap || p.width < leastWrapped {
		return below
	}
	for line := 1; line < mostLines; line++ {
		for i := range cells {
			last := &cells[i][p.column]
			if line > 1 && len(below[i]) == line-1 {
				last = &below[i][line-2]
			}
			if spare > 0 && len(below[i]) == line-1 && len(last.Spans) == 0 && Width(last.Text) > p.width {
				below[i] = append(below[i], breakCell(last, p.width))
				spare--
			}
		}
	}
	return below
}

// breakCell leaves what fits of a sentence in its cell and returns the rest.
func breakCell(cell *Cell, width int) (rest Cell) {
	first := Wrap(cell.Text, width)[0]
	rest = Cell{Text: strings.TrimSpace(strings.TrimPrefix(cell.Text, first)), Role: cell.Role}
	cell.Text = strings.TrimRight(first, " ")
	return rest
}

// lineBelow draws a further line of a row's sentence.
func (t *Table[R]) lineBelow(ink Ink, width, row int, rest Cell) string {
	line := NewLine(ink.Theme, width, row == t.cursor && !t.Resting)
	p := t.laidOut[len(t.laidOut)-1]
	line.Add(themes.Text, Spaces(gutter+p.x))
	return line.Add(rest.Role, Cut(rest.Text, p.width, ink.Theme.Glyphs.Ellipsis)).String()
}

func gapFor(width int) int {
	if width < 90 {
		return 1
	}
	return 2
}

// cells makes the cells of the visible rows, and widens columns to their
// content.
func (t *Table[R]) cells(rows []R, ink Ink) [][]Cell {
	t.measure(nil, ink)
	cells := make([][]Cell, len(rows))
	all := make([]Cell, len(rows)*len(t.Columns))
	for i, row := range rows {
		cells[i] = all[i*len(t.Columns) : (i+1)*len(t.Columns)]
		for c := range t.Columns {
			if column := &t.Columns[c]; t.wide || !column.Wide {
				cells[i][c] = column.Cell(row, ink)
				t.grow(c, &cells[i][c], ink)
			}
		}
	}
	return cells
}

// measure widens columns to the content of some rows.
func (t *Table[R]) measure(rows []R, ink Ink) {
	if t.natural == nil {
		t.natural, t.filled = make([]int, len(t.Columns)), make([]bool, len(t.Columns))
		for c := range t.Columns {
			t.natural[c] = Width(t.Columns[c].Title)
			if t.Columns[c].Compare != nil {
				t.natural[c]++ // room for the arrow
			}
			t.natural[c] = max(t.natural[c], t.Columns[c].Reserve)
		}
	}
	turn := ink.Ages.Turn
	for _, row := range rows {
		for c := range t.Columns {
			if column := &t.Columns[c]; t.wide || !column.Wide {
				cell := column.Cell(row, ink)
				t.grow(c, &cell, ink)
			}
		}
	}
	ink.Ages.Turn = turn // these rows need not be on the screen
}

// grow cleans a cell and widens its column to it.
func (t *Table[R]) grow(c int, cell *Cell, ink Ink) {
	w := 0
	if len(cell.Spans) == 0 {
		cell.Text = Clean(cell.Text)
		w = Width(cell.Text)
	}
	for i := range cell.Spans {
		cell.Spans[i].Text = Clean(cell.Spans[i].Text)
		w += Width(cell.Spans[i].Text)
	}
	if limit := t.Columns[c].Max; limit > 0 && !t.Columns[c].Name {
		w = min(w, limit)
	}
	t.natural[c] = max(t.natural[c], w)
	t.filled[c] = t.filled[c] || cell.valued(&ink.Theme.Glyphs)
}

// valued reports whether a cell shows more than that there is nothing.
func (c *Cell) valued(g *themes.Glyphs) bool {
	some := func(text string) bool {
		text = strings.TrimSpace(text)
		return text != "" && text != g.Dash && text != g.Unmeasured
	}
	for i := range c.Spans {
		if some(c.Spans[i].Text) {
			return true
		}
	}
	return len(c.Spans) == 0 && some(c.Text)
}

// widths are the columns' natural widths, negative for those that are hidden:
// the wide ones, and those in which no row has a value.
func (t *Table[R]) widths() []int {
	widths := make([]int, len(t.Columns))
	for c := range t.Columns {
		widths[c] = t.natural[c]
		if !t.wide && (t.Columns[c].Wide || !t.Columns[c].Keep && !t.filled[c] && len(t.all) > 0) {
			widths[c] = -1
		}
	}
	return widths
}

func (t *Table[R]) titles(ink Ink, width int) string {
	line, margin := NewLine(ink.Theme, width, false), Spaces(gutter)
	if t.side > 0 {
		margin = ink.Theme.Glyphs.Left + Spaces(gutter-1)
	}
	line.Add(themes.Heading, margin)
	for i, p := range t.laidOut {
		c := &t.Columns[p.column]
		title, role := c.Title, themes.Heading
		if t.sortBy == c.Title {
			title, role = c.Title+ink.Theme.Glyphs.SortUp, themes.Sorted
			if t.descending {
				title = c.Title + ink.Theme.Glyphs.SortDown
			}
		}
		if t.chosen == c.Title {
			role = themes.Chosen
		}
		gap(line, i, width)
		t.fit(line, role, title, p, i)
	}
	if t.beyond {
		line.Right(NewLine(ink.Theme, 1, false).Add(themes.Heading, ink.Theme.Glyphs.Right))
	}
	return line.String()
}

// line draws one row.
func (t *Table[R]) line(ink Ink, width, row int, cells []Cell) string {
	selected := row == t.cursor && !t.Resting
	line := NewLine(ink.Theme, width, selected)
	marked := len(t.marks) > 0 && t.marks[t.Key(t.rows[row])]
	margin(line, selected, marked, t.Pinned != nil && t.Pinned(t.rows[row]), t.Alerts != nil && t.Alerts(t.rows[row]))
	for i, p := range t.laidOut {
		gap(line, i, width)
		cell := &cells[p.column]
		if marked && cell.Role <= themes.Strong {
			cell.Role = themes.Marked
		}
		if len(cell.Spans) > 0 {
			spans(line, cell.Spans, p.width)
		} else {
			t.fit(line, cell.Role, cell.Text, p, i)
		}
	}
	return line.String()
}

// margin draws the two cells before a row: the cursor, and whether it is marked
// or pinned. The sign that a person should look at the row takes the first of
// them, and under the cursor the second, if that is free: nothing moves when it
// comes and goes.
func margin(line *Line, selected, marked, pinned, alerts bool) {
	g := &line.theme.Glyphs
	cursor, cursorRole, mark, markRole := " ", themes.Accent, " ", themes.Marked
	switch {
	case marked:
		mark = g.Marked
	case pinned:
		mark = g.Pinned
	}
	switch {
	case selected:
		cursor = g.Cursor
		if alerts && mark == " " {
			mark, markRole = g.Alert, themes.Bad
		}
	case alerts:
		cursor, cursorRole = g.Alert, themes.Bad
	}
	line.Add(cursorRole, cursor).Add(markRole, mark)
}

func gap(line *Line, i, width int) {
	if i > 0 {
		line.Add(themes.Text, Spaces(gapFor(width)))
	}
}

// fit draws a text in its column; the last column needs no padding.
func (t *Table[R]) fit(line *Line, role themes.Role, text string, p columnSpan, i int) {
	if i == len(t.laidOut)-1 && !t.Columns[p.column].Right {
		line.Add(role, Cut(text, p.width, line.theme.Glyphs.Ellipsis))
		return
	}
	line.Fit(role, text, p.width, t.Columns[p.column].Right)
}

func spans(line *Line, spans []Span, width int) {
	for _, s := range spans {
		w := min(width, Width(s.Text))
		if s.Whole && w < Width(s.Text) {
			continue
		}
		line.Fit(s.Role, s.Text, w, false)
		width -= w
	}
	line.Add(themes.Text, Spaces(width))
}

// Text is the whole table without colours, to be saved or copied.
func (t *Table[R]) Text(ink Ink) string {
	var columns []int
	for c := range t.Columns {
		if t.wide || !t.Columns[c].Wide {
			columns = append(columns, c)
		}
	}
	table := [][]string{make([]string, 0, len(columns))}
	for _, c := range columns {
		table[0] = append(table[0], t.Columns[c].Title)
	}
	for _, row := range t.rows {
		var line []string
		for _, c := range columns {
			line = append(line, t.Columns[c].Cell(row, ink).String())
		}
		table = append(table, line)
	}
	return aligned(table)
}

// aligned writes a table with its columns below each other.
func aligned(table [][]string) string {
	var widths []int
	for _, line := range table {
		for i, text := range line {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(text))
		}
	}
	var b strings.Builder
	for _, line := range table {
		var out strings.Builder
		for i, text := range line {
			out.WriteString(text + Spaces(widths[i]-Width(text)+2))
		}
		b.WriteString(strings.TrimRight(out.String(), " ") + "\n")
	}
	return b.String()
}
