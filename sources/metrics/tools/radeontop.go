package tools

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// radeonLine matches a line of radeontop -d (1.0 to 1.4): the time, the bus in newer versions,
// the use of the GPU and of its blocks, and the memory in use.
//
//	1502903295.84311: gpu 1.67%, ee 0.00%, vgt 0.00%, …, vram 30.01% 153.66mb
var radeonLine = regexp.MustCompile(`^\d+\.\d+: (?:bus \w+, )?gpu ([\d.]+)%, ee [\d.]+%, (?:.*, )?vram [\d.]+% ([\d.]+)mb`)

func isRadeonTop(h *head) bool {
	return slices.ContainsFunc(h.first(4), radeonLine.MatchString) // below what the tool prints at its start
}

// readRadeonTop reads the newest line. It shows one GPU, without its number.
func readRadeonTop(text string, a *readings.Answer, origin readings.Origin) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if found := radeonLine.FindStringSubmatch(strings.TrimSpace(line)); found != nil {
			r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: "0"}, Source: train.FromTool, At: origin.At}
			note(a, &r, train.GPUUtilization, found[1], number)
			note(a, &r, train.GPUMemoryUsed, found[2], number)
			keepRow(a, r)
		}
	}
	return nil
}
