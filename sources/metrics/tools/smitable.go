package tools

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// smiTable reads the table that nvidia-smi prints without arguments (drivers 390 to
// 610, Linux and Windows) and that hl-smi prints in the same layout.
//
// A GPU is two or three rows between two borders. A cell is recognised by its
// content, not by its position: columns grew wider and moved from release to release.
type smiTable struct {
	answer  *readings.Answer
	origin  readings.Origin
	section smiSection
	line    int

	open   *train.GPUReading // the GPU of the current rows
	rows   int
	whole  bool // its first row was not cut off
	closed bool // the last border of the table was seen
	framed bool // some border was seen
	boards bool // a GPU was seen
	inside bool // a table has begun and not ended
	guests bool // the rows below the first one of a GPU are those of its vGPUs

	date  time.Time            // above the table, zero without
	dates map[string]time.Time // of the newest table of each GPU, by its bus and number
	mixed bool                 // it was reported that machines may be mixed
}

type smiSection uint8

const (
	smiBoards smiSection = iota
	smiMIG
	smiProcesses
)

var (
	// smiBus matches a PCI address; Habana's has four digits in front.
	smiBus = regexp.MustCompile(`\b[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]\b`)
	// smiName matches the first cell of a GPU: index, name, and the persistence
	// mode, or the driver model on Windows.
	smiName = regexp.MustCompile(`^\s*(\d+)\s+(\S.*?)(?:\s+(On|Off|N/A|WDDM|TCC|MCDM|Default|Disabled|Enabled|ERR!))?\s*$`)
	smiPair = regexp.MustCompile(`([0-9.]+\s*[MGKT]i?[Bb]|N/A|ERR!)\s*/\s*([0-9.]+\s*[MGKT]i?[Bb]|N/A|ERR!)`)
	// smiBarePair matches a pair whose unit is written once.
	smiBarePair = regexp.MustCompile(`(\d+)\s*/\s*(\d+)\s*([MGKT]i?[Bb])`)
	smiWatt     = regexp.MustCompile(`([0-9.]+\s*W|N/?A|ERR!|Unknown Error)\s*/\s*([0-9.]+\s*W|N/?A|ERR!|Unknown Error)`)
	// smiBareWatt matches a power without its limit, as mx-smi 2.1 writes it.
	smiBareWatt = regexp.MustCompile(`\s([0-9.]+\s*W)\s*$`)
	smiTemp     = regexp.MustCompile(`(?:^|\s)(-?\d+)\s*C(?:\s|$)`)
	// smiBareTemp matches a temperature without a unit, before the state of the clocks.
	smiBareTemp = regexp.MustCompile(`(?:^|\s)(\d+)\s+P\d+\s`)
	smiUtil     = regexp.MustCompile(`(?:^|\s)(\d+)\s*%`)
	// smiSlice matches a row of the MIG devices: GPU, GPU instance, compute instance, device.
	smiSlice = regexp.MustCompile(`^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$`)
)

// readSMITable reads a text with one or more tables in it, perhaps between other
// lines (a training log).
func readSMITable(text string, a *readings.Answer, origin readings.Origin) error {
	t := &smiTable{answer: a, origin: origin, section: smiProcesses}
	for line := range strings.Lines(rejoined(text)) {
		t.line++
		t.read(barred(strings.TrimRight(line, "\r\n")))
	}
	t.end()
	if len(a.Readings) == 0 && len(a.Problems) == 0 {
		a.AddProblem(0, "the table lists no GPUs")
	}
	return nil
}

func (t *smiTable) read(line string) {
	line = t.frame(plainBox(line))
	if smiDate.MatchString(line) {
		t.date, _ = time.Parse(time.ANSIC, smiDate.FindString(line))
	}
	switch {
	case strings.Contains(line, "MIG devices:"):
		t.finishGPU()
		t.section = smiMIG
	case strings.Contains(line, "NVIDIA-SMI ") && !smiFailed(line), strings.Contains(line, "HL-SMI Version"), smiHead.MatchString(line):
		t.begin()
	case smiFailed(line):
		t.answer.AddProblem(t.line, "%s", readings.OneLine(line))
	case strings.HasPrefix(strings.TrimLeft(line, "| "), "Processes:"), strings.Contains(line, "Compute Processes:"):
		t.finishGPU()
		t.section = smiProcesses
	case isBorder(line):
		t.border(line)
	case strings.HasPrefix(line, "|"):
		t.row(line)
	case strings.TrimSpace(line) == "" && t.closed:
		t.inside = false
	}
}

// plainBox draws a line of a box with ASCII, as nvitop draws it with lines.
func plainBox(line string) string {
	if !strings.ContainsAny(line, "│╞╒├╘╡╤╪╧┼═─┌└╭╰┃━") {
		return line
	}
	return boxSigns.Replace(line)
}

var boxSigns = strings.NewReplacer("│", "|", "╞", "|", "╡", "|", "├", "+", "┤", "+", "╒", "+", "╕", "+", "╘", "+", "╛", "+", "╤", "+", "╧", "+", "╪", "+", "┼", "+", "┴", "+", "┬", "+", "╖", "+", "═", "=", "─", "-",
	"┌", "+", "┐", "+", "└", "+", "┘", "+", "╭", "+", "╮", "+", "╰", "+", "╯", "+", "┃", "|", "━", "-", "┏", "+", "┓", "+", "┗", "+", "┛", "+", "┡", "+", "┩", "+", "╇", "+")

// smiContainer matches what docker compose writes before a line of a container.
var smiContainer = regexp.MustCompile(`^[\w.-]+ +\| ([|+].*)$`)

// frame removes what a log puts in front of a line of the table.
func (t *smiTable) frame(line string) string {
	if strings.HasPrefix(line, "|") || strings.HasPrefix(line, "+") {
		return line
	}
	if of := smiContainer.FindStringSubmatch(line); of != nil {
		return of[1]
	}
	for _, start := range []string{"|", "+-"} {
		if at := strings.Index(line, start); at >= 0 && (strings.HasSuffix(strings.TrimRight(line, " "), "|") || strings.HasSuffix(strings.TrimRight(line, " "), "+")) {
			return line[at:]
		}
	}
	return line
}

// begin starts a table.
func (t *smiTable) begin() {
	t.finishGPU()
	t.section, t.inside, t.closed, t.guests = smiBoards, true, false, false
}

// isBorder reports whether a line is one of a table's, perhaps with the sign of code that a note
// has around the table.
func isBorder(line string) bool {
	trimmed := strings.Trim(strings.TrimSpace(line), "`")
	return len(trimmed) > 2 && strings.Trim(trimmed, "|+-=") == ""
}

// border ends the GPU above it. A border that begins with + ends the table; in
// hl-smi's, the border below the last GPU does.
func (t *smiTable) border(line string) {
	t.framed = true
	t.closed = strings.HasPrefix(strings.TrimSpace(line), "+") || t.open != nil
	t.finishGPU()
}

func (t *smiTable) row(line string) {
	cells := smiCells(line)
	if !t.inside && isBoardRow(cells) { // the rows of a table without its head
		t.begin()
	}
	if !t.boards && !t.framed && isNumbersRow(cells) { // the GPUs that grep(1) left
		t.finishGPU()
		t.section, t.rows = smiBoards, 1
		t.open = &train.GPUReading{GPU: train.GPU{Node: t.origin.Node}, Source: train.FromTool, At: t.origin.At}
		t.numbers(cells)
		return
	}
	t.closed = false
	t.guests = t.guests || strings.Contains(line, "vGPU ID")
	switch t.section {
	case smiBoards:
		t.board(line, cells)
	case smiMIG:
		t.mig(cells)
	}
}

func smiCells(line string) []string {
	return strings.Split(strings.Trim(strings.TrimRight(line, " "), "|"), "|")
}

// smiBusCell matches the second cell of a GPU: its address, and whether a display
// uses it.
var smiBusCell = regexp.MustCompile(`^\s*[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]\s+(?:On|Off|N/A)\s*$`)

// isBoardRow recognises the first row of a GPU by its index, name and address.
func isBoardRow(cells []string) bool {
	return len(cells) > 2 && smiName.MatchString(cells[0]) && smiBusCell.MatchString(cells[1])
}

// isNumbersRow recognises the second row of a GPU: temperature and power, memory, use.
func isNumbersRow(cells []string) bool {
	const cellsOfRow = 3
	return len(cells) == cellsOfRow && smiTemp.MatchString(cells[0]) && smiWatt.MatchString(cells[0]) && smiPair.MatchString(cells[1]) && smiUtil.MatchString(cells[2])
}

// smiNoBus matches the second cell of a GPU that is not on the PCI bus, as that of a
// Jetson.
var smiNoBus = regexp.MustCompile(`^\s*(?:N/A|ERR!|Unknown Error)\s+(?:On|Off|N/A)\s*$`)

// busOf returns the address in the first row of a GPU; first reports whether the row
// is one. Below the first row others may have N/A where it has the address.
func (t *smiTable) busOf(cells []string) (bus string, first bool) {
	if bus = smiBus.FindString(strings.Join(cells[min(1, len(cells)):], "|")); bus != "" {
		return bus, true
	}
	return "", t.open == nil && len(cells) > 2 && smiName.MatchString(cells[0]) && smiNoBus.MatchString(cells[1])
}

// board reads a row of a GPU: the first has the bus address, the second the
// numbers, the third the MIG mode.
func (t *smiTable) board(line string, cells []string) {
	if bus, first := t.busOf(cells); first {
		t.finishGPU()
		if name := smiName.FindStringSubmatch(cells[0]); name != nil {
			t.boards = true
			t.open = &train.GPUReading{
				GPU:    train.GPU{Node: t.origin.Node, Index: name[1], Model: named(name[2]), Bus: bus},
				Source: train.FromTool, At: t.origin.At,
			}
			t.whole = strings.HasSuffix(strings.TrimRight(line, " "), "|")
			t.uncorrected(cells)
			t.beside(cells[min(2, len(cells)):])
		}
		return
	}
	if t.open == nil {
		return
	}
	if t.rows++; t.rows == 1 && !t.guests {
		t.numbers(cells)
	}
}

// uncorrected reads the counter of ECC errors in the last cell.
func (t *smiTable) uncorrected(cells []string) {
	if len(cells) >= 3 && !strings.Contains(cells[len(cells)-1], "%") { // there MetaX has the use
		t.note(train.GPUECCUncorrected, strings.TrimSpace(cells[len(cells)-1]))
	}
}

// smiClocks matches the clocks of the cores and of the memory.
var smiClocks = regexp.MustCompile(`^\s*(\d+)\s*MHz\s+(\d+)\s*MHz\s*$`)

// beside reads what tables of other makers have beside the address on the bus: the
// clocks (Iluvatar), the use (MetaX).
func (t *smiTable) beside(cells []string) {
	for _, cell := range cells {
		if found := smiClocks.FindStringSubmatch(cell); found != nil {
			t.note(train.GPUSMClock, found[1])
			t.note(train.GPUMemoryClock, found[2])
		}
		if found := smiUtil.FindStringSubmatch(cell); found != nil {
			t.note(train.GPUUtilization, found[1])
		}
	}
}

func (t *smiTable) numbers(cells []string) {
	for len(cells) > 1 && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1] // bars that a page adds to each line
	}
	if all := strings.Join(cells, "|"); strings.Count(all, "ERR!") > 1 && !smiTemp.MatchString(cells[0]) && !smiUtil.MatchString(all) {
		// one ERR! may be that of a fan or a power sensor
		t.answer.AddProblem(t.line, "GPU %s cannot be read: ERR!", t.open.GPU.Index)
	}
	first := cells[0]
	if found := smiTemp.FindStringSubmatch(first); found != nil {
		t.note(train.GPUTemperature, found[1])
	} else if found := smiBareTemp.FindStringSubmatch(first); found != nil {
		t.note(train.GPUTemperature, found[1])
	}
	if found := smiWatt.FindStringSubmatch(first); found != nil {
		t.note(train.GPUPower, found[1])
		t.note(train.GPUPowerLimit, found[2])
	} else if found := smiBareWatt.FindStringSubmatch(first); found != nil {
		t.note(train.GPUPower, found[1])
	}
	for i, cell := range cells[1:] {
		cell = smiBarePair.ReplaceAllString(cell, "$1 $3 / $2 $3")
		if found := smiPair.FindStringSubmatch(cell); found != nil {
			t.note(train.GPUMemoryUsed, found[1])
			t.note(train.GPUMemoryTotal, found[2])
			cells = cells[i+1:]
			break
		}
	}
	if len(cells) > 1 {
		if found := smiUtil.FindStringSubmatch(cells[len(cells)-1]); found != nil {
			t.note(train.GPUUtilization, found[1])
		}
	}
}

func (t *smiTable) note(q train.Quantity, text string) { note(t.answer, t.open, q, text, t.line) }

// finishGPU adds the GPU above. Of one whose second row grep(1) left out no numbers are known.
func (t *smiTable) finishGPU() {
	if t.open != nil {
		t.keep(*t.open)
	}
	t.open, t.rows = nil, 0
}

// keep adds a GPU. A later table of the same text replaces its reading.
func (t *smiTable) keep(r train.GPUReading) {
	for i := range t.answer.Readings {
		if before := &t.answer.Readings[i]; before.GPU.Index == r.GPU.Index && before.GPU.Bus == r.GPU.Bus && r.GPU.Index+r.GPU.Bus != "" {
			t.noteMixed(before, &r)
			*before = r
			return
		}
	}
	t.setDate(&r)
	if len(t.answer.Readings) < maxRows {
		t.answer.Readings = append(t.answer.Readings, r)
	}
}

// noteMixed notes that a table of another machine may have replaced a reading: its GPU
// is another one, or has other numbers at the same time. A tool that prints again and
// again writes a later date.
func (t *smiTable) noteMixed(before, now *train.GPUReading) {
	was := t.dates[dateKey(before)]
	t.setDate(now)
	total, known := before.Values.Get(train.GPUMemoryTotal)
	totalNow, knownNow := now.Values.Get(train.GPUMemoryTotal)
	renamed := before.GPU.Model != "" && now.GPU.Model != "" && before.GPU.Model != now.GPU.Model
	other := renamed || known && knownNow && total != totalNow
	same := !was.IsZero() && !t.date.After(was) && before.Values != now.Values
	if t.mixed || !other && !same {
		return
	}
	t.mixed = true
	t.answer.AddProblem(t.line, "tables of several machines, it seems, without their names: of GPUs with one number the last table counts; print a name before the lines (pdsh) or above them (clush -b), or make a file of each")
}

func (t *smiTable) setDate(r *train.GPUReading) {
	if t.dates == nil {
		t.dates = map[string]time.Time{}
	}
	t.dates[dateKey(r)] = t.date
}

func dateKey(r *train.GPUReading) string { return r.GPU.Bus + " " + r.GPU.Index }

// mig reads a row of the table of MIG devices, and adds it to its board.
func (t *smiTable) mig(cells []string) {
	ids := smiSlice.FindStringSubmatch(cells[0])
	if ids == nil {
		return
	}
	slice := train.GPUSlice{MIG: train.MIG{Instance: ids[2]}, Device: ids[4]}
	if len(cells) > 1 {
		if found := smiPair.FindStringSubmatch(cells[1]); found != nil {
			for i, q := range []train.Quantity{train.GPUMemoryUsed, train.GPUMemoryTotal} {
				if value, ok := toolNumber(found[i+1]); ok && readings.Plausible(q, value) {
					slice.Values.Set(q, value)
				}
			}
		}
	}
	switch board := t.boardOf(ids[1]); {
	case board != nil:
		board.Slices = append(board.Slices, slice)
	case t.boards:
		t.answer.AddProblem(t.line, "a MIG device of GPU %s, which the table above does not list", ids[1])
	default: // a person kept this table alone: nothing is known of the GPU
		keepRow(t.answer, train.GPUReading{GPU: train.GPU{Node: t.origin.Node, Index: ids[1], MIG: slice.MIG}, Values: slice.Values, Source: train.FromTool, At: t.origin.At})
	}
}

func (t *smiTable) boardOf(index string) *train.GPUReading {
	for i := range t.answer.Readings {
		if g := &t.answer.Readings[i].GPU; g.Index == index && g.MIG == (train.MIG{}) {
			return &t.answer.Readings[i]
		}
	}
	return nil
}

// end checks whether the table was cut off.
func (t *smiTable) end() {
	cut := t.open != nil || t.inside && !t.closed
	if !t.framed && t.rows > 0 { // a person kept the rows of a GPU alone
		cut = false
	}
	if t.rows > 0 || t.whole {
		t.finishGPU()
	}
	t.open = nil
	if t.boards { // the text above the first row of a GPU is the rest of another one
		t.answer.Readings = slices.DeleteFunc(t.answer.Readings, func(r train.GPUReading) bool { return r.GPU.Index == "" && r.GPU.Bus == "" })
	}
	if cut {
		t.answer.AddProblem(t.line, "the table ends before its last border: it was cut off, and GPUs may be missing")
	}
}

var (
	smiBox = regexp.MustCompile(`^(?:[|+ ]|$)`)
	// smiHead matches the title of a table, or the first line of its columns: other
	// makers draw the same table with a title of their own.
	smiHead = regexp.MustCompile(`^\s*(?:\| (?:NVIDIA-SMI|XPU-SMI|HL-SMI Version|MIG devices:)|NVITOP |\| *(?i:GPU +Name\b.*\| *Bus-Id\b))`)
	// leftOut matches the line that a person wrote in place of rows.
	leftOut = regexp.MustCompile(`^\s*(?:\.{3,}|…)\s*$`)
	// smiDate matches the date above a table, as date(1) writes it.
	smiDate = regexp.MustCompile(`^[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \d{4}`)
)

// smiTitles begin tables in nvidia-smi's layout: those of NVIDIA, Habana and
// Kunlun, and nvitop 1.x; the last two are a column of all such tables.
var smiTitles = []string{"| NVIDIA-SMI ", "| HL-SMI Version", "| XPU-SMI ", "NVITOP ", "| Bus-Id", "| Bus-id", "| MIG devices:"}

// hasBus reports whether smiBus matches a text. It looks at no more than what is
// around the signs of an address: every log is asked.
func hasBus(text []byte) bool {
	for at := 0; ; at++ {
		next := bytes.IndexByte(text[at:], ':')
		if next < 0 {
			return false
		}
		if at += next; at+6 < len(text) && text[at+3] == ':' && text[at+6] == '.' && smiBus.Match(text[max(0, at-9):min(len(text), at+9)]) {
			return true
		}
	}
}

// isSMITable: the text is one or more tables of nvidia-smi, below dates and
// messages, or the rows of one that were pasted without its head. A log in which a
// program ran nvidia-smi is a log.
func isSMITable(text []byte) bool {
	titled := slices.ContainsFunc(smiTitles, func(title string) bool { return bytes.Contains(text, []byte(title)) })
	numbers := !titled && bytes.Contains(text, []byte("W |")) && bytes.Contains(text, []byte("MiB |"))
	if !titled && !numbers && !hasBus(text) {
		return false
	}
	head, before, others := false, 0, 0
	for line := range strings.Lines(rejoined(string(text))) {
		line := []byte(barred(plainBox(strings.TrimRight(line, " \t\r\n"))))
		switch {
		case smiHead.Match(line), !titled && isBoardRow(smiCells(string(line))), numbers && isNumbersRow(smiCells(string(line))):
			head = true
		case smiBox.Match(line), smiDate.Match(line), leftOut.Match(line), smiFailed(string(line)):
		case head:
			others++
		default:
			before++
		}
	}
	return head && before <= 4 && others <= 1
}
