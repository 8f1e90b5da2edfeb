package metrics

import (
	"regexp"
	"strings"

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

func readMXSMI(text string, a *Answer, origin Origin) error {
	var open *train.GPUReading
	number := 0
	for line := range strings.Lines(text) {
		number++
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

// keepOpen adds the GPU whose rows ended, if there is one.
func keepOpen(a *Answer, open *train.GPUReading) {
	if open != nil {
		keepRow(a, *open)
	}
}

// Moore Threads' mthreads-gmi 1.14 to 2.4 prints three rows for each GPU, the third with
// the ECC mode:
//
//	0    MTT S5000            |00000000:2a:00.0    |0%    66641MiB(81920MiB)
//	     Physical      P0     |16x(16x)            |52C   YES
var (
	// mtHead matches the first row: index and name, bus, use, memory and its total.
	mtHead = regexp.MustCompile(`(?m)^ *(\d+) +(\S[^|]*?) *\|([0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-9a-fA-F]) *\|(\d+|N/A)%? +(\d+|N/A)(?:MiB)? *\((\d+|N/A)(?:MiB)?\)`)
	// mtBelow matches the second row: kind of device, lanes, temperature.
	mtBelow = regexp.MustCompile(`^ +[A-Za-z][^|]*\|\d+x[^|]*\|(\d+|N/A)C? `)
)

func readMThreads(text string, a *Answer, origin Origin) error {
	var open *train.GPUReading
	number := 0
	for line := range strings.Lines(text) {
		number++
		if cells := mtHead.FindStringSubmatch(line); cells != nil {
			keepOpen(a, open)
			open = &train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: cells[1], Model: named(cells[2]), Bus: cells[3]}, Source: train.FromTool, At: origin.At}
			for i, q := range [...]train.Quantity{train.GPUUtilization, train.GPUMemoryUsed, train.GPUMemoryTotal} {
				note(a, open, q, cells[i+4], number)
			}
			continue
		}
		if cells := mtBelow.FindStringSubmatch(line); cells != nil && open != nil {
			note(a, open, train.GPUTemperature, cells[1], number)
		}
	}
	keepOpen(a, open)
	return nil
}
