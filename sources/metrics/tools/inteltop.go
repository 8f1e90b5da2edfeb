package tools

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// intel_gpu_top -l 1.2x prints a line for each interval below two lines of headings,
// which it repeats: the words of the second one name the columns.
//
//	 Freq MHz      IRQ RC6     Power W             RCS             BCS
//	 req  act       /s   %   gpu   pkg       %  se  wa       %  se  wa
//	 388  388      582  50  0.95 36.54   42.43   0   0    0.00   0   0

// isIntelTopHead recognises the second heading.
func isIntelTopHead(fields []string) bool {
	return len(fields) > 5 && fields[0] == "req" && fields[1] == "act" && slices.Contains(fields, "se")
}

func isIntelTopText(h *head) bool {
	return slices.ContainsFunc(h.first(4), func(line string) bool { return isIntelTopHead(strings.Fields(line)) })
}

// readIntelTopText reads the newest line: the busiest engine is the use of the GPU.
func readIntelTopText(text string, a *readings.Answer, origin readings.Origin) error {
	var columns []string
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		if isIntelTopHead(fields) {
			columns = fields
			continue
		}
		if len(fields) != len(columns) || len(fields) == 0 || !isNumber(fields[0]) {
			continue
		}
		r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: "0"}, Source: train.FromTool, At: origin.At}
		for i, column := range columns {
			switch {
			case column == "act":
				note(a, &r, train.GPUSMClock, fields[i], number)
			case column == "gpu" && !isZero(fields[i]):
				note(a, &r, train.GPUPower, fields[i], number)
			case column == "%" && i+1 < len(columns) && columns[i+1] == "se":
				value, ok := toolNumber(fields[i])
				if before, met := r.Values.Get(train.GPUUtilization); ok && (!met || value > before) {
					note(a, &r, train.GPUUtilization, fields[i], number)
				}
			}
		}
		keepRow(a, r)
	}
	if len(a.Readings) == 0 {
		a.AddProblem(0, "no whole line of intel_gpu_top")
	}
	return nil
}
