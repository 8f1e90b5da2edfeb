package metrics

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// readSMIList reads nvidia-smi -L: a line for each GPU and, below it, one for each
// MIG device. It lists the devices without their use.
func readSMIList(text string, a *Answer, origin Origin) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if found := smiListed.FindStringSubmatch(line); found != nil {
			if len(a.Readings) >= MaxGPUs {
				a.problem(number, "more than %d GPUs; the others are left out", MaxGPUs)
				return nil
			}
			if strings.Contains(line, "(UUID:") && !strings.HasSuffix(strings.TrimSpace(line), ")") {
				a.problem(number, "the line is cut off in the UUID, which is left out: %s", quote([]byte(line)))
				found[3] = ""
			}
			a.Readings = append(a.Readings, train.GPUReading{
				GPU:    train.GPU{Node: origin.Node, Index: found[1], Model: named(found[2]), UUID: found[3]},
				Source: train.FromTool, At: origin.At,
			})
			continue
		}
		if found := smiListedSlice.FindStringSubmatch(line); found != nil && len(a.Readings) > 0 {
			board := &a.Readings[len(a.Readings)-1]
			slice := train.GPUSlice{MIG: train.MIG{Profile: found[1]}, Device: found[2], UUID: found[3]}
			if old := smiOldSlice.FindStringSubmatch(slice.UUID); old != nil {
				slice.Instance = old[1]
			}
			board.Slices = append(board.Slices, slice)
			continue
		}
		if strings.TrimSpace(line) != "" {
			a.problem(number, "no line of nvidia-smi -L: %s", quote([]byte(line)))
		}
	}
	return nil
}
