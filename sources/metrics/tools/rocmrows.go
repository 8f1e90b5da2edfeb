package tools

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// rocmBareRow matches a row of rocm-smi's concise table (ROCm 3 to 6) without its
// heading: the units show the columns. Before the temperature ROCm 6 has the node
// and the ids of the device, behind the power its partitions.
var rocmBareRow = regexp.MustCompile(`^\s*(\d+)\s+(?:\d+\s+0x[0-9a-f]+,\s+\d+\s+)?(\d[\d.]*°?[cC])\s+([\d.]+W|N/A)\s+(?:\S+, \S+, \d+\s+)?(\d+Mhz|None)\s+(\d+Mhz|None)\s+\S+\s+\w+\s+([\d.]+W|N/A|[Uu]nsupported)\s+(?:\d+%|N/A|[Uu]nsupported)\s+(\d+%|N/A|[Uu]nsupported)\s*$`)

// rocmBareColumns are the quantities of its groups behind the index.
var rocmBareColumns = [...]train.Quantity{
	train.GPUTemperature, train.GPUPower, train.GPUSMClock, train.GPUMemoryClock, train.GPUPowerLimit, train.GPUUtilization,
}

// isROCmRows: all lines but borders, and the last that may be cut, are such rows.
func isROCmRows(lines []string) bool {
	rows := 0
	for i, line := range lines {
		switch {
		case rocmBareRow.MatchString(line):
			rows++
		case strings.HasPrefix(line, "=") || i == len(lines)-1 && rows > 0:
		default:
			return false
		}
	}
	return rows > 0
}

// readROCmRows reads rows of rocm-smi without their heading.
func readROCmRows(text string, a *readings.Answer, origin readings.Origin) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		found := rocmBareRow.FindStringSubmatch(line)
		switch {
		case found != nil:
			keepRow(a, rocmBareReading(a, origin, found[1:], number))
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "="):
			a.AddProblem(number, "no row of rocm-smi: %s", readings.Quote([]byte(line)))
		}
	}
	return nil
}

func rocmBareReading(a *readings.Answer, origin readings.Origin, cells []string, line int) train.GPUReading {
	r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: cells[0]}, Source: train.FromTool, At: origin.At}
	for i, q := range rocmBareColumns {
		if cell := cells[i+1]; q == train.GPUUtilization || !isZero(strings.TrimRight(cell, "cC°W")) {
			note(a, &r, q, cell, line)
		}
	}
	return r
}
