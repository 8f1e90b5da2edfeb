package tools

import (
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// xpuColumns are columns of `xpu-smi dump` (Intel XPU Manager 1.2 and 1.3), which
// prints a row for each device and interval.
var xpuColumns = map[string]train.Quantity{
	"GPU Utilization (%)":                     train.GPUUtilization,
	"GPU Power (W)":                           train.GPUPower,
	"GPU Frequency (MHz)":                     train.GPUSMClock,
	"GPU Core Temperature (Celsius Degree)":   train.GPUTemperature,
	"GPU Memory Temperature (Celsius Degree)": train.GPUMemoryTemp,
	"GPU Memory Used (MiB)":                   train.GPUMemoryUsed,
}

// celsius writes the unit of temperatures as 1.2 and 1.3 do.
var celsius = strings.NewReplacer("(C)", "(Celsius Degree)", "(°C)", "(Celsius Degree)")

// isXPUDump: the heading names the time and the device.
func isXPUDump(line string) bool { return strings.HasPrefix(line, "Timestamp, DeviceId, ") }

// readXPUDump reads the newest row of each device.
func readXPUDump(text string, a *readings.Answer, origin readings.Origin) error {
	var columns []string
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		cells := strings.Split(line, ",")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case isXPUDump(line):
			columns = cells
		case line == "" || columns == nil:
		case len(cells) != len(columns):
			a.AddProblem(number, "%d values under a heading of %d; left out", len(cells), len(columns))
		default:
			r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: cells[1]}, Source: train.FromTool, At: origin.At}
			for i, name := range columns {
				if q, known := xpuColumns[celsius.Replace(name)]; known {
					note(a, &r, q, cells[i], number)
				}
			}
			keepRow(a, r)
		}
	}
	return nil
}
