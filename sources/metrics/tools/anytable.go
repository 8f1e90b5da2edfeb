package tools

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// Any table or CSV with a heading whose words are known: a column numbers or names devices,
// and others measure them. Columns are parted by the sign of a box, a tab, a semicolon, a comma,
// or blanks.

// separators in the order in which they are tried.
var separators = []func(line string) []string{boxCells, boxParts, signCells("\t"), signCells(";"), commaCells, wideCells, strings.Fields}

func boxCells(line string) []string {
	if strings.Count(line, "|") < 2 {
		return nil
	}
	line = strings.TrimSpace(line)
	cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	return trimmed(cells)
}

// boxParts are the cells of a box of which some have several parts.
func boxParts(line string) []string {
	var parts []string
	for _, cell := range boxCells(line) {
		parts = append(parts, wideCells(cell)...)
	}
	return parts
}

func signCells(sign string) func(string) []string {
	return func(line string) []string { return trimmed(strings.Split(line, sign)) }
}

func commaCells(line string) []string {
	if strings.Count(line, ",") < 2 {
		return nil
	}
	return csvCells(line)
}

var wideSpace = regexp.MustCompile(` {2,}|\t+`)

// unitBefore matches a name with its unit that one blank parts from the next name.
var unitBefore = regexp.MustCompile(`(\((?:%|W|mW|MB|MiB|GB|GiB|Idx)\)) (\S)`)

func wideCells(line string) []string {
	line = unitBefore.ReplaceAllString(strings.TrimSpace(line), "$1  $2")
	return trimmed(wideSpace.Split(line, -1))
}

func trimmed(cells []string) []string {
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// anyHeading is the heading of such a table.
type anyHeading struct {
	fields []readings.Field
	names  []string
	line   string
	cells  func(string) []string
	blanks bool // columns are parted by blanks
	boxed  bool // or by the bars of a box
}

const (
	leastColumns = 3
	mostColumns  = 64
	longestHead  = 2000
)

// measureWords are parts of the names of each measure, of which a heading has two. Every line
// of a log is asked, so this comes before its columns are parted.
var measureWords = [][]string{{"temp", "tmp"}, {"power", "pwr", "watt"}, {"util", "usage", "usg", "load", "busy", "%", "activity", "use"}, {"mem", "vram", "hbm", "fb"}}

// mayMeasure reports whether a text may have what is read of a device: two measures, or two of
// its memory.
func mayMeasure(text string) bool {
	text = strings.ToLower(text)
	measures := 0
	for _, words := range measureWords {
		if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) }) {
			measures++
		}
	}
	return measures > 1 || strings.Count(text, "mem") > 1
}

// headingIn reads a line as a heading; nil for another.
func headingIn(line string) *anyHeading {
	if len(line) > longestHead || !mayMeasure(line) || learning.MatchString(line) {
		return nil
	}
	for i, cells := range separators {
		names := cells(line)
		if len(names) < leastColumns || len(names) > mostColumns {
			continue
		}
		h := &anyHeading{names: names, line: line, cells: cells, blanks: i >= len(separators)-2, boxed: i == 0}
		if h.parse() {
			return h
		}
	}
	return nil
}

// parse reports whether a column distinguishes devices and two others measure them.
func (h *anyHeading) parse() bool {
	devices, measured := 0, map[train.Quantity]bool{}
	pairs := false
	for _, name := range h.names {
		name = strings.Trim(name, "*`\"")
		f := readings.ParseField(name)
		if columnWords[strings.ToLower(name)] == columnPID { // of processes
			return false
		}
		if f.Before > 1 {
			f = readings.Field{}
		}
		switch f.Role {
		case readings.IndexOf, readings.UUIDOf, readings.BusOf:
			devices++
		case readings.Measured:
			measured[f.Quantity] = true
		case readings.MemoryPair, readings.FreeMemory:
			pairs = true
		}
		h.fields = append(h.fields, f)
	}
	n := len(measured)
	if pairs {
		n++
	}
	return devices > 0 && n >= 2
}

// row reads the cells of a row; nil for one that does not fit.
func (h *anyHeading) row(line string) []string {
	cells := h.cells(line)
	if len(cells) == len(h.names) {
		return cells
	}
	if !h.blanks {
		if len(cells) > len(h.names) || !h.boxed {
			return nil
		}
		return cells // cut
	}
	if words := wordsWithUnits(line); len(words) == len(h.names) {
		return words
	}
	return h.below(line)
}

var wordWithUnit = regexp.MustCompile(`-?\d[\d.]* ?/ ?\d[\d.]* ?(?:[KMG]i?B|W)\b|-?\d[\d.]*[KMG]?i?B? (?:%|°?C\b|m?W\b|[KMG]i?B\b)|\S+`)

// wordsWithUnits splits a row at blanks, but not before a unit.
func wordsWithUnits(line string) []string { return wordWithUnit.FindAllString(line, -1) }

// below splits a row at the columns of the heading, where no word lies across one.
func (h *anyHeading) below(line string) []string {
	cells := make([]string, len(h.names))
	starts := make([]int, len(h.names))
	at := 0
	for i, name := range h.names {
		found := strings.Index(h.line[at:], name)
		if found < 0 {
			return nil
		}
		starts[i] = at + found
		at = starts[i] + len(name)
	}
	for _, span := range wideParts.FindAllStringIndex(line, -1) {
		column := 0
		for i := range starts {
			if starts[i] < span[1] {
				column = i
			}
		}
		if starts[column] > span[0]+1 && column > 0 && starts[column] >= span[1]-1 {
			column--
		}
		cells[column] = strings.TrimSpace(cells[column] + " " + line[span[0]:span[1]])
	}
	return cells
}

var ruleOnly = regexp.MustCompile(`^[\s|+=:─━-]*$`)

// readAnyTable reads all such tables of a text.
func readAnyTable(text string, a *readings.Answer, origin readings.Origin) error {
	var h *anyHeading
	number, missed := 0, 0
	for line := range strings.Lines(stripSGR(text)) {
		number++
		line = strings.TrimRight(plainBox(line), " \r\n")
		switch {
		case ruleOnly.MatchString(line) && strings.TrimSpace(line) != "":
			continue
		case strings.TrimSpace(line) == "":
			missed++
		}
		if next := headingIn(line); next != nil {
			h, missed = next, 0
			continue
		}
		if h == nil {
			continue
		}
		if !h.read(line, number, a, origin) {
			if missed++; missed > 2 {
				h = nil
			}
			continue
		}
		missed = 0
	}
	return nil
}

// read reads a row, and reports whether it is one.
func (h *anyHeading) read(line string, number int, a *readings.Answer, origin readings.Origin) bool {
	cells := h.row(line)
	if cells == nil {
		return false
	}
	probe := readings.Answer{}
	r := newRecord(&probe, origin, number)
	for i, cell := range cells {
		r.add(h.fields[i], cell)
	}
	r.gpu = r.gpu || slices.ContainsFunc(h.fields, func(f readings.Field) bool { return f.GPU })
	reading, is := r.end()
	if is {
		keepRecord(a, reading)
		for _, p := range probe.Problems {
			a.AddProblem(p.Line, "%s", p.Text)
		}
	}
	return is
}

// isAnyTable recognises such a table that begins the text.
func isAnyTable(h *head) bool {
	const titles = 2 // and a border
	for _, line := range h.first(titles + 1) {
		if headingIn(strings.TrimRight(plainBox(stripSGR(line)), " \r\n")) != nil {
			a := readings.Answer{}
			return readAnyTable(string(h.text), &a, readings.Origin{}) == nil && len(a.Readings) > 0
		}
	}
	return false
}
