package tools

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// Moore Threads' mthreads-gmi 1.14 to 2.4 prints three rows for each GPU, the third with
// the ECC mode:
//
//	0    MTT S5000            |00000000:2a:00.0    |0%    66641MiB(81920MiB)
//	     Physical      P0     |16x(16x)            |52C   YES
var (
	// mtHead matches the first row: index and name, bus, use, memory and its total.
	mtHead = regexp.MustCompile(`(?m)^ *(\d+) +(\S[^|]*?) *\|([0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-9a-fA-F]) *\|(\d+|N/A)%? +(\d+|N/A)(?:MiB)? *\((\d+|N/A)(?:MiB)?\)`)
	// mtBelow matches the second row: kind of device, lanes, temperature.
	mtBelow = regexp.MustCompile(`^ *[A-Za-z][^|]*\|\d+x[^|]*\|(\d+|N/A)C? `)
)

func readMThreads(text string, a *readings.Answer, origin readings.Origin) error {
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

func isMThreads(h *head) bool {
	return bytes.Contains(h.text, []byte("mthreads-gmi:")) && mtHead.Match(h.text)
}
