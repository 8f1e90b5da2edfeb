package tools

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// detailPaths are where nvidia-smi -q, driver 450 to 610, writes a quantity: the
// headings above it and its name, in order of preference.
var detailPaths = []detailPath{
	{train.GPUUtilization, []string{"Utilization/Gpu", "Utilization/GPU"}},
	{train.GPUMemoryCopy, []string{"Utilization/Memory"}},
	{train.GPUMemoryUsed, []string{"FB Memory Usage/Used"}},
	{train.GPUMemoryTotal, []string{"FB Memory Usage/Total"}},
	{train.GPUTemperature, []string{"Temperature/GPU Current Temp"}},
	{train.GPUMemoryTemp, []string{"Temperature/Memory Current Temp"}},
	{train.GPUPower, []string{"GPU Power Readings/Power Draw", "GPU Power Readings/Average Power Draw", "GPU Power Readings/Instantaneous Power Draw", "Power Readings/Power Draw"}},
	{train.GPUPowerLimit, []string{"GPU Power Readings/Current Power Limit", "Power Readings/Power Limit", "Power Readings/Current Power Limit"}},
	{train.GPUSMClock, []string{"Clocks/SM"}},
	{train.GPUMaxSMClock, []string{"Max Clocks/SM"}},
	{train.GPUMemoryClock, []string{"Clocks/Memory"}},
	{train.GPURowsRemapped, []string{"Remapped Rows/Uncorrectable Error"}},
	{train.GPURemapPending, []string{"Remapped Rows/Pending"}},
	{train.GPURemapFailed, []string{"Remapped Rows/Remapping Failure Occurred"}},
}

type detailPath struct {
	quantity train.Quantity
	paths    []string
}

// detailGPU matches the heading of a GPU.
var detailGPU = regexp.MustCompile(`^GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f])\s*$`)

// readSMIDetails reads nvidia-smi -q, which lists the facts of a GPU below headings
// by indentation. GPUs have no index in it; their order gives it, unless the text
// begins in the middle: the facts of its first GPU are then those of a GPU without a
// name.
func readSMIDetails(text string, a *readings.Answer, origin readings.Origin) error {
	var facts map[string]string
	bus, whole := "", smiDetails.MatchString(text)
	if !whole {
		facts = map[string]string{}
	}
	finish := func() {
		if facts == nil || len(a.Readings) >= readings.MaxGPUs || bus == "" && len(facts) == 0 {
			return
		}
		r := detailReading(a, facts, bus, origin, len(a.Readings))
		if !whole {
			r.GPU.Index = ""
		}
		a.Readings = append(a.Readings, r)
	}
	var headings []detailHeading
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, " \r\n")
		if found := detailGPU.FindStringSubmatch(line); found != nil {
			finish()
			facts, bus, headings = map[string]string{}, found[1], nil
			continue
		}
		if smiFailed(line) && !(facts != nil && strings.HasPrefix(line, " ")) { // of a GPU's facts, sayLost reports it once
			a.AddProblem(number, "%s", readings.OneLine(line))
		}
		if facts == nil || strings.TrimSpace(line) == "" {
			continue
		}
		headings = detailLine(line, headings, facts)
	}
	finish()
	return nil
}

// guestID begins the facts of a vGPU, which are deeper than it.
const guestID = "vGPU ID"

type detailHeading struct {
	indent int
	name   string
}

// detailLine adds a fact under the headings above it, or adds a heading.
func detailLine(line string, headings []detailHeading, facts map[string]string) []detailHeading {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	for len(headings) > 0 && headings[len(headings)-1].indent >= indent {
		headings = headings[:len(headings)-1]
	}
	name, value, isFact := strings.Cut(strings.TrimSpace(line), " : ")
	if !isFact || strings.TrimSpace(name) == guestID {
		return append(headings, detailHeading{indent, strings.TrimSpace(name)})
	}
	if slices.ContainsFunc(headings, func(h detailHeading) bool { return h.name == guestID }) {
		return headings // a fact of a vGPU, not of its board
	}
	path := strings.TrimSpace(name)
	if len(headings) > 0 {
		path = headings[len(headings)-1].name + "/" + path
	}
	if _, met := facts[path]; !met {
		facts[path] = strings.TrimSpace(value)
	}
	return headings
}

func detailReading(a *readings.Answer, facts map[string]string, bus string, origin readings.Origin, order int) train.GPUReading {
	r := train.GPUReading{
		GPU: train.GPU{
			Node: origin.Node, Index: strconv.Itoa(order), Bus: bus,
			Model: named(facts["Product Name"]), UUID: named(facts["GPU UUID"]),
		},
		Source: train.FromTool, At: origin.At,
	}
	for _, p := range detailPaths {
		for _, path := range p.paths {
			if !r.Values.Known(p.quantity) {
				note(a, &r, p.quantity, facts[path], 0)
			}
		}
	}
	setReasons(&r.Values, facts)
	sayLost(a, &r, maps.Values(facts))
	return r
}

// detailFact matches a line of nvidia-smi -q with a fact.
var detailFact = regexp.MustCompile(`^\s+\S.*?\s+: \S`)

// detailHeadings are headings of nvidia-smi -q below which its quantities are.
var detailHeadings = func() map[string]bool {
	headings := map[string]bool{"BAR1 Memory Usage": true, "ECC Errors": true, "Encoder Stats": true, "FBC Stats": true}
	for _, p := range detailPaths {
		for _, path := range p.paths {
			heading, _, _ := strings.Cut(path, "/")
			headings[heading] = true
		}
	}
	return headings
}()

// isSMIFacts recognises a part from the middle of nvidia-smi -q: nothing but indented
// facts, below at least two of its headings, or below one with a quantity that is
// there.
func isSMIFacts(lines []string) bool {
	headings, facts := 0, 0
	var above []detailHeading
	met := map[string]string{}
	for i, line := range lines {
		switch name := strings.TrimSpace(line); {
		case i > 0 && line == strings.TrimLeft(line, " \t") && !detailGPU.MatchString(line):
			return false
		case detailHeadings[name]:
			headings++
		case detailFact.MatchString(line):
			facts++
		}
		above = detailLine(line, above, met)
	}
	return (headings >= 2 || headings == 1 && slices.ContainsFunc(detailPaths, func(p detailPath) bool { return p.measured(met) })) && 2*facts > len(lines)
}

// measured reports whether a number with its unit is at one of the paths.
func (p detailPath) measured(facts map[string]string) bool {
	return slices.ContainsFunc(p.paths, func(path string) bool { return measuredFact.MatchString(facts[path]) })
}

var measuredFact = regexp.MustCompile(`^[\d.]+ (?:W|C|%|MiB|MHz)$`)

// smiDetails matches the title of nvidia-smi -q.
var smiDetails = regexp.MustCompile("(?m)^[`>*\\s]*=+NVSMI LOG=+")

func isSMIDetails(h *head) bool {
	return bytes.Contains(h.text, []byte("NVSMI LOG")) && smiDetails.Match(h.text)
}
