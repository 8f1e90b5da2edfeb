package tools

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// Rows of `npu-smi info` (Ascend driver 22 to 26). A chip has two: the card with
// its name, health, power and temperature, then the chip with its use and its
// memory. HBM-Usage is the memory of the device; Memory-Usage before it is the
// host's part.
var (
	npuCard = regexp.MustCompile(`^\|\s*(\d+)\s+([^|\s][^|]*?)\s*\|\s*([A-Za-z]+)\s*\|\s*(\S+)\s+(\S+)\s`)
	npuChip = regexp.MustCompile(`^\|\s*(\d+)(?:\s+(?:(\d+)|NA))?\s*\|\s*(\S+)\s*\|\s*(\S+)\s+(\d+)\s*/\s*(\d+)(?:\s+(\d+)\s*/\s*(\d+))?(?:\s*\||\s+$)`) // cut behind its last number
)

// Rows of a table that a person squeezed, whose cells only blanks separate.
var (
	npuBareCard = regexp.MustCompile(`^\|\s*(\d+)\s+(\S+)\s{2,}([A-Z][A-Za-z]*)\s{2,}(\S+)\s+(\d[\d.]*|NA|-)\s`)
	npuBareChip = regexp.MustCompile(`^\|\s*(\d+)(?:\s+(?:(\d+)|NA))?\s{2,}([0-9A-Fa-f]{4}:[0-9A-Fa-f:.]+)\s+(\S+)\s+(\d+)\s*/\s*(\d+)(?:\s+(\d+)\s*/\s*(\d+))?\s*\|`)
)

// npuCutChip matches the row of a chip that was cut before its memory.
var npuCutChip = regexp.MustCompile(`^\|\s*(\d+)(?:\s+(?:(\d+)|NA))?\s*\|\s*([0-9A-Fa-f]{4}:[0-9A-Fa-f:.]+)\s*\|(?:\s*(\S+)\s[\d/ ]*)?()()()()$`)

func npuCardOf(line string) []string {
	if cells := npuCard.FindStringSubmatch(line); cells != nil {
		return cells
	}
	return npuBareCard.FindStringSubmatch(line)
}

func npuChipOf(line string) []string {
	if cells := npuChip.FindStringSubmatch(line); cells != nil {
		return cells
	}
	if cells := npuBareChip.FindStringSubmatch(line); cells != nil {
		return cells
	}
	return npuCutChip.FindStringSubmatch(line)
}

// readNPUSMI reads the table of npu-smi. Two chips of one card are two devices:
// they are numbered by their physical id where the table has it, else by card and
// chip.
func readNPUSMI(text string, a *readings.Answer, origin readings.Origin) error {
	var open *train.GPUReading
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimLeft(strings.TrimRight(line, "\r\n"), " \t")
		if chip := npuChipOf(line); chip != nil && open != nil {
			npuNumbers(a, open, chip, number)
			open = nil
			continue
		}
		if card := npuCardOf(line); card != nil {
			keepOpen(a, open)
			open = &train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: card[1], Model: named(card[2])}, Source: train.FromTool, At: origin.At}
			note(a, open, train.GPUPower, card[4], number)
			note(a, open, train.GPUTemperature, card[5], number)
			if health := card[3]; health != "OK" {
				a.AddProblem(number, "NPU %s: health %s", card[1], readings.OneLine(health))
			}
		}
	}
	keepOpen(a, open) // the text ends above its chip
	return nil
}

// npuNumbers completes a device from the row of its chip, and keeps it.
func npuNumbers(a *readings.Answer, r *train.GPUReading, chip []string, line int) {
	switch {
	case chip[2] != "":
		r.GPU.Index = chip[2]
	case chip[1] != "0":
		r.GPU.Index += "." + chip[1]
	}
	if smiBus.MatchString(chip[3]) {
		r.GPU.Bus = chip[3]
	}
	note(a, r, train.GPUUtilization, chip[4], line)
	used, total := chip[7], chip[8]
	if total == "" {
		used, total = chip[5], chip[6]
	}
	note(a, r, train.GPUMemoryUsed, used, line)
	note(a, r, train.GPUMemoryTotal, total, line)
	keepRow(a, *r)
}

// npuTitle matches the title of the table at the beginning of its line.
var npuTitle = regexp.MustCompile(`(?m)^[ \t]*\| npu-smi `)

// isNPUTable recognises the table of npu-smi by its title, or by its rows where they
// were pasted without it: that of a card, and below it that of its chip with an
// address on the bus.
func isNPUTable(lines []string, text string) bool {
	if strings.Contains(text, "AICore(%)") && npuTitle.MatchString(text) {
		return true
	}
	for i := 1; i < len(lines); i++ {
		card, chip := strings.TrimSpace(lines[i-1]), npuChip.FindStringSubmatch(strings.TrimSpace(lines[i]))
		if chip != nil && smiBus.MatchString(chip[3]) && npuCard.MatchString(card) {
			return true
		}
	}
	return false
}
