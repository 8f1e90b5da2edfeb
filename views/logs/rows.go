package logs

import (
	"slices"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// row is one row of a pane's body.
type row struct {
	kind   rowKind
	line   train.LogLine // of rowLine
	number int64         // of the line it belongs to, 0 for none
	sub    int           // which of the line's rows it is, counting those before it
	part   int           // which of its text's rows it is
	gap    bool          // a filter left out lines before it
	text   string        // of rowNote
}

type rowKind uint8

const (
	rowNone rowKind = iota
	rowLine
	rowMarker
	rowNote
)

// lines are the shown lines of a log: without those that were cleared, are
// older than the range, or are filtered out.
type lines struct {
	all *store.Log
	low int // index of the first that is shown
	// kept are the numbers of the lines that a filter lets through, nil
	// without one.
	kept  []int64
	first int // index in kept of the first that is shown
	// complete is false while the filter still checks older lines.
	complete bool
}

// Len is how many lines are shown.
func (l *lines) Len() int {
	if l.kept != nil {
		return len(l.kept) - l.first
	}
	return l.all.Lines.Len() - l.low
}

// index is the position of a line in the log.
func (l *lines) index(i int) int {
	if l.kept == nil {
		return l.low + i
	}
	return min(l.all.Lines.Find(l.kept[l.first+i]), l.all.Lines.Len()-1)
}

// At, Time and Plain are a line by its index among those that are shown: all
// of it, when it was printed, its text without colours.
func (l *lines) At(i int) train.LogLine { return l.all.Lines.At(l.index(i)) }
func (l *lines) Time(i int) time.Time   { return l.all.Lines.Time(l.index(i)) }
func (l *lines) Plain(i int) string     { return l.all.Lines.Plain(l.index(i)) }

// Order is the order of a line among those of other logs.
func (l *lines) Order(i int) int64 { return l.all.Lines.Order(l.index(i)) }

// find is the index of the line with a number, or of the first shown after it.
func (l *lines) find(number int64) int {
	if l.kept == nil {
		return max(0, l.all.Lines.Find(number)-l.low)
	}
	at, _ := slices.BinarySearch(l.kept, number)
	return max(0, at-l.first)
}

// findTime is the index of the first line at or after an instant.
func (l *lines) findTime(at time.Time) int {
	return l.shownFrom(l.all.Lines.FindTime(at))
}

// FindOrder is the index of the first line with at least an order.
func (l *lines) FindOrder(order int64) int { return l.shownFrom(l.all.Lines.FindOrder(order)) }

// shownFrom is the first shown line from an index of the log on.
func (l *lines) shownFrom(i int) int {
	if i >= l.all.Lines.Len() {
		return l.Len()
	}
	if l.kept == nil {
		return max(0, i-l.low)
	}
	return l.find(l.all.Lines.At(i).Number)
}

// linesIn are the lines of a pane that are shown; nil when nothing was read.
func (v *paneSet) linesIn(p *pane) *lines {
	if p.log == nil {
		return nil
	}
	l := &lines{all: p.log, complete: true}
	if p.cleared > 0 {
		l.low = p.log.Lines.Find(p.cleared + 1)
	}
	if !v.since.from.IsZero() {
		l.low = max(l.low, p.log.Lines.FindTime(v.since.from))
		if lastTime(p.log).IsZero() {
			l.low = 0 // these lines have no times
		}
	}
	if !v.lineFilter.empty() {
		x := v.lineFilter.of(p.log)
		l.kept, l.complete = x.lines(p.log, v.lineFilter.context), x.covers(p.log)
		if l.low < p.log.Lines.Len() {
			l.first, _ = slices.BinarySearch(l.kept, p.log.Lines.At(l.low).Number)
		} else {
			l.first = len(l.kept)
		}
	}
	return l
}

// layout is how the lines of a pane are split into rows.
type layout struct {
	*lines
	p     *pane
	width int // for the text
	wrap  bool
	note  string // shown before the first line
}

// rowsOf is how many rows a line needs, with those before and behind it.
func (y *layout) rowsOf(i int) int {
	n := 1
	if y.wrap {
		n = draw.LogRows(y.At(i).Text, y.width)
	}
	return y.before(i) + n + y.behind(i)
}

func (y *layout) before(i int) int {
	if i == 0 && y.note != "" {
		return 1
	}
	return 0
}

func (y *layout) behind(i int) int {
	if len(y.p.markers) > 0 && slices.Contains(y.p.markers, y.At(i).Number) {
		return 1
	}
	return 0
}

// row is a row of a line, counted from those before it.
func (y *layout) row(i, sub int) row {
	line := y.At(i)
	r := row{kind: rowLine, line: line, number: line.Number, sub: sub}
	text := sub - y.before(i)
	switch {
	case text < 0:
		return row{kind: rowNote, number: line.Number, sub: sub, text: y.note}
	case sub == y.rowsOf(i)-1 && y.behind(i) > 0:
		r.kind = rowMarker
	}
	r.part = text
	if y.kept != nil && text == 0 && i > 0 {
		r.gap = y.At(i-1).Number < line.Number-1
	}
	return r
}

// from are the rows from a row of a line on, at most height of them.
func (y *layout) from(i, sub, height int) []row {
	var rows []row
	for ; i < y.Len() && len(rows) < height; i++ {
		for n := y.rowsOf(i); sub < n && len(rows) < height; sub++ {
			rows = append(rows, y.row(i, sub))
		}
		sub = 0
	}
	return rows
}

// up moves back by rows from a row of a line, no further than to the first;
// lack is how many rows were missing.
func (y *layout) up(i, sub, rows int) (line, at, lack int) {
	for rows > sub {
		if i == 0 {
			return 0, 0, rows - sub
		}
		rows -= sub + 1
		i--
		sub = y.rowsOf(i) - 1
	}
	return i, sub - rows, 0
}

// down moves on by rows from a row of a line, no further than to the last.
func (y *layout) down(i, sub, rows int) (line, at int) {
	for i < y.Len() {
		left := y.rowsOf(i) - 1 - sub
		if rows <= left {
			return i, sub + rows
		}
		rows -= left + 1
		i, sub = i+1, 0
	}
	return max(0, y.Len()-1), 0
}

// tail is where a window of height rows that ends with a line begins.
func (y *layout) tail(last, height int) (i, sub int) {
	if last < 0 {
		return 0, 0
	}
	i, sub, _ = y.up(last, y.rowsOf(last)-1, height-1)
	return i, sub
}

// begin is where the pane's window begins.
func (y *layout) begin(height int) (i, sub int) {
	endI, endSub := y.tail(y.Len()-1, height)
	if y.p.follow {
		return endI, endSub
	}
	i, sub = min(y.find(y.p.top), max(0, y.Len()-1)), max(0, y.p.sub)
	if y.p.sub == revealAt {
		i, sub, _ = y.up(i, y.before(i), height/3)
	}
	if i > endI || i == endI && sub > endSub {
		return endI, endSub
	}
	if y.Len() > 0 {
		sub = min(sub, y.rowsOf(i)-1)
	}
	return i, sub
}
