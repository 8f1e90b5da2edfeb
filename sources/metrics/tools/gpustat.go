package tools

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// gpustatRow matches a row of gpustat 0.4 to 1.1: index and name, then the
// temperature, the fan where it is asked for, the use, the power where it is asked
// for, and the memory. ?? is unknown. In a script it is a comment.
//
//	[0] Tesla P100 | 27'C,   0 % |   103 / 16384 MB | user(97M)
//	[1] GTX TITAN  | 36°C,  53 %,   0 % (E:   0 %  D:   0 %),   ?? / 250 W |  9000 / 12189 MB |
var gpustatRow = regexp.MustCompile(`^\s*(?:#\s*)?\[(\d+)\] (.+?)\s*\|\s*(\d+|\?\?)(?:'|°)C,((?:[^|]|%)*)\|\s*(\d+|\?\?) /\s*(\d+|\?\?) MB`)

var (
	gpustatPercent = regexp.MustCompile(`(\d+|\?\?) %`)
	gpustatEngines = regexp.MustCompile(`\([ED]:[^)]*\)`)
	gpustatWatts   = regexp.MustCompile(`(\d+|\?\?) /\s*(\d+|\?\?) W`)
)

// isGPUStat reports whether a row is among the first lines, below a prompt and the
// host.
func isGPUStat(lines []string) bool {
	for _, line := range lines[:min(4, len(lines))] {
		if gpustatRow.MatchString(stripSGR(line)) {
			return true
		}
	}
	return false
}

func readGPUStat(text string, a *readings.Answer, origin readings.Origin) error {
	number := 0
	for line := range strings.Lines(stripSGR(text)) {
		number++
		cells := gpustatRow.FindStringSubmatch(line)
		if cells == nil {
			continue
		}
		r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: cells[1], Model: named(cells[2])}, Source: train.FromTool, At: origin.At}
		note(a, &r, train.GPUTemperature, cells[3], number)
		if shares := gpustatPercent.FindAllStringSubmatch(gpustatEngines.ReplaceAllString(cells[4], ""), -1); len(shares) > 0 {
			note(a, &r, train.GPUUtilization, shares[len(shares)-1][1], number) // the fan's comes first
		}
		if watts := gpustatWatts.FindStringSubmatch(cells[4]); watts != nil {
			note(a, &r, train.GPUPower, watts[1], number)
			note(a, &r, train.GPUPowerLimit, watts[2], number)
		}
		note(a, &r, train.GPUMemoryUsed, cells[5], number)
		note(a, &r, train.GPUMemoryTotal, cells[6], number)
		keepRow(a, r)
	}
	return nil
}
