package tools

import (
	"encoding/csv"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// CSV of AMD's tools: rocm-smi --csv 4 to 7, whose columns are the keys of --json, and
// amd-smi metric --csv 24 to 26, with -w a row for each device and interval.

// amdCSV are the columns of amd-smi metric --csv and monitor --csv, in order of preference.
var amdCSV = []struct {
	quantity train.Quantity
	columns  []string
}{
	{train.GPUUtilization, []string{"gfx_activity", "gfx"}},
	{train.GPUMemoryCopy, []string{"umc_activity"}},
	{train.GPUMemoryUsed, []string{"used_vram", "vram_used"}},
	{train.GPUMemoryTotal, []string{"total_vram", "vram_total"}},
	{train.GPUTemperature, []string{"hotspot", "hotspot_temperature", "edge"}},
	{train.GPUMemoryTemp, []string{"mem", "memory_temperature"}},
	{train.GPUPower, []string{"socket_power", "power_usage"}},
	{train.GPUSMClock, []string{"gfx_0_clk"}},
}

// isROCmCSV and isAMDCSV recognise a heading.
func isROCmCSV(line string) bool {
	first, _, found := strings.Cut(line, ",")
	return found && first == "device" && strings.Contains(line, "(")
}

func isAMDCSV(line string) bool {
	columns := strings.Split(line, ",")
	has := func(name string) bool {
		for _, column := range columns {
			if strings.TrimSpace(column) == name {
				return true
			}
		}
		return false
	}
	return has("gpu") && (has("gfx_activity") || has("socket_power") || has("hotspot") || has("power_usage") && has("gfx"))
}

// isHeadedCSV: the heading is below warnings of the tool.
func isHeadedCSV(h *head) bool {
	for _, line := range h.first(4) {
		if isROCmCSV(line) || isAMDCSV(line) {
			return true
		}
	}
	return false
}

// readHeadedCSV reads the newest row of each device.
func readHeadedCSV(text string, a *readings.Answer, origin readings.Origin) error {
	var columns []string
	rocm := false
	number, cut := 0, !strings.HasSuffix(text, "\n")
	for line := range strings.Lines(text) {
		number++
		whole := strings.HasSuffix(line, "\n") || !cut
		line = strings.TrimSpace(line)
		switch rocmHead := isROCmCSV(line); {
		case rocmHead || isAMDCSV(line):
			columns, rocm = csvCells(line), rocmHead
			continue
		case line == "" || columns == nil:
			continue
		}
		cells := csvCells(line)
		if len(cells) != len(columns) || len(cells) < 2 {
			csvMisfit(a, line, len(cells), len(columns), number, !whole)
			continue
		}
		values := make(map[string]any, len(cells))
		for i, column := range columns {
			values[column] = cells[i]
		}
		if !rocm {
			keepRow(a, amdCSVRow(a, values, origin, number))
		} else if card := rocmCard.FindStringSubmatch(cells[0]); card != nil {
			keepRow(a, rocmReading(a, values, card[1], origin))
		}
	}
	return nil
}

// csvCells splits a row whose cells may be quoted.
func csvCells(line string) []string {
	reader := csv.NewReader(strings.NewReader(line))
	reader.LazyQuotes, reader.TrimLeadingSpace, reader.FieldsPerRecord = true, true, -1
	cells, err := reader.Read()
	if err != nil {
		return nil
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

func amdCSVRow(a *readings.Answer, values map[string]any, origin readings.Origin, line int) train.GPUReading {
	r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: amdText(values["gpu"])}, Source: train.FromTool, At: origin.At}
	for _, c := range amdCSV {
		for _, column := range c.columns {
			text := amdText(values[column])
			if r.Values.Known(c.quantity) || isZero(text) && (c.quantity == train.GPUPower || c.quantity == train.GPUTemperature || c.quantity == train.GPUMemoryTemp) {
				continue
			}
			note(a, &r, c.quantity, text, line)
		}
	}
	return r
}
