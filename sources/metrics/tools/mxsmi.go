package tools

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// MetaX's mx-smi 2.2 and 2.3 prints two rows for each GPU:
//
//	| 0     MetaX C500 | 0           Off | 0000:0e:00.0        | 37%         Disabled |
//	| 61W / 350W       | 33C          P0 | 858/65536 MiB       | Available            |
var (
	// mxHead matches the first row: board and name, GPU, bus, use.
	mxHead = regexp.MustCompile(`(?m)^\| *\d+ +(\S[^|]*?) *\| *(\d+) +(?:On|Off) *\| *([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f]) *\| *(\d+|N/A)%?\s`)
	// mxBelow matches the second row: power and its limit, temperature, memory.
	mxBelow = regexp.MustCompile(`^\| *(\d+|N/A)W? / (\d+|N/A)W? *\| *(\d+|N/A)C? +P\d+ *\| *(\d+|N/A)/(\d+|N/A) MiB`)
)

// mxNumber matches the line that begins the facts of a GPU with options such as -L and
// --show-temperature, mxHottest the temperature of a part of its chip.
//
//	GPU#0  MXC500  0000:08:00.0
//	    hotspot(sensor0)                          :  39.00 C
var (
	mxNumber  = regexp.MustCompile(`(?m)^[ \t]*GPU#(\d+) +(\S.*?) +([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f])(?: +\S+ \(UUID: ([\w-]+)\))?[ \t]*\r?$`)
	mxHottest = regexp.MustCompile(`^\s*hotspot\(\w+\)\s*:\s*(-?[\d.]+) C\s*$`)
)

func readMXSMI(text string, a *readings.Answer, origin readings.Origin) error {
	var open *train.GPUReading
	number := 0
	for line := range strings.Lines(text) {
		number++
		if facts := mxNumber.FindStringSubmatch(strings.TrimRight(line, "\r\n")); facts != nil {
			keepOpen(a, open)
			open = &train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: facts[1], Model: named(facts[2]), Bus: facts[3], UUID: facts[4]}, Source: train.FromTool, At: origin.At}
			continue
		}
		if hottest := mxHottest.FindStringSubmatch(line); hottest != nil && open != nil {
			part := *open
			note(a, &part, train.GPUTemperature, hottest[1], number)
			if is, known := part.Values.Get(train.GPUTemperature); known {
				if before, met := open.Values.Get(train.GPUTemperature); !met || is > before {
					*open = part
				}
			}
			continue
		}
		if cells := mxHead.FindStringSubmatch(line); cells != nil {
			keepOpen(a, open)
			open = &train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: cells[2], Model: named(cells[1])}, Source: train.FromTool, At: origin.At}
			note(a, open, train.GPUUtilization, cells[4], number)
			continue
		}
		if cells := mxBelow.FindStringSubmatch(line); cells != nil && open != nil {
			for i, q := range [...]train.Quantity{train.GPUPower, train.GPUPowerLimit, train.GPUTemperature, train.GPUMemoryUsed, train.GPUMemoryTotal} {
				note(a, open, q, cells[i+1], number)
			}
		}
	}
	keepOpen(a, open)
	return nil
}

func isMXSMI(h *head) bool {
	return bytes.Contains(h.text, []byte("MX-SMI")) && mxHead.Match(h.text) || bytes.Contains(h.text, []byte("mx-smi ")) && mxNumber.Match(h.text)
}
