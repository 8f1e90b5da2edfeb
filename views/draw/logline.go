package draw

import (
	"github.com/traintop/traintop/themes"
)

// LogText is a line of a log as it is to be drawn.
type LogText struct {
	// Text may hold colours of the program that printed it; they end with the
	// line.
	Text string
	Role themes.Role
	// Hits are where LogPlain(Text) is to be marked: pairs of byte offsets,
	// in order, not overlapping.
	Hits [][]int
}

// AddLog appends the cells from..to of a log's line.
func (l *Line) AddLog(t LogText, from, to int) *Line {
	to = min(to, from+l.Left())
	if len(t.Hits) == 0 && printable(t.Text) {
		if from = max(0, from); from < min(to, len(t.Text)) {
			l.put(t.Role, t.Text[from:min(to, len(t.Text))], min(to, len(t.Text))-from)
		}
		return l
	}
	d := logDrawing{line: l, hits: t.Hits, role: t.Role, from: from, to: to}
	for text := t.Text; text != "" && d.column < to; {
		p := pieceAt(text, d.column)
		d.add(p)
		text = text[len(p.text):]
	}
	d.close()
	return l
}

// logDrawing is the state while one line is drawn.
type logDrawing struct {
	line     *Line
	hits     [][]int
	role     themes.Role
	from, to int // cells

	column  int // of the next piece
	at      int // its offset in the plain text
	colours colours
	changed bool // the colours differ from those written last
	written bool // colours were written
}

// add draws a piece, as far as it lies in the window.
func (d *logDrawing) add(p piece) {
	switch p.kind {
	case pieceColour:
		_, parameters := sgrAt(p.text)
		d.colours.apply(parameters)
		d.changed = true
		return
	case pieceUnsafe:
		return
	case pieceASCII:
		d.ascii(p)
	default:
		d.whole(p)
	}
	d.column += p.cells
	d.at += len(p.text)
}

// ascii draws letters of one cell each, cut where hits begin and end.
func (d *logDrawing) ascii(p piece) {
	begin, end := max(0, d.from-d.column), min(len(p.text), d.to-d.column)
	for begin < end {
		hit, until := d.hitAt(d.at + begin)
		next := min(end, until-d.at)
		d.put(hit, p.text[begin:next], next-begin)
		begin = next
	}
}

// whole draws a piece that cannot be cut; where it does not fit, its cells stay
// empty.
func (d *logDrawing) whole(p piece) {
	begin, end := max(d.column, d.from), min(d.column+p.cells, d.to)
	if begin >= end && p.cells > 0 {
		return
	}
	hit, _ := d.hitAt(d.at)
	text := p.text
	switch {
	case p.kind == pieceTab || end-begin < p.cells:
		text = Spaces(end - begin)
	case p.kind == pieceBroken:
		text = d.line.theme.Glyphs.Invalid
	case p.cells == 0:
		return // no base to combine with
	}
	d.put(hit, text, end-begin)
}

// hitAt reports whether a byte of the plain text is part of a hit, and up to
// which byte that stays so.
func (d *logDrawing) hitAt(at int) (hit bool, until int) {
	for len(d.hits) > 0 && d.hits[0][1] <= at {
		d.hits = d.hits[1:]
	}
	switch {
	case len(d.hits) == 0:
		return false, at + 1<<30
	case d.hits[0][0] <= at:
		return true, d.hits[0][1]
	}
	return false, d.hits[0][0]
}

func (d *logDrawing) put(hit bool, text string, cells int) {
	l := d.line
	if hit {
		d.close()
		l.put(themes.Match, text, cells)
		d.changed = true
		return
	}
	coloured := d.colours != (colours{}) && l.theme.Name != themes.Plain
	if d.changed || !l.opened || l.role != d.role {
		d.changed = false
		d.close()
		if coloured {
			l.b.WriteString(l.theme.Open(d.role, l.selected))
			l.role, l.opened, d.written = d.role, true, true
			d.colours.write(&l.b, l.theme)
		}
	}
	if coloured {
		l.b.WriteString(text)
		l.used += cells
		return
	}
	l.put(d.role, text, cells)
}

// close ends the program's colours, so that nothing after them has them.
func (d *logDrawing) close() {
	if d.written {
		d.line.b.WriteString(themes.Close)
		d.line.opened, d.written = false, false
	}
}

// PadTo fills the line with spaces up to a cell.
func (l *Line) PadTo(cell int) *Line {
	if n := min(cell, l.width) - l.used; n > 0 {
		l.put(themes.Text, Spaces(n), n)
	}
	return l
}
