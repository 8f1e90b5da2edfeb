package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/termtext"
)

// tabStop is how far apart tab stops are, as terminals have them.
const tabStop = 8

// piece is a part of a log's line that is drawn at once, or that changes the
// colour.
type piece struct {
	text  string // as it is in the line
	cells int
	kind  pieceKind
}

type pieceKind uint8

const (
	pieceASCII   pieceKind = iota // each byte is one cell
	pieceCluster                  // one letter, one or two cells
	pieceTab
	pieceColour
	pieceUnsafe // is not shown
	pieceBroken // a byte that is no UTF-8
)

// pieceAt is the piece at the beginning of a text that is not empty. column is
// the cell that it begins in. Sources clean the texts that they read; here they
// are checked once more before they reach the terminal.
func pieceAt(text string, column int) piece {
	switch c := text[0]; {
	case c >= 0x20 && c <= 0x7e:
		n := 1
		for n < len(text) && text[n] >= 0x20 && text[n] <= 0x7e {
			n++
		}
		if n < len(text) && text[n] >= utf8.RuneSelf && n > 1 {
			n-- // the last may be the base of an accent
		}
		if n == 1 && len(text) > 1 && text[1] >= utf8.RuneSelf {
			return clusterAt(text)
		}
		return piece{text[:n], n, pieceASCII}
	case c == '\t':
		return piece{text[:1], tabStop - column%tabStop, pieceTab}
	case c == 0x1b:
		if n, _ := sgrAt(text); n > 0 {
			return piece{text[:n], 0, pieceColour}
		}
		return piece{text[:1], 0, pieceUnsafe}
	case c < utf8.RuneSelf:
		return piece{text[:1], 0, pieceUnsafe}
	}
	return clusterAt(text)
}

func clusterAt(text string) piece {
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size <= 1 {
		return piece{text[:1], 1, pieceBroken}
	} else if termtext.Forbidden(r) {
		return piece{text[:size], 0, pieceUnsafe}
	}
	cluster, cells := ansi.FirstGraphemeCluster(cutBytes(text, min(len(text), maxCluster)), ansi.GraphemeWidth)
	if len(cluster) == size {
		return piece{cluster, cells, pieceCluster}
	}
	if i := strings.IndexFunc(cluster, unshown); i > 0 {
		cluster = cluster[:i]
		cells = ansi.StringWidth(cluster)
	}
	return piece{cluster, cells, pieceCluster}
}

// maxCluster bounds the bytes of one letter with all its marks. The longest
// emoji of Unicode 16 have 35.
const maxCluster = 64

// unshown are runes that are not part of any visible letter; a byte that is not
// UTF-8 reads as utf8.RuneError.
func unshown(r rune) bool { return r == utf8.RuneError || termtext.Forbidden(r) }

// LogPlain is the readable text of a log's line: without colours. Tabs stay.
func LogPlain(text string) string {
	if legible(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for text != "" {
		p := pieceAt(text, 0)
		if p.readable() {
			b.WriteString(p.text)
		}
		text = text[len(p.text):]
	}
	return b.String()
}

// readable reports whether a piece is part of LogPlain's result.
func (p piece) readable() bool { return p.kind != pieceColour && p.kind != pieceUnsafe }

// legible is the quick check for lines without anything special.
func legible(text string) bool {
	for i := range len(text) {
		if (text[i] < 0x20 || text[i] > 0x7e) && text[i] != '\t' {
			return false
		}
	}
	return true
}

// LogWidth is how many cells a log's line takes, tabs expanded.
func LogWidth(text string) int {
	if printable(text) {
		return len(text)
	}
	column := 0
	for text != "" {
		p := pieceAt(text, column)
		column += p.cells
		text = text[len(p.text):]
	}
	return column
}

// LogRows is how many rows of width cells a log's line takes when it is
// wrapped: at least one.
func LogRows(text string, width int) int {
	width = max(1, width)
	if printable(text) {
		return max(1, (len(text)+width-1)/width)
	}
	rows := 1
	eachRow(text, width, func(int) bool { rows++; return true })
	return rows
}

// LogRow is the first cell of a row of a wrapped line.
func LogRow(text string, width, row int) (from int) {
	width = max(1, width)
	if row <= 0 || printable(text) {
		return max(0, row) * width
	}
	eachRow(text, width, func(at int) bool {
		row--
		from = at
		return row > 0
	})
	return from
}

// eachRow calls visit with the cell at which each row but the first begins. A
// letter of two cells is never split between two rows.
func eachRow(text string, width int, visit func(at int) bool) {
	column, begin := 0, 0
	for text != "" {
		p := pieceAt(text, column)
		text = text[len(p.text):]
		column += p.cells
		for column-begin > width {
			next := begin + width
			if p.kind == pieceCluster && column-p.cells > begin {
				next = column - p.cells
			}
			begin = next
			if !visit(begin) {
				return
			}
		}
	}
}
