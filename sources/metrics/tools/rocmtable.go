package tools

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// rocmColumns are the columns of rocm-smi's concise table, ROCm 3 to 6. They leave
// out VRAM%, a share of a total that the table does not contain.
var rocmColumns = map[string]train.Quantity{
	"Temp": train.GPUTemperature, "AvgPwr": train.GPUPower, "Power": train.GPUPower, "SCLK": train.GPUSMClock, "MCLK": train.GPUMemoryClock,
	"PwrCap": train.GPUPowerLimit, "GPU%": train.GPUUtilization, "HCU%": train.GPUUtilization, "DCU%": train.GPUUtilization,
}

// rocmFirst are the names of the first column: hy-smi of Hygon prints the table of
// rocm-smi with its own names.
var rocmFirst = map[string]bool{"GPU": true, "Device": true, "HCU": true, "DCU": true}

// isROCmColumns recognises the heading of the concise table.
func isROCmColumns(line string) bool {
	fields := strings.Fields(line)
	if len(fields) < 7 || !rocmFirst[fields[0]] {
		return false
	}
	return slices.Contains(fields, "PwrCap") && slices.Contains(fields, "VRAM%") || slices.Contains(fields, "AvgPwr") && slices.Contains(fields, "SCLK") // before ROCm 2
}

// readROCmTable reads the output of rocm-smi without arguments. The heading may
// have several lines (ROCm 6); its first one names the columns, and its second one
// that a line with the name of the GPU is below each row (ROCm 6.0).
func readROCmTable(text string, a *readings.Answer, origin readings.Origin) error {
	var columns []string
	number, namesBelow, row, indent := 0, false, "", 0 // row: the GPU of the line above, and its indentation
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		above := row
		row = ""
		switch {
		case len(fields) > 0 && strings.HasPrefix(fields[0], "="):
		case above != "" && namesBelow && indentation(line) > indent:
			nameRow(a, above, named(line))
		case columns != nil && len(fields) > 0 && fields[0] == "Name":
			namesBelow = true
		case len(fields) < 3:
		case rocmFirst[fields[0]]:
			columns = rocmHeads(fields)
		case columns != nil && strings.Trim(fields[0], "0123456789") == "":
			keepRow(a, rocmRow(a, origin, columns, rocmCells(fields), number))
			row, indent = fields[0], indentation(line)
		}
	}
	return nil
}

// indentation returns how many blanks a line begins with.
func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// rocmHeads joins the words of a column's name: "SCLK OD", the overdrive. The text in
// parentheses behind a name, the sensor in "Temp (DieEdge)" of ROCm 5, is no column.
func rocmHeads(fields []string) []string {
	var heads []string
	for _, field := range fields {
		switch {
		case field == "OD" && len(heads) > 0:
			heads[len(heads)-1] += " OD"
		case strings.HasPrefix(field, "(") && strings.HasSuffix(field, ")") && len(heads) > 0:
		default:
			heads = append(heads, field)
		}
	}
	return heads
}

// rocmCells joins fields that commas separate: "NPS1, SPX, 0".
func rocmCells(fields []string) []string {
	var cells []string
	for _, field := range fields {
		if len(cells) > 0 && strings.HasSuffix(cells[len(cells)-1], ",") {
			cells[len(cells)-1] += field
		} else {
			cells = append(cells, field)
		}
	}
	return cells
}

func rocmRow(a *readings.Answer, origin readings.Origin, columns, cells []string, line int) train.GPUReading {
	r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: cells[0]}, Source: train.FromTool, At: origin.At}
	if len(cells) != len(columns) {
		a.AddProblem(line, "%d values under a heading of %d columns", len(cells), len(columns))
		return r
	}
	for i, column := range columns {
		if q, known := rocmColumns[column]; known && !isZero(strings.TrimRight(cells[i], "cC°W")) {
			note(a, &r, q, cells[i], line)
		} else if known && q == train.GPUUtilization {
			note(a, &r, q, cells[i], line)
		}
	}
	return r
}

var rocmHeading = regexp.MustCompile(`(?m)^=+ *(?:ROCm System Management Interface|ROCm SMI|Concise Info)`)

// isROCmTable recognises the table, with its title or without, and hy-smi's.
func isROCmTable(h *head) bool {
	return bytes.Contains(h.text, []byte("ROCm S")) && rocmHeading.Match(h.text) || slices.ContainsFunc(h.first(6), isROCmColumns)
}
