package tools

import (
	"slices"
	"strings"
	"unicode"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// amdColumns are the columns of amd-smi monitor 24 to 26.
var amdColumns = map[string]train.Quantity{
	"POWER": train.GPUPower, "PWR_CAP": train.GPUPowerLimit, "GPU_TEMP": train.GPUTemperature, "GPU_T": train.GPUTemperature,
	"MEM_TEMP": train.GPUMemoryTemp, "MEM_T": train.GPUMemoryTemp,
	"GFX_UTIL": train.GPUUtilization, "GFX%": train.GPUUtilization, "MEM_UTIL": train.GPUMemoryCopy, "MEM%": train.GPUMemoryCopy,
	"GFX_CLOCK": train.GPUSMClock, "GFX_CLK": train.GPUSMClock, "MEM_CLOCK": train.GPUMemoryClock, "MEM_CLK": train.GPUMemoryClock,
	"VRAM_USED": train.GPUMemoryUsed, "VRAM_TOTAL": train.GPUMemoryTotal,
	"SINGLE_ECC": train.GPUECCCorrected, "DOUBLE_ECC": train.GPUECCUncorrected, "PCIE_REPLAY": train.GPUPCIeReplays,
}

// readAMDMonitor reads amd-smi monitor.
func readAMDMonitor(text string, a *readings.Answer, origin readings.Origin) error {
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
				a.AddProblem(number, "%s", readings.OneLine(line))
			}
		default:
			cells := amdCells(fields)
			if len(cells) != len(columns) {
				a.AddProblem(number, "%d values under a heading of %d: %s", len(cells), len(columns), readings.Quote([]byte(line)))
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

func amdRow(a *readings.Answer, origin readings.Origin, columns, cells []string, line int) train.GPUReading {
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

// isAMDMonitor: the heading is below a warning, or below the tool's versions.
func isAMDMonitor(h *head) bool {
	return slices.ContainsFunc(h.first(4), func(line string) bool { return isAMDHeading(strings.Fields(line)) })
}
