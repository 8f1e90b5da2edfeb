package tools

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// A table in a box whose columns are learned from its heading. Its words are known,
// not the tool: a device has as many rows as the heading has lines, and a word names
// what has its form, in the same cell of the same row. So are read cnmon of Cambricon
// 4.20 and 5.10, ppu-smi of T-Head 1.28, efsmi of Enflame 1.6 and 1.7, mx-smi of
// Moffett 2.3, furiosa-smi, neuron-ls, nvitop's compact view, OrionX, and those that
// come after them.

// cellValue is a value of a cell: its text and where it is, in characters.
type cellValue struct {
	text       string
	kind       byte // p a pair of amounts, b an amount of memory, w watts, c degrees, % a share, n a number, - an unknown, a any other
	start, end int
}

// cellValues matches the values of a cell with their units.
var cellValues = regexp.MustCompile(`(?:(\d[\d.]*|x+|N/A) *([KMGT]?i?B|m?W)? */ *(?:\d[\d.]*|x+|N/A) *([KMGT]i?B|m?W)\b)|(-?\d[\d.]*) *(%|°?C\b|℃|m?W\b|[KMGT]i?B\b)|\S+`)

func valuesOf(cell string) []cellValue {
	var values []cellValue
	for _, at := range cellValues.FindAllStringSubmatchIndex(cell, -1) {
		v := cellValue{text: cell[at[0]:at[1]], kind: 'a'}
		v.start = utf8.RuneCountInString(cell[:at[0]])
		v.end = v.start + utf8.RuneCountInString(v.text)
		switch {
		case at[6] >= 0 && strings.HasSuffix(cell[at[6]:at[7]], "B"):
			v.kind = 'p'
		case at[6] >= 0:
			v.kind = 'w'
		case at[10] >= 0:
			v.kind = kindOfUnit(cell[at[10]:at[11]])
		case unknownText(v.text):
			v.kind = '-'
		case isDecimal(v.text):
			v.kind = 'n'
		}
		values = append(values, v)
	}
	return values
}

func kindOfUnit(unit string) byte {
	switch {
	case unit == "%":
		return '%'
	case strings.HasSuffix(unit, "C") || unit == "℃":
		return 'c'
	case strings.HasSuffix(unit, "W"):
		return 'w'
	}
	return 'b'
}

func isDecimal(text string) bool { return isNumber(strings.Replace(text, ".", "", 1)) }

// kindsOf are the kinds of values that a column may have.
var kindsOf = map[column]string{
	columnFan: "%-", columnTemp: "c-", columnPower: "w-", columnMemory: "pb-", columnSize: "pb-", columnUse: "%-",
}

// headedTable reads a text of such tables.
type headedTable struct {
	answer  *readings.Answer
	origin  readings.Origin
	heading tableHeading
	block   []boxRow
}

// boxRow is a row of a box: its line and its cells.
type boxRow struct {
	line  int
	cells []string
}

// readBoxedTable reads such a table, of which the rows may have more than what their forms show.
func readBoxedTable(text string, a *readings.Answer, origin readings.Origin) error {
	err := readHeadedTable(text, a, origin)
	byWords := readings.Answer{Format: a.Format}
	if readAnyTable(text, &byWords, origin) == nil && valuesOfAll(&byWords) > valuesOfAll(a) {
		*a = byWords
	}
	return err
}

// valuesOfAll counts the values of all readings.
func valuesOfAll(a *readings.Answer) int {
	n := 0
	for i := range a.Readings {
		n += a.Readings[i].Values.Count()
	}
	return n
}

func readHeadedTable(text string, a *readings.Answer, origin readings.Origin) error {
	if slices.ContainsFunc(smiTitles, func(title string) bool { return strings.Contains(text, title) }) {
		table := readings.Answer{Format: a.Format} // of nvidia-smi's layout, below what a program logged
		if err := readSMITable(text, &table, origin); err == nil && len(table.Readings) > 0 {
			*a = table
			return nil
		}
	}
	t := &headedTable{answer: a, origin: origin}
	number := 0
	for line := range strings.Lines(stripSGR(text)) {
		number++
		line = strings.TrimSpace(plainBox(line))
		switch {
		case isBorder(line):
			t.endBlock()
		case strings.HasPrefix(line, "|"):
			t.block = append(t.block, boxRow{number, smiCells(line)})
		case smiFailed(line):
			a.AddProblem(number, "%s", readings.OneLine(line))
		}
	}
	cut := len(t.block) > 0 && t.heading != nil
	if n := len(t.block); cut && len(t.block[n-1].cells) < t.width() {
		t.block = t.block[:n-1]
	}
	t.endBlock()
	if cut {
		a.AddProblem(number, "the table ends before its last border: it was cut off, and GPUs may be missing")
	}
	if len(a.Readings) == 0 && len(a.Problems) == 0 {
		a.AddProblem(0, "the table lists no GPUs")
	}
	return nil
}

// width is how many cells the last row of the heading has.
func (t *headedTable) width() int {
	if len(t.heading) == 0 {
		return 0
	}
	return len(t.heading[len(t.heading)-1])
}

// endBlock reads the rows between two borders: a heading, or devices below one.
func (t *headedTable) endBlock() {
	block := t.block
	t.block = nil
	if len(block) == 0 {
		return
	}
	rows := make([][]string, len(block))
	for i := range block {
		rows[i] = block[i].cells
	}
	if h := headingOf(rows); h != nil {
		t.heading = h
		return
	}
	if t.heading == nil {
		return
	}
	if isProcessHeading(rows[len(rows)-1]) || len(rows[0]) != len(t.heading[0]) && len(rows[0]) < t.width() {
		t.heading = nil
		return
	}
	for len(block) > 0 {
		n := min(len(t.heading), len(block))
		for t.isTiled() && n < len(block) && deviceNumber(firstWord(block[n].cells[0])) == "" {
			n++
		}
		t.device(block[:n])
		block = block[n:]
	}
}

// isTiled reports whether a device has a row for each of its parts.
func (t *headedTable) isTiled() bool {
	last := t.heading[len(t.heading)-1]
	return len(last) > 0 && len(last[0]) > 0 && last[0][0].column == columnTile
}

func firstWord(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// isProcessHeading recognises the heading of a table of processes.
func isProcessHeading(cells []string) bool {
	for _, cell := range cells {
		for _, w := range wordsOf(cell) {
			if w.column == columnPID {
				return true
			}
		}
	}
	return false
}

// device reads the rows of one device. A row without a device's number belongs to the
// one above it: the second process of a device.
func (t *headedTable) device(rows []boxRow) {
	r := train.GPUReading{GPU: train.GPU{Node: t.origin.Node}, Source: train.FromTool, At: t.origin.At}
	last := len(t.heading) - 1
	var tiles []train.Values
	for i, row := range rows {
		if i > last {
			tiles = append(tiles, r.Values)
			r.Values = train.Values{}
		}
		for j, words := range t.heading[min(i, last)] {
			if j < len(row.cells) {
				t.cell(&r, words, row.cells[j], row.line)
			}
		}
	}
	r.Values = joinTiles(append(tiles, r.Values))
	if r.GPU.Index != "" && (r.Values.Count() > 0 || r.GPU.Bus != "") { // not what it could be parted into
		keepRow(t.answer, r)
	}
}

// cell reads the values of a cell: each goes to the next word of the heading that
// takes its kind.
func (t *headedTable) cell(r *train.GPUReading, words []headingWord, cell string, line int) {
	values := valuesOf(cell)
	next := 0
	for i, w := range words {
		switch w.column {
		case columnDevice:
			if len(values) > 0 && r.GPU.Index == "" {
				r.GPU.Index = deviceNumber(values[0].text)
			} else if len(values) == len(words) && values[i].kind == '%' { // NPU above 12%
				t.measured(r, columnUse, values[i].text, line)
			}
		case columnName:
			if r.GPU.Model == "" {
				r.GPU.Model = named(partBelow(cell, w))
			}
		case columnBus:
			r.GPU.Bus = smiBus.FindString(cell)
		default:
			kinds := kindsOf[w.column]
			if len(values) == len(words) { // one value for each word, perhaps without a unit
				next = i
				if kinds != "" && w.column != columnMemory && w.column != columnSize {
					kinds += "n"
				}
			}
			for at := next; at < len(values) && kinds != ""; at++ {
				if strings.IndexByte(kinds, values[at].kind) >= 0 {
					t.measured(r, w.column, values[at].text, line)
					next = at + 1
					break
				}
			}
		}
	}
}

func (t *headedTable) measured(r *train.GPUReading, c column, text string, line int) {
	used, total, isPair := strings.Cut(text, "/")
	if unit := unitOf(total); isPair && endsInDigit(strings.TrimSpace(used)) {
		used += " " + unit
	}
	switch c {
	case columnTemp:
		note(t.answer, r, train.GPUTemperature, strings.TrimRight(strings.ReplaceAll(text, "℃", "C"), " "), line)
	case columnPower:
		if !isPair {
			used = text
		}
		note(t.answer, r, train.GPUPower, used, line)
		note(t.answer, r, train.GPUPowerLimit, total, line)
	case columnUse:
		note(t.answer, r, train.GPUUtilization, text, line)
	case columnMemory, columnSize:
		switch {
		case isPair:
			note(t.answer, r, train.GPUMemoryUsed, used, line)
			note(t.answer, r, train.GPUMemoryTotal, total, line)
		case c == columnSize:
			note(t.answer, r, train.GPUMemoryTotal, text, line)
		default:
			note(t.answer, r, train.GPUMemoryUsed, text, line)
		}
	}
}

// unitOf returns the letters at the end of an amount.
func unitOf(amount string) string {
	return strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(amount), "0123456789."))
}

// deviceNumber returns the number of a device: 1 of Card1, 0 of npu0. H100 is a name.
func deviceNumber(text string) string {
	name := strings.TrimRight(text, "0123456789")
	if name != "" && !deviceWords[strings.ToLower(name)] {
		return ""
	}
	return text[len(name):]
}

// namesDevice reports whether a row has the number of a device.
func namesDevice(cells []string) bool {
	return slices.ContainsFunc(cells, func(cell string) bool {
		words := strings.Fields(cell)
		return len(words) > 0 && deviceNumber(words[0]) != ""
	})
}

// wideParts separates parts of a cell.
var wideParts = regexp.MustCompile(`\S+(?: \S+)*`)

// partBelow returns the part of a cell below a word of its heading: parts are
// separated by two spaces or more.
func partBelow(cell string, w headingWord) string {
	best, most := "", 0
	for _, at := range wideParts.FindAllStringIndex(cell, -1) {
		start := utf8.RuneCountInString(cell[:at[0]])
		end := start + utf8.RuneCountInString(cell[at[0]:at[1]])
		if shared := min(end, w.end) - max(start, w.start); shared > most {
			best, most = cell[at[0]:at[1]], shared
		}
	}
	return best
}

// isHeadedTable: nearly all lines belong to boxes, one of which has such a heading
// and a row below it.
func isHeadedTable(h *head) bool {
	others, width := 0, 0
	var block [][]string
	found := false
	for _, line := range h.lines {
		line = strings.TrimSpace(plainBox(stripSGR(line)))
		switch {
		case isBorder(line):
			if heading := headingOf(block); heading != nil {
				width = len(heading[0])
			}
			block = nil
		case strings.HasPrefix(line, "|"):
			block = append(block, smiCells(line))
			found = found || width > 0 && len(block[0]) >= width && namesDevice(block[len(block)-1])
		case strings.HasPrefix(line, "+"), smiDate.MatchString(line), smiFailed(line), strings.HasPrefix(line, "--"):
		default:
			others++
		}
	}
	return found && others <= 5 && isMostlyBox(h.text)
}

// isMostlyBox: a log in which a program printed a table is a log.
func isMostlyBox(text []byte) bool {
	boxed, others := 0, 0
	for line := range bytes.Lines(text) {
		switch plain := strings.TrimSpace(plainBox(stripSGR(string(line)))); {
		case plain == "":
		case plain[0] == '|', plain[0] == '+', isBorder(plain):
			boxed++
		default:
			others++
		}
	}
	return others <= 5 || 10*others <= boxed
}
