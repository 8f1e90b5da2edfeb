package redact

import (
	"slices"
	"strings"
)

// Values below the name of their column: rows of a table with bars, of CSV, and of
// columns that blanks align.

const (
	// maxCells bounds the columns of a table, maxRows the rows below its header.
	maxCells, maxRows = 32, 64
	// aligned separates cells that blanks align.
	aligned = "  "
)

// headed masks the cells below a name that is a cell of a table's header.
func (f *finder) headed(text string, from, to int, s setting) {
	if s.class != certain || s.flag || !f.spend(2*maxName) {
		return
	}
	begin := from - lineBefore(text, from)
	end := lineEnd(text, to)
	if end-begin > maxSibling || end == len(text) || !f.spend(end-begin) {
		return
	}
	separator := separatorOf(text[begin:end])
	header := cellsOf(nil, text, begin, end, separator)
	at := -1
	for i, c := range header {
		if strings.Trim(text[c.from:c.to], `"'`) == strings.Trim(text[from:to], `"'`) && c.from <= from && to <= c.to {
			at = i
		} else if !isHeading(text[c.from:c.to]) {
			return
		}
	}
	if at < 0 || len(header) < 2 {
		return
	}
	for range maxRows {
		begin = end + 1
		if end < len(text) && text[end] == '\r' {
			begin++
		}
		if begin >= len(text) {
			return
		}
		if end = lineEnd(text, begin); !f.spend(end - begin) {
			return
		}
		if isRule(text[begin:end]) {
			continue
		}
		if bar(separator) {
			separator = separatorOf(text[begin:end]) // a header may have heavier bars
		}
		row := cellsOf(nil, text, begin, end, separator)
		if len(row) != len(header) {
			return
		}
		c := row[at]
		value := strings.Trim(text[c.from:c.to], `"'`)
		if s.masksLine(value) && value != "" && (bar(separator) && !number(value) || drawnOrMixed(value) && !strings.ContainsAny(value, " ()[]{}")) {
			f.add(c.from, c.to, s.kind)
		}
	}
}

// separatorOf returns what separates the cells of a header.
func separatorOf(line string) string {
	for _, bar := range bars {
		if strings.Contains(line, bar) {
			return bar
		}
	}
	for _, separator := range [...]string{"\t", ","} {
		if strings.Contains(line, separator) {
			return separator
		}
	}
	return aligned
}

func bar(separator string) bool { return len(separator) == 3 || separator == "|" }

// cellRange is a cell without the blanks around it.
type cellRange struct{ from, to int }

// cellsOf splits a line into its cells, which it adds to cells; bars around the line
// are no cells. It returns nil for more than maxCells.
func cellsOf(cells []cellRange, text string, begin, end int, separator string) []cellRange {
	begin, end = trimmed(text, begin, end)
	if bar(separator) {
		if hasPrefix(text[begin:end], separator) {
			begin += len(separator)
		}
		if begin < end && strings.HasSuffix(text[begin:end], separator) {
			end -= len(separator)
		}
	}
	for len(cells) < maxCells {
		cut := strings.Index(text[begin:end], separator)
		if cut < 0 {
			from, to := trimmed(text, begin, end)
			return append(cells, cellRange{from, to})
		}
		from, to := trimmed(text, begin, begin+cut)
		cells = append(cells, cellRange{from, to})
		if begin += cut + len(separator); separator == aligned {
			for begin < end && text[begin] == ' ' {
				begin++
			}
		}
	}
	return nil
}

// isHeading reports whether a cell may be the name of a column.
func isHeading(cell string) bool {
	cell = strings.Trim(cell, `"'`)
	letters := false
	for i := range len(cell) {
		c := cell[i]
		letters = letters || isLower(c) || isUpper(c)
		if !inName(c) && c != ' ' && c != '#' && c != '(' && c != ')' && c < 0x80 {
			return false
		}
	}
	return letters && len(cell) <= maxName && strings.Count(cell, " ") < 3
}

// isRule reports whether a line is drawn between the rows of a table.
func isRule(line string) bool {
	rule := false
	for _, r := range line {
		switch {
		case r == '-' || r == '=' || r >= 0x2500 && r < 0x2580:
			rule = true
		case strings.ContainsRune("+|: \t\r", r):
		default:
			return false
		}
	}
	return rule
}

// isHeader reports whether a line may be the header of a table with a secret's name.
// It may have a prefix: before its first bar, or before the last blank of a line
// without bars.
func isHeader(line string) bool {
	if len(line) > maxSibling {
		return false
	}
	bar := strings.IndexByte(line, '|')
	if bar < 0 && strings.IndexByte(line, 0xe2) >= 0 {
		bar = strings.IndexAny(line, "│┃║")
	}
	if bar < 0 {
		from := len(line)
		for from > 0 && line[from-1] != ' ' && !endsPrefix(line[from-1]) {
			from--
		}
		return isHeaderRow(line[from:])
	}
	return isHeaderRow(line) || isHeaderRow(line[bar:])
}

// endsPrefix reports whether a mark may end the prefix of a line (INFO:root:,
// [default0]:, [1,0]<stdout>:).
func endsPrefix(c byte) bool { return c == ':' || c == ']' || c == '>' }

func isHeaderRow(line string) bool {
	separator := separatorOf(line)
	if separator == aligned {
		return false
	}
	var room [maxCells]cellRange
	cells := cellsOf(room[:0], line, 0, len(line), separator)
	for _, c := range cells {
		if !isHeading(line[c.from:c.to]) {
			return false
		}
	}
	return slices.ContainsFunc(cells, func(c cellRange) bool {
		return judge(strings.Trim(line[c.from:c.to], `"'`)).class == certain
	})
}
