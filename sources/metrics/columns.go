package metrics

import (
	"slices"
	"strings"
	"unicode"

	"github.com/traintop/traintop/train"
)

// Tools that print a heading and a row for each GPU, with units after the
// numbers.

// amdColumns are the columns of amd-smi monitor 24 to 26.
var amdColumns = map[string]train.Quantity{
	"POWER": train.GPUPower, "PWR_CAP": train.GPUPowerLimit, "GPU_TEMP": train.GPUTemperature, "GPU_T": train.GPUTemperature,
	"MEM_TEMP": train.GPUMemoryTemp, "MEM_T": train.GPUMemoryTemp,
	"GFX_UTIL": train.GPUUtilization, "GFX%": train.GPUUtilization, "MEM_UTIL": train.GPUMemoryCopy, "MEM%": train.GPUMemoryCopy,
	"GFX_CLOCK": train.GPUSMClock, "GFX_CLK": train.GPUSMClock, "MEM_CLOCK": train.GPUMemoryClock, "MEM_CLK": train.GPUMemoryClock,
	"VRAM_USED": train.GPUMemoryUsed, "VRAM_TOTAL": train.GPUMemoryTotal,
	"SINGLE_ECC": train.GPUECCCorrected, "DOUBLE_ECC": train.GPUECCUncorrected, "PCIE_REPLAY": train.GPUPCIeReplays,
}

// rocmColumns are the columns of rocm-smi's concise table, ROCm 3 to 6. They leave
// out VRAM%, a share of a total that the table does not contain.
var rocmColumns = map[string]train.Quantity{
	"Temp": train.GPUTemperature, "AvgPwr": train.GPUPower, "Power": train.GPUPower, "SCLK": train.GPUSMClock, "MCLK": train.GPUMemoryClock,
	"PwrCap": train.GPUPowerLimit, "GPU%": train.GPUUtilization, "HCU%": train.GPUUtilization, "DCU%": train.GPUUtilization,
}

// readAMDMonitor reads amd-smi monitor.
func readAMDMonitor(text string, a *Answer, origin Origin) error {
	var columns []string
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
		case isAMDHeading(fields):
			columns = fields
		case fields[0] == "GPU": // of another table, such as that of processes
			columns = nil
		case columns == nil || strings.Trim(fields[0], "0123456789") != "":
			if smiFailed(line) {
				a.problem(number, "%s", oneLine(line))
			}
		default:
			cells := amdCells(fields)
			if len(cells) != len(columns) {
				a.problem(number, "%d values under a heading of %d: %s", len(cells), len(columns), quote([]byte(line)))
				continue
			}
			keepRow(a, amdRow(a, origin, columns, cells, number))
		}
	}
	return nil
}

func isAMDHeading(fields []string) bool {
	if len(fields) < 2 || fields[0] != "GPU" && fields[0] != "TIMESTAMP" {
		return false
	}
	for _, field := range fields {
		if _, known := amdColumns[field]; known {
			return true
		}
	}
	return strings.Contains(strings.Join(fields, " "), "VRAM") && !slices.Contains(fields, "PID")
}

// amdCells joins numbers with their units: "248", "W" becomes one cell, and so do
// "0.3/", "192.0", "GB" and "N/A", "Mb/s".
func amdCells(fields []string) []string {
	var cells []string
	for _, field := range fields {
		_, isUnit := units[strings.ToLower(field)]
		joined := len(cells) > 0 && (isUnit || isRate(field) || strings.HasSuffix(cells[len(cells)-1], "/") || strings.HasPrefix(field, "/"))
		if joined {
			cells[len(cells)-1] += " " + field
		} else {
			cells = append(cells, field)
		}
	}
	return cells
}

// isRate recognises the unit of a rate: Mb/s, GB/s. "N/A" is a value.
func isRate(field string) bool {
	unit, found := strings.CutSuffix(field, "/s")
	return found && unit != "" && strings.IndexFunc(unit, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

func amdRow(a *Answer, origin Origin, columns, cells []string, line int) train.GPUReading {
	r := train.GPUReading{GPU: train.GPU{Node: origin.Node}, Source: train.FromTool, At: origin.At}
	for i, column := range columns {
		switch q, known := amdColumns[column]; {
		case column == "GPU":
			r.GPU.Index = cells[i]
		case column == "XCP" && cells[i] != "0":
			r.GPU.MIG.Instance = named(cells[i])
		case column == "VRAM_USAGE" || column == "VRAM": // used / total and a unit
			used, total, _ := strings.Cut(cells[i], "/")
			if unit := strings.TrimLeft(strings.TrimSpace(total), "0123456789."); unit != "" {
				used += unit
			}
			note(a, &r, train.GPUMemoryUsed, used, line)
			note(a, &r, train.GPUMemoryTotal, total, line)
		case known && !(isZero(strings.Fields(cells[i])[0]) && (q == train.GPUPower || q == train.GPUTemperature)):
			note(a, &r, q, cells[i], line)
		}
	}
	return r
}

// keepRow adds a reading, or replaces an earlier row of the same GPU.
func keepRow(a *Answer, r train.GPUReading) {
	for i := range a.Readings {
		if a.Readings[i].GPU.Index == r.GPU.Index && a.Readings[i].GPU.MIG == r.GPU.MIG {
			a.Readings[i] = r
			return
		}
	}
	if len(a.Readings) < maxRows {
		a.Readings = append(a.Readings, r)
	}
}

// nameRow sets the model of the GPU of a row.
func nameRow(a *Answer, index, model string) {
	for i := range a.Readings {
		if a.Readings[i].GPU.Index == index {
			a.Readings[i].GPU.Model = model
		}
	}
}

// maxRows bounds the GPUs of one machine.
const maxRows = 1024

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
func readROCmTable(text string, a *Answer, origin Origin) error {
	var columns []string
	number, namesBelow, row := 0, false, "" // row: the GPU of the line above
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		above := row
		row = ""
		switch {
		case len(fields) > 0 && strings.HasPrefix(fields[0], "="):
		case above != "" && namesBelow && line[0] == ' ':
			nameRow(a, above, named(line))
		case columns != nil && len(fields) > 0 && fields[0] == "Name":
			namesBelow = true
		case len(fields) < 3:
		case rocmFirst[fields[0]]:
			columns = rocmHeads(fields)
		case columns != nil && strings.Trim(fields[0], "0123456789") == "":
			keepRow(a, rocmRow(a, origin, columns, rocmCells(fields), number))
			row = fields[0]
		}
	}
	return nil
}

// rocmHeads joins the words of a column's name: "SCLK OD", the overdrive.
func rocmHeads(fields []string) []string {
	var heads []string
	for _, field := range fields {
		if field == "OD" && len(heads) > 0 {
			heads[len(heads)-1] += " OD"
		} else {
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

func rocmRow(a *Answer, origin Origin, columns, cells []string, line int) train.GPUReading {
	r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: cells[0]}, Source: train.FromTool, At: origin.At}
	if len(cells) != len(columns) {
		a.problem(line, "%d values under a heading of %d columns", len(cells), len(columns))
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
