package tools

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// readSMIList reads nvidia-smi -L: a line for each GPU and, below it, one for each
// MIG device. It lists the devices without their use. The text may be the listings of
// several pods, each with its own slices of the same GPU.
func readSMIList(text string, a *readings.Answer, origin readings.Origin) error {
	number, board := 0, -1
	met := map[string]int{} // GPUs by their UUID
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if found := smiListed.FindStringSubmatch(line); found != nil {
			if len(a.Readings) >= readings.MaxGPUs {
				a.AddProblem(number, "more than %d GPUs; the others are left out", readings.MaxGPUs)
				return nil
			}
			if strings.Contains(line, "(UUID:") && !strings.HasSuffix(strings.TrimSpace(line), ")") && !wholeUUID.MatchString(strings.TrimSpace(line)) {
				a.AddProblem(number, "the line is cut off in the UUID, which is left out: %s", readings.Quote([]byte(line)))
				found[3] = ""
			}
			r := train.GPUReading{
				GPU:    train.GPU{Node: origin.Node, Index: found[1], Model: named(found[2]), UUID: found[3]},
				Source: train.FromTool, At: origin.At,
			}
			if at, again := met[r.GPU.UUID]; again && r.GPU.HasUUID() {
				board = at
				continue
			}
			board = len(a.Readings)
			met[r.GPU.UUID] = board
			a.Readings = append(a.Readings, r)
			continue
		}
		if found := smiListedSlice.FindStringSubmatch(line); found != nil && board >= 0 {
			slice := train.GPUSlice{MIG: train.MIG{Profile: found[1]}, Device: found[2], UUID: found[3]}
			if old := smiOldSlice.FindStringSubmatch(slice.UUID); old != nil {
				slice.Instance = old[1]
			}
			addSlice(&a.Readings[board], slice)
			continue
		}
		if strings.TrimSpace(line) != "" && !Typed.MatchString(line) {
			a.AddProblem(number, "no line of nvidia-smi -L: %s", readings.Quote([]byte(line)))
		}
	}
	return nil
}

// wholeUUID matches a line that ends with a UUID of full length, of which only the bracket
// is cut off.
var wholeUUID = regexp.MustCompile(`-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// addSlice adds a slice, unless an earlier listing had it.
func addSlice(board *train.GPUReading, slice train.GPUSlice) {
	same := func(s train.GPUSlice) bool { return s.UUID != "" && s.UUID == slice.UUID }
	if len(board.Slices) < maxRows && !slices.ContainsFunc(board.Slices, same) {
		board.Slices = append(board.Slices, slice)
	}
}

func isSMIList(h *head) bool {
	return smiListed.MatchString(h.lines[0]) && strings.Contains(h.lines[0], "UUID")
}
