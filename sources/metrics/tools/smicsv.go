package tools

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// csvColumn is a column of a --query-gpu answer.
type csvColumn struct {
	field string // as in SMIFields, or one of the identities below
	// unit is the unit in the heading with --format=csv: "memory.used [MiB]".
	unit string
}

// csvIdentity names the columns that identify the GPU of a row.
var csvIdentity = map[string]string{
	"index": "index", "module_id": "", "minor_number": "",
	"uuid": "uuid", "gpu_uuid": "uuid",
	"name": "name", "gpu_name": "name",
	"pci.bus_id": "bus", "gpu_bus_id": "bus", "bus_id": "bus",
	"timestamp": "timestamp", "hostname": "host",
	"pid": "process", "process_name": "process", "used_memory": "process", "used_gpu_memory": "process",
}

// readCSV reads the output of nvidia-smi --query-gpu and hl-smi -Q, with or without
// heading and units. A comma and a space separate the fields; only scripts quote some.
func readCSV(text string, a *readings.Answer, origin readings.Origin) error {
	var columns []csvColumn
	var rounds csvRounds
	processes, titled := false, headingBelow(FirstLines([]byte(text)))
	number, last := 0, strings.Count(text, "\n")
	for line := range strings.Lines(text) {
		number++
		row := splitCSV(line)
		if columns == nil && len(row) > 1 && smiFailed(line) { // the cells of a lost GPU show it
			columns = guessColumns(rowsOf(text))
		}
		switch heading := csvHeading(row); {
		case strings.TrimSpace(line) == "", columns == nil && Typed.MatchString(strings.TrimSpace(line)):
		case columns == nil && titled > 0 && heading == nil:
			titled--
		case heading != nil:
			columns, rounds = heading, csvRounds{}
			processes = slices.ContainsFunc(columns, csvColumn.ofProcess)
		case smiFailed(line) && len(row) != len(columns):
			a.AddProblem(number, "%s", readings.OneLine(line))
		case processes:
			a.Note = processNote
		default:
			if columns == nil {
				if columns = guessColumns(rowsOf(text)); columns == nil {
					a.AddProblem(number, "no heading, and the columns cannot be told apart; leave noheader out: %s", readings.Quote([]byte(line)))
					return nil
				}
				processes = slices.ContainsFunc(columns, csvColumn.ofProcess)
			}
			switch {
			case processes:
				a.Note = processNote
			case len(row) != len(columns):
				csvMisfit(a, line, len(row), len(columns), number, number > last)
			default:
				csvRow(a, origin, columns, row, number, &rounds)
			}
		}
	}
	if processes && a.Note == "" {
		a.Note = "processes or pages of GPUs: none"
	}
	return nil
}

// csvMisfit reports a row that does not have the columns of the heading.
func csvMisfit(a *readings.Answer, line string, columns, wanted, number int, last bool) {
	why := "it"
	if last {
		why = "the text was cut off: it"
	}
	a.AddProblem(number, "%s has %d columns where %d are named: %s", why, columns, wanted, readings.Quote([]byte(line)))
}

const processNote = "processes or pages of GPUs, which tell nothing of a whole GPU"

// ofProcess reports whether a column belongs to a query about something on a GPU, a
// process or a page of memory, of which there may be several.
func (c csvColumn) ofProcess() bool {
	return csvIdentity[c.field] == "process" || c.field == "retired_pages.address" || c.field == "retired_pages.cause"
}

func splitCSV(line string) []string {
	row := strings.Split(strings.TrimRight(line, "\r\n"), ",")
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
		if quoted := row[i]; len(quoted) > 1 && quoted[0] == '"' && quoted[len(quoted)-1] == '"' {
			row[i] = quoted[1 : len(quoted)-1]
		}
	}
	return row
}

var csvUnit = regexp.MustCompile(`^([a-zA-Z0-9_.]+)(?: \[([^\]]+)\])?$`)

// csvHeading reads a line as the heading, nil if it is none.
func csvHeading(row []string) []csvColumn {
	columns := make([]csvColumn, 0, len(row))
	known := 0
	for _, cell := range row {
		found := csvUnit.FindStringSubmatch(cell)
		if found == nil {
			return nil
		}
		_, measured := SMIFields[found[1]]
		_, identity := csvIdentity[found[1]]
		if measured || identity || reasonField(found[1]) != "" {
			known++
		}
		columns = append(columns, csvColumn{found[1], found[2]})
	}
	if known == 0 || known < 2 && len(row) > 1 {
		return nil
	}
	return columns
}

// csvRow reads one row. Values from which others are computed are kept by name.
func csvRow(a *readings.Answer, origin readings.Origin, columns []csvColumn, row []string, line int, rounds *csvRounds) {
	r := train.GPUReading{GPU: train.GPU{Node: origin.Node}, Source: train.FromTool, At: origin.At}
	rest := map[string]string{}
	var why reasons
	for i, column := range columns {
		if csvName(&r.GPU, csvIdentity[column.field], row[i]) {
			continue
		}
		text := row[i]
		if column.unit != "" && endsInDigit(text) {
			text += " " + column.unit
		}
		q, known := SMIFields[column.field]
		switch {
		case reasonField(column.field) != "":
			why.see(reasonField(column.field), text)
		case !known || q >= train.Quantities:
			rest[column.field] = text
		case !r.Values.Known(q):
			note(a, &r, q, text, line)
		}
	}
	for _, field := range []string{"power.draw.instant", "power.draw.average"} {
		if !r.Values.Known(train.GPUPower) {
			note(a, &r, train.GPUPower, rest[field], line)
		}
	}
	csvMemory(&r, rest["memory.free"], rest["memory.reserved"])
	why.set(&r.Values)
	blank := r.Values == (train.Values{})
	if lost := lostBecause(slices.Values(row), blank); lost != "" {
		a.AddProblem(line, "%s cannot be read: %s", csvSubject(&r.GPU), lost)
		if blank && r.GPU.UUID == "" && r.GPU.Index == "" && r.GPU.Bus == "" {
			return // nothing identifies the GPU
		}
	}
	if at := rounds.at(&r.GPU, columns, row, len(a.Readings)); at >= 0 {
		a.Readings[at] = r
		return
	}
	keepCSV(a, r)
}

// csvRounds counts the rows of GPUs that nothing names. A query that is repeated prints them
// in the same order, so a later time begins with the first one again.
type csvRounds struct {
	newest      time.Time
	rows, first int // of the newest round; the reading of its first row
	begun       bool
}

// betweenRounds is the time that one round takes at most, and less than any loop waits:
// drivers of many GPUs need some milliseconds for each.
const betweenRounds = 400 * time.Millisecond

// at returns the reading that a row replaces, -1 for a new one. kept is how many there are.
func (c *csvRounds) at(g *train.GPU, columns []csvColumn, row []string, kept int) int {
	if g.UUID != "" || g.Index != "" || g.Bus != "" || g.Host != "" {
		return -1
	}
	at := slices.IndexFunc(columns, func(c csvColumn) bool { return c.field == "timestamp" })
	if at < 0 {
		return -1
	}
	now, err := time.Parse("2006/01/02 15:04:05.000", row[at])
	if err != nil {
		return -1
	}
	if !c.begun {
		c.begun, c.first = true, kept
	} else if now.Sub(c.newest) >= betweenRounds {
		c.rows = 0
	}
	c.newest = now
	c.rows++
	if place := c.first + c.rows - 1; place < kept {
		return place
	}
	return -1
}

// mostTitles is how many lines above a heading are a title: a log is none of a tool.
const mostTitles = 1

// headingBelow returns how many lines are above the heading, 0 without one. All below it are
// its rows: a note that goes on is read in parts.
func headingBelow(lines []string) int {
	at := slices.IndexFunc(lines[:min(len(lines), mostTitles+1)], isCSVHeading)
	if at <= 0 {
		return 0
	}
	commas := strings.Count(lines[at], ", ")
	if slices.ContainsFunc(lines[at:], func(line string) bool { return strings.Count(line, ", ") != commas }) {
		return 0
	}
	return at
}

// lostBecause returns why a GPU has no numbers, as nvidia-smi writes it into each
// cell, "" for none: NVML_ERROR_GPU_IS_LOST, NVML_ERROR_UNKNOWN,
// NVML_ERROR_RESET_REQUIRED (nvml.h). An unknown error beside numbers is one
// sensor's; [N/A] and [Not Supported] are no trouble.
func lostBecause(cells iter.Seq[string], blank bool) string {
	unknown := ""
	for cell := range cells {
		said := strings.Trim(cell, "[]")
		switch strings.ToLower(said) {
		case "gpu is lost", "gpu requires reset":
			return said
		case "unknown error":
			unknown = said
		}
	}
	if blank {
		return unknown
	}
	return ""
}

// sayLost reports a GPU that has no numbers because the driver cannot read it.
func sayLost(a *readings.Answer, r *train.GPUReading, cells iter.Seq[string]) {
	if lost := lostBecause(cells, r.Values == (train.Values{})); lost != "" {
		a.AddProblem(0, "%s cannot be read: %s", csvSubject(&r.GPU), lost)
	}
}

// csvSubject names a GPU in a message.
func csvSubject(g *train.GPU) string {
	if name := cmp.Or(g.Index, g.Bus, g.UUID); name != "" {
		return "GPU " + readings.OneLine(name)
	}
	return "a GPU"
}

// csvName sets a field that identifies the GPU of a row. It ignores the timestamp,
// which is in the machine's unknown time zone.
func csvName(g *train.GPU, identity, text string) bool {
	switch identity {
	case "index":
		g.Index = named(text)
	case "uuid":
		g.UUID = named(text)
	case "name":
		g.Model = named(text)
	case "bus":
		g.Bus = named(text)
	case "host":
		g.Host = named(text)
	case "timestamp":
	default:
		return false
	}
	return true
}

func endsInDigit(text string) bool {
	return text != "" && text[len(text)-1] >= '0' && text[len(text)-1] <= '9'
}

// csvMemory computes the total from its parts if it was not queried.
func csvMemory(r *train.GPUReading, free, reserved string) {
	used, known := r.Values.Get(train.GPUMemoryUsed)
	rest, hasFree := toolNumber(free)
	kept, _ := toolNumber(reserved)
	if known && hasFree && !r.Values.Known(train.GPUMemoryTotal) {
		r.Values.Set(train.GPUMemoryTotal, used+rest+kept)
	}
}

// keepCSV adds a row; with -l rows of the same GPU repeat, and the newest one
// replaces the others.
func keepCSV(a *readings.Answer, r train.GPUReading) {
	for i := len(a.Readings) - 1; i >= 0 && i >= len(a.Readings)-64; i-- {
		before := &a.Readings[i].GPU
		if before.UUID == r.GPU.UUID && before.Index == r.GPU.Index && before.Bus == r.GPU.Bus && before.Host == r.GPU.Host &&
			(r.GPU.UUID != "" || r.GPU.Index != "" || r.GPU.Bus != "") {
			a.Readings[i] = r
			return
		}
	}
	if len(a.Readings) < readings.MaxGPUs {
		a.Readings = append(a.Readings, r)
	}
}

// IsCSVHeading recognises the heading of nvidia-smi --query-gpu in CSV.
func IsCSVHeading(line string) bool { return isCSVHeading(line) }

// isCSVHeading: nvidia-smi separates fields with a comma and a space, and one of
// them belongs to a GPU. A table of losses may have an index and a name, too.
func isCSVHeading(line string) bool {
	columns := csvHeading(splitCSV(line))
	if columns == nil || !strings.Contains(line, ", ") {
		return false
	}
	for _, c := range columns {
		_, measured := SMIFields[c.field]
		if id := csvIdentity[c.field]; measured || id == "uuid" || id == "bus" || c.field == "gpu_name" || reasonField(c.field) != "" {
			return true
		}
	}
	return false
}

// isHeadless recognises --format=csv,noheader: every line has as many columns,
// and one of them is a UUID or an address of a GPU.
func isHeadless(lines []string) bool {
	columns := strings.Count(lines[0], ", ")
	if columns < 2 {
		return false
	}
	for _, line := range lines {
		if strings.Count(line, ", ") != columns || !smiRow.MatchString(line) {
			return smiFailed(line)
		}
	}
	return true
}

// smiRow matches a row with a value that only a GPU has.
var smiRow = regexp.MustCompile(`(?:^|, )(?:(?:GPU|MIG)-[0-9A-Fa-f*-]+|[0-9A-Fa-f]{8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9]|NVIDIA [^,]+|Tesla [^,]+|A100-[^,]+|HL-\d[^,]+)(?:,|$)`)
