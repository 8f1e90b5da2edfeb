package tools

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// Facts of devices, each with its name, in a box or as lines: discovery of dcgmi 2 to
// 4 and of xpu-smi 1 and 2, stats of xpumcli, usages of npu-smi 22 to 26. A fact that
// gives the number of a device begins the next one.
//
//	| 0      | Name: NVIDIA H200                |
//	| GPU Utilization (%)  | Tile 0: 0, Tile 1: 0 |
//	    HBM Capacity(MB)               : 65536

// factQuantities are names of facts without their units.
var factQuantities = map[string]train.Quantity{
	"gpu utilization": train.GPUUtilization, "aicore usage rate": train.GPUUtilization, "npu utilization": train.GPUUtilization,
	"memory physical size": train.GPUMemoryTotal, "hbm capacity": train.GPUMemoryTotal,
	"gpu memory used": train.GPUMemoryUsed,
	"gpu power":       train.GPUPower, "npu real-time power": train.GPUPower,
	"temperature": train.GPUTemperature, "gpu core temperature": train.GPUTemperature, "gpu memory temperature": train.GPUMemoryTemp,
	"gpu frequency": train.GPUSMClock,
}

// factNames are those that identify the device.
var factNames = map[string]func(*train.GPU) *string{
	"name": modelOf, "device name": modelOf, "product name": modelOf,
	"uuid": uuidOf, "device uuid": uuidOf, "soc uuid": uuidOf,
	"pci bus id": busOf, "pci bdf address": busOf,
}

func modelOf(g *train.GPU) *string { return &g.Model }
func uuidOf(g *train.GPU) *string  { return &g.UUID }
func busOf(g *train.GPU) *string   { return &g.Bus }

var (
	// factHeading matches the heading of a box whose left column numbers the
	// devices.
	factHeading = regexp.MustCompile(`^\| *(?:GPU|Device) ID *\| *Device Information *\|$`)
	factNumber  = regexp.MustCompile(`^(?:gpu|device|npu) id$`)
	factUnit    = regexp.MustCompile(`\s*\(([^()]*)\)$`)
	factLine    = regexp.MustCompile(`^\s*([A-Za-z][^:|]*?)\s*:\s*(.*?)\s*$`)
	factTile    = regexp.MustCompile(`Tile \d+:\s*(?:avg:\s*)?(-?[\d.]+)`)
	factCurrent = regexp.MustCompile(`current:\s*(-?[\d.]+)`)
)

// factReader reads the facts of one device after the other.
type factReader struct {
	answer *readings.Answer
	origin readings.Origin
	open   *train.GPUReading
	tiles  map[train.Quantity]int
	last   string // the name of the fact above
}

func readFacts(text string, a *readings.Answer, origin readings.Origin) error {
	f := &factReader{answer: a, origin: origin}
	numbered := false
	line := 0
	for raw := range strings.Lines(text) {
		line++
		raw = strings.TrimSpace(raw)
		switch cells := smiCells(raw); {
		case factHeading.MatchString(raw):
			numbered = true
		case isBorder(raw):
		case strings.HasPrefix(raw, "|") && len(cells) == 2 && numbered:
			if number := strings.TrimSpace(cells[0]); isNumber(number) {
				f.begin(number)
			}
			f.line(cells[1], line)
		case strings.HasPrefix(raw, "|") && len(cells) == 2:
			f.fact(strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1]), line)
		case strings.HasPrefix(raw, "|"): // a box of something else
			f.end()
			numbered = false
		case smiFailed(raw):
			a.AddProblem(line, "%s", readings.OneLine(raw))
		default:
			f.line(raw, line)
		}
	}
	f.end()
	return nil
}

// line reads a fact of the form NAME: VALUE.
func (f *factReader) line(text string, number int) {
	if found := factLine.FindStringSubmatch(text); found != nil {
		f.fact(found[1], found[2], number)
	}
}

func (f *factReader) begin(index string) {
	f.end()
	f.open = &train.GPUReading{GPU: train.GPU{Node: f.origin.Node, Index: index}, Source: train.FromTool, At: f.origin.At}
	f.tiles = map[train.Quantity]int{}
}

// end keeps a device. The chips of one card are numbered by card alone.
func (f *factReader) end() {
	if f.open != nil {
		keepRow(f.answer, *f.open)
	}
	f.open = nil
}

// fact reads one fact. A line without a name goes on with the one above it.
func (f *factReader) fact(name, value string, line int) {
	name = cmp.Or(name, f.last)
	f.last = name
	unit := ""
	if found := factUnit.FindStringSubmatch(name); found != nil {
		unit, name = found[1], strings.TrimSuffix(name, found[0])
	}
	name = strings.ToLower(strings.TrimSpace(name))
	if factNumber.MatchString(name) && isNumber(value) {
		f.begin(value)
	}
	if f.open == nil {
		return
	}
	if of := factNames[name]; of != nil {
		if at := of(&f.open.GPU); *at == "" {
			*at = named(value)
		}
		return
	}
	if q, known := factQuantities[name]; known {
		f.measure(q, value, unit, line)
	}
}

// measure reads the number of a fact. The tiles of a device are one device: the
// hottest one is its temperature, and what they use is averaged.
func (f *factReader) measure(q train.Quantity, value, unit string, line int) {
	numbers := factCurrent.FindAllStringSubmatch(value, -1)
	if numbers == nil {
		numbers = factTile.FindAllStringSubmatch(value, -1)
	}
	if numbers == nil {
		if endsInDigit(value) {
			value += " " + unit
		}
		note(f.answer, f.open, q, value, line)
		return
	}
	for _, found := range numbers {
		number, err := strconv.ParseFloat(found[1], 64)
		if err != nil || !readings.Plausible(q, number) {
			continue
		}
		before, met := f.open.Values.Get(q)
		n := float64(f.tiles[q])
		switch {
		case !met:
		case q == train.GPUUtilization || q == train.GPUSMClock:
			number = (before*n + number) / (n + 1)
		case q == train.GPUMemoryUsed || q == train.GPUPower:
			number += before
		default:
			number = max(number, before)
		}
		f.tiles[q]++
		f.open.Values.Set(q, number)
	}
}

// isFacts recognises such a text by its heading, or by the number of a device and
// facts that are known.
func isFacts(h *head) bool {
	numbers, known, boxed := 0, 0, 0
	for _, line := range h.lines {
		line = strings.TrimSpace(line)
		if factHeading.MatchString(line) {
			return true
		}
		name, value := "", ""
		if cells := smiCells(line); strings.HasPrefix(line, "|") && len(cells) == 2 {
			name, value = strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1])
			boxed = 1
		} else if found := factLine.FindStringSubmatch(line); found != nil {
			name, value = found[1], found[2]
		}
		name = strings.ToLower(strings.TrimSpace(factUnit.ReplaceAllString(name, "")))
		if factNumber.MatchString(name) && isNumber(value) {
			numbers++
		}
		if _, measured := factQuantities[name]; measured {
			known++
		}
	}
	return numbers > 0 && known+boxed > 1
}
