package tools

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// dmonColumns are the columns of nvidia-smi dmon from driver 390 to 610; the driver
// and -s decide which of them are there.
var dmonColumns = map[string]train.Quantity{
	"sm": train.GPUUtilization, "mem": train.GPUMemoryCopy,
	"pwr": train.GPUPower, "temp": train.GPUTemperature, "gtemp": train.GPUTemperature, "mtemp": train.GPUMemoryTemp,
	"pclk": train.GPUSMClock, "mclk": train.GPUMemoryClock, "fb": train.GPUMemoryUsed,

	// The short names that dcgm_fields.cpp of DCGM 1 to 4 gives the fields.
	"GPUTL": train.GPUUtilization, "MCUTL": train.GPUMemoryCopy, "FBUSD": train.GPUMemoryUsed, "FBTTL": train.GPUMemoryTotal,
	"TMPTR": train.GPUTemperature, "MMTMP": train.GPUMemoryTemp, "POWER": train.GPUPower,
	// as people shorten them
	"GPUT": train.GPUTemperature, "GTEMP": train.GPUTemperature, "POWR": train.GPUPower,
	"SMCLK": train.GPUSMClock, "MMCLK": train.GPUMemoryClock, "SMMAX": train.GPUMaxSMClock,
	"GRACT": train.GPUGraphics, "SMACT": train.GPUSMActive, "SMOCC": train.GPUSMOccupancy, "TENSO": train.GPUTensorActive, "DRAMA": train.GPUDRAMActive,
	"PCITX": train.GPUPCIeSent, "PCIRX": train.GPUPCIeReceived, "NVLTX": train.GPUNVLinkSent, "NVLRX": train.GPUNVLinkReceived,
	"XIDER": train.GPUXid, "ESVTL": train.GPUECCCorrected, "EDVTL": train.GPUECCUncorrected, "RPCTR": train.GPUPCIeReplays,
}

// readDmon reads nvidia-smi dmon and dcgmi dmon, where rows of all GPUs repeat: the
// newest row of each GPU counts. The rows of dcgmi begin with the kind of entity; only
// whole GPUs are read.
func readDmon(text string, a *readings.Answer, origin readings.Origin) error {
	var columns []string
	at := map[string]int{}
	entities := false // the rows are dcgmi's
	number, cut := 0, !strings.HasSuffix(text, "\n")
	for line := range strings.Lines(text) {
		number++
		plain := strings.ReplaceAll(line, ",", " ") // --format csv has commas
		comment, isComment := strings.CutPrefix(strings.TrimSpace(plain), "#")
		fields := strings.Fields(plain)
		if isComment && len(columns) > 0 && isCommentedRow(comment) {
			isComment, fields = false, strings.Fields(comment)
		}
		switch {
		case len(fields) == 0:
		case isComment:
			names := strings.Fields(comment)
			entity := len(names) > 0 && (names[0] == "Entity" || names[0] == "EntityId")
			entities = entity || entities && !slices.Contains(names, "gpu")
			switch {
			case slices.Contains(names, "gpu"): // otherwise the line of units
				columns = names
			case entity:
				columns = append([]string{"gpu"}, names[1:]...)
			}
		case entities && (fields[0] != "GPU" || len(fields) == 1): // the line of units, a slice, a switch
		case entities && len(fields) <= len(columns):
			if !cut || strings.HasSuffix(line, "\n") {
				a.AddProblem(number, "%d columns under a heading of %d: %s", len(fields)-1, len(columns), readings.Quote([]byte(line)))
			}
		case entities:
			dmonRow(a, origin, columns, fields[1:], at, number)
		case len(columns) == 0 && (Typed.MatchString(strings.TrimSpace(line)) || strings.Trim(fields[0][:1], "0123456789") != ""):
		case len(columns) == 0:
			a.AddProblem(number, "a row without a heading above it: %s", readings.Quote([]byte(line)))
		case len(fields) < len(columns):
			if cut || len(fields) > 1 {
				a.AddProblem(number, "%d columns under a heading of %d: %s", len(fields), len(columns), readings.Quote([]byte(line)))
			}
		default:
			dmonRow(a, origin, columns, fields, at, number)
		}
	}
	return nil
}

// isCommentedRow reports whether a comment is a row that a person kept in a script.
func isCommentedRow(comment string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(comment), " ")
	return first != "" && strings.Trim(first, "0123456789") == ""
}

func dmonRow(a *readings.Answer, origin readings.Origin, columns, fields []string, at map[string]int, line int) {
	index := ""
	for i, column := range columns {
		if strings.EqualFold(column, "gpu") {
			index = fields[i]
		}
	}
	r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: index}, Source: train.FromTool, At: origin.At}
	for i, column := range columns {
		if q, known := dmonColumns[column]; known {
			note(a, &r, q, fields[i], line)
		}
	}
	if before, met := at[index]; met {
		a.Readings[before] = r
		return
	}
	if index == "" || strings.Trim(index, "0123456789") != "" || len(a.Readings) >= readings.MaxGPUs {
		a.AddProblem(line, "no row of nvidia-smi dmon: GPU %q", readings.OneLine(index))
		return
	}
	at[index] = len(a.Readings)
	a.Readings = append(a.Readings, r)
}

var dmonHeading = regexp.MustCompile(`^#\s*(?:(?:Date\s+Time\s+|Time\s+)?gpu(?:\s+|,\s)|Entity(?:Id)?\s+[A-Z]{3})`)

// IsDmonHeading recognises the heading of dmon and pmon, which begins like a comment.
func IsDmonHeading(line string) bool { return dmonHeading.MatchString(line) }

// dmonHead returns the heading, below what the engine of dcgmi prints first.
func dmonHead(h *head) string {
	if at := slices.IndexFunc(h.first(6), dmonHeading.MatchString); at >= 0 {
		return h.lines[at]
	}
	return ""
}

func isPmon(h *head) bool { return strings.Contains(dmonHead(h), "pid") }

func readPmon(_ string, a *readings.Answer, _ readings.Origin) error {
	a.Note = "processes on GPUs, which tell nothing of a whole GPU"
	return nil
}
