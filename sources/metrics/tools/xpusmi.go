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
func isXPUDump(line string) bool {
	return strings.HasPrefix(strings.ReplaceAll(line, ", ", ","), "Timestamp,DeviceId,")
}

// readXPUDump reads the newest row of each device, or of each of its tiles.
func readXPUDump(text string, a *readings.Answer, origin readings.Origin) error {
	var columns []string
	tiles := map[string][]xpuTile{}
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
			if len(cells) > 2 && columns[2] == "TileId" {
				tiles[cells[1]] = withTile(tiles[cells[1]], xpuTile{cells[2], r.Values})
				r.Values = valuesOfTiles(tiles[cells[1]])
			}
			keepRow(a, r)
		}
	}
	return nil
}

// xpuTile is a part of a device.
type xpuTile struct {
	number string
	values train.Values
}

// withTile adds a tile, or replaces what was known of it.
func withTile(tiles []xpuTile, tile xpuTile) []xpuTile {
	for i := range tiles {
		if tiles[i].number == tile.number {
			tiles[i] = tile
			return tiles
		}
	}
	if len(tiles) >= maxTiles {
		return tiles
	}
	return append(tiles, tile)
}

// maxTiles bounds the tiles of a device.
const maxTiles = 64

func valuesOfTiles(tiles []xpuTile) train.Values {
	all := make([]train.Values, len(tiles))
	for i := range tiles {
		all[i] = tiles[i].values
	}
	return joinTiles(all)
}
