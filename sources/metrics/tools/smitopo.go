package tools

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// topoHeading matches the first line of nvidia-smi topo -m: a column for each GPU.
var topoHeading = regexp.MustCompile(`^\s+GPU\d+(?:\s|$)`)

// readTopo checks nvidia-smi topo -m. It contains how GPUs are connected and nothing
// of their use, so only its completeness matters here.
func readTopo(text string, a *readings.Answer, _ readings.Origin) error {
	wanted, rows := 0, 0
	for line := range strings.Lines(stripSGR(text)) {
		switch {
		case wanted == 0 && topoHeading.MatchString(line):
			for _, word := range strings.Fields(line) {
				if topoGPU.MatchString(word) {
					wanted++
				}
			}
			// "GPU NUMA ID" is three words, and none of them is a GPU
		case wanted > 0:
			if fields := strings.Fields(line); len(fields) > wanted && topoGPU.MatchString(fields[0]) {
				rows++
			}
		}
	}
	a.Note = fmt.Sprintf("how %d GPUs are connected, not what they do", wanted)
	if rows < wanted {
		a.AddProblem(0, "nvidia-smi topo names %d GPUs and has rows for %d of them: it was cut off", wanted, rows)
	}
	return nil
}

var (
	topoGPU = regexp.MustCompile(`^GPU\d+$`)
	sgr     = regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b\\(B")
)

// stripSGR removes colours, and the change of the character set with which terminfo ends them;
// topo underlines its heading with one.
func stripSGR(text string) string { return sgr.ReplaceAllString(text, "") }
