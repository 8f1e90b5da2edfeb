package tools

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// tpuTable is the current table of tpu-info.
type tpuTable uint8

const (
	tpuOther tpuTable = iota
	tpuChips
	tpuUse
	tpuCores
)

// readTPUInfo reads tpu-info 0.2 to 0.6, which draws its tables with lines or,
// without a terminal, with |: chips with their type, their memory and duty cycle,
// and the utilization of their tensor cores.
func readTPUInfo(text string, a *readings.Answer, origin readings.Origin) error {
	table, model, number := tpuOther, "", 0
	for line := range strings.Lines(stripSGR(text)) {
		number++
		trimmed := strings.TrimSpace(line)
		cells := tpuCells(trimmed)
		switch {
		case strings.Contains(trimmed, "TPU Runtime Utilization"):
			table = tpuUse
		case strings.Contains(trimmed, "TensorCore Utilization") && len(cells) < 2:
			table = tpuCores
		case strings.HasPrefix(trimmed, "TPU Chips"):
			table = tpuChips
		case smiFailed(strings.ReplaceAll(trimmed, "Libtpu", "libtpu")):
			a.AddProblem(number, "%s", readings.OneLine(strings.Trim(trimmed, "│| ")))
		case len(cells) < 2:
			if trimmed != "" && len(cells) == 0 && !strings.ContainsAny(trimmed, "━─┃│┏┗└┡├╭╰|+-") {
				table = tpuOther
			}
		case table == tpuChips && strings.Contains(cells[1], "TPU"):
			model = cells[1]
		case table == tpuUse && isNumber(cells[0]) && len(cells) >= 3:
			keepRow(a, tpuRow(a, origin, model, cells, number))
		case table == tpuCores && isNumber(cells[0]):
			tpuCore(a, cells, number)
		}
	}
	return nil
}

func tpuCells(line string) []string {
	if !strings.HasPrefix(line, "│") && !strings.HasPrefix(line, "┃") && !strings.HasPrefix(line, "|") {
		return nil
	}
	cells := strings.FieldsFunc(line, func(r rune) bool { return r == '│' || r == '┃' || r == '|' })
	if len(cells) == 1 { // without borders between the columns
		cells = wideGap.Split(strings.TrimSpace(cells[0]), -1)
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// wideGap separates columns that have no border between them.
var wideGap = regexp.MustCompile(` {2,}`)

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

func tpuRow(a *readings.Answer, origin readings.Origin, model string, cells []string, line int) train.GPUReading {
	r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: cells[0], Model: model}, Source: train.FromTool, At: origin.At}
	used, total, _ := strings.Cut(cells[1], "/")
	note(a, &r, train.GPUMemoryUsed, used, line)
	note(a, &r, train.GPUMemoryTotal, total, line)
	note(a, &r, train.GPUUtilization, cells[2], line)
	return r
}

// tpuCore sets the utilization of a core that has the number of its chip.
func tpuCore(a *readings.Answer, cells []string, line int) {
	for i := range a.Readings {
		if r := &a.Readings[i]; r.GPU.Index == cells[0] {
			if value, ok := toolNumber(cells[1]); ok && readings.Plausible(train.GPUTensorActive, value/percent) {
				r.Values.Set(train.GPUTensorActive, value/percent)
			} else if ok {
				a.AddProblem(line, "%q cannot be the use of a tensor core; left out", readings.OneLine(cells[1]))
			}
		}
	}
}

func isTPUInfo(h *head) bool {
	return bytes.Contains(h.text, []byte("TPU Runtime Utilization")) || strings.HasPrefix(h.lines[0], "TPU Chips")
}
