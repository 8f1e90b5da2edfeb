package metrics

import (
	"cmp"
	"iter"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/sources/metrics/tools"
	"github.com/traintop/traintop/train"
)

// generic reads the exporters that have no file of their own. The words of a metric's name
// give its quantity and its unit: gpu_temp_celsius, utilization_gpu, nvidia_power_usage. A
// name with an unknown word is left out: gpu_cache_usage_perc is no memory of a GPU.
var generic = exporter{
	source:  train.FromExporter,
	belongs: func(name string) bool { f := readings.ParseField(name); return f.GPU && describesGPU(f) },
	measure: func(name string) *measure { return measureOf(readings.ParseField(name), "") },
	device:  genericDevice,
}

// isGPUMetric reports whether a metric is one of GPUs by its name.
func isGPUMetric(name string) bool { return exporterOf(name) != nil || generic.belongs(name) }

// measureOf returns what a metric measures by the words of its name and, for a unit that the
// name does not give, of its description; nil for nothing that is read.
func measureOf(f readings.Field, help string) *measure {
	if f.Role != readings.Measured && f.Role != readings.FreeMemory && f.Role != readings.MemoryPair || f.Before > mostPrefix {
		return nil
	}
	unit := f.Unit
	if unit == readings.NoUnit {
		unit = unitInHelp(help)
	}
	switch {
	case f.Role == readings.MemoryPair:
		return nil
	case f.Role == readings.FreeMemory:
		return memoryMeasure(memoryFree, unit)
	}
	switch f.Quantity {
	case train.GPUTemperature:
		return &measure{quantity: train.GPUTemperature, zeroUnknown: true, greatest: true}
	case train.GPUMemoryTemp:
		return &measure{quantity: train.GPUMemoryTemp, zeroUnknown: true}
	case train.GPUPower, train.GPUPowerLimit:
		m := powerMeasure(f.Quantity, unit)
		if m != nil {
			m.ifUnknown, m.greatest = f.Averaged, true
		}
		return m
	case train.GPUUtilization:
		m := utilizationMeasure(unit)
		if m != nil {
			m.ifUnknown = f.Averaged
		}
		return m
	}
	return memoryMeasure(f.Quantity, unit)
}

// mostPrefix is how many unknown words an exporter may write before those of a GPU.
const mostPrefix = 2

var helpUnits = regexp.MustCompile(`(?i)\b(?:in|unit:?|units:?)\s+([A-Za-z%]+)|\(([A-Za-z%]+)\)|\b(percent|%|milliwatts?|mW|MiB|MB|KiB|KB|GiB|bytes|ratio|fraction)(?:\W|$)|\b(0(?:\.0)? ?(?:-|to|\.\.) ?1(?:\.0)?)\b`)

// unitInHelp returns the unit that a metric's description gives.
func unitInHelp(help string) readings.Unit {
	for _, found := range helpUnits.FindAllStringSubmatch(help, -1) {
		if found[4] != "" {
			return readings.Ratio
		}
		for _, word := range found[1:4] {
			if unit := readings.UnitOf(word); unit != readings.NoUnit {
				return unit
			}
		}
	}
	return readings.NoUnit
}

func powerMeasure(q train.Quantity, unit readings.Unit) *measure {
	switch unit {
	case readings.MilliWatts:
		return &measure{quantity: q, scale: milli, zeroUnknown: true}
	case readings.PlainUnit:
		return &measure{quantity: q, zeroUnknown: true}
	case readings.NoUnit:
		return &measure{quantity: q, zeroUnknown: true, orMilli: true}
	}
	return nil
}

func utilizationMeasure(unit readings.Unit) *measure {
	switch unit {
	case readings.Percent:
		return &measure{quantity: train.GPUUtilization}
	case readings.Ratio:
		return &measure{quantity: train.GPUUtilization, share: true}
	case readings.NoUnit:
		return &measure{quantity: train.GPUUtilization, unitless: true}
	}
	return nil
}

func memoryMeasure(q train.Quantity, unit readings.Unit) *measure {
	m := &measure{quantity: q, zeroUnknown: q == train.GPUMemoryTotal}
	switch unit {
	case readings.Bytes:
		m.scale = mib
	case readings.KiB:
		m.scale = 1.0 / (1 << 10)
	case readings.MiB:
	case readings.GiB:
		m.scale = 1 << 10
	case readings.NoUnit:
		m.scale, m.orMiB = mib, true
	default:
		return nil
	}
	return m
}

// mostWatts is more than any GPU draws, and less than one that idles draws in milliwatts.
const mostWatts = 2500

// numberedBoard matches the number of a GPU with a name before it: "TITAN X (Pascal)[0]",
// "gpu0", "cuda:0".
var numberedBoard = regexp.MustCompile(`^(?:(.+)\[(\d+)\]|(?i:gpu|card|cuda:|npu|xpu|device)[ _-]?(\d+))$`)

// genericDevice: a sample needs the number of a GPU or its UUID, and is of no process.
func genericDevice(t *tags) bool {
	if t.process != "" || t.foreign != "" {
		return false
	}
	if strings.HasPrefix(t.model, "GPU-") && !strings.HasPrefix(t.uuid, "GPU-") { // one in the other's place
		t.model, t.uuid = t.uuid, t.model
	}
	if t.model == "" && strings.Contains(t.card, " ") {
		t.model = t.card
	}
	if at := numberedBoard.FindStringSubmatch(t.index); at != nil {
		t.index = at[2] + at[3]
		if t.model == "" {
			t.model = at[1]
		}
	}
	if pciAddress.MatchString(t.index) {
		t.bus = t.index
		return !placeOfMemory(t.place)
	}
	if strings.Trim(t.index, "0123456789") != "" {
		if t.uuid == "" && strings.HasPrefix(t.index, "GPU-") {
			t.uuid = t.index
		}
		t.index = ""
	}
	if at := numberedBoard.FindStringSubmatch(t.model); at != nil && at[3] != "" && t.index == "" { // name="card0"
		t.index, t.model = at[3], ""
	}
	if t.index == "" && t.uuid == "" && pciAddress.MatchString(t.bus) { // nothing else is of this one alone
		t.index = t.bus
	}
	return (t.index != "" || t.uuid != "") && !placeOfMemory(t.place)
}

// numberBeforeName matches the number of a GPU with its name behind it.
var numberBeforeName = regexp.MustCompile(`^(\d{1,3})(?:-[A-Za-z].*)?$`)

var pciAddress = regexp.MustCompile(`^[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]$`)

// placeOfMemory reports whether a sensor is one of the memory.
func placeOfMemory(place string) bool {
	place = strings.ToLower(place)
	return strings.Contains(place, "mem") || strings.Contains(place, "vram") || strings.Contains(place, "hbm")
}

// describesGPU reports whether a name is of a quantity, or of something else that a GPU has.
func describesGPU(f readings.Field) bool {
	return f.Before <= mostPrefix && (f.Role == readings.Measured || f.Role == readings.FreeMemory || f.Beside)
}

// addGeneric adds a sample that no exporter has by its name.
func (c *collector) addGeneric(m *namedMetric, labels iter.Seq2[string, string], t *tags, value float64, at time.Time) (*exporter, *measure) {
	f, _ := m.field(labels)
	if !describesGPU(f) && !describesGPU(readings.ParseField(m.name)) {
		return nil, nil
	}
	named := false
	for label, value := range labels {
		named = t.setByWords(label, value) || named
	}
	if !f.GPU && t.board == "" && !named {
		return nil, nil
	}
	measured := m.byWords(labels)
	if !c.add(&generic, measured, m.name, t, value, at) {
		c.keepUnnumbered(m.name, f, measured, t, value, at)
		return nil, nil
	}
	return &generic, measured
}

// setByWords sets a field from a label by the words of its name, where no list has it. It
// reports whether the label shows that there is a GPU.
func (t *tags) setByWords(name, value string) bool {
	f := readings.ParseField(name)
	switch f.Role {
	case readings.IndexOf:
		const lastRank = 1
		if numberedBoard.MatchString(value) || value != "" && strings.Trim(value, "0123456789") == "" {
			t.offerIndex(lastRank, value)
		}
	case readings.ModelOf:
		if t.model == "" {
			t.model = value
		}
		return f.GPU || tools.NamesGPU(value)
	case readings.UUIDOf:
		t.uuid = cmp.Or(t.uuid, value)
	case readings.HostOf:
		if t.node == "" && t.host == "" {
			t.host = value
		}
	case readings.NoRole:
		if at := numberBeforeName.FindStringSubmatch(value); at != nil && f.GPU && !f.Beside { // gpu_nvidia="0-Tesla T4"
			t.offerIndex(1, at[1])
			return true
		}
	}
	return f.GPU && f.Role != readings.NoRole
}

// resolveUnitless decides what utilizations without a unit are: one above 1 makes all of
// them percentages, one between 0 and 1 shares of 1. A 1 among zeros may be either.
func (c *collector) resolveUnitless() {
	greatest, broken := 0.0, false
	for _, d := range c.unitless {
		value, _ := d.reading.Values.Get(train.GPUUtilization)
		greatest = max(greatest, value)
		broken = broken || value != math.Trunc(value)
	}
	if greatest > 1 {
		return
	}
	done := map[*device]bool{}
	for _, d := range c.unitless {
		value, _ := d.reading.Values.Get(train.GPUUtilization)
		switch {
		case done[d]:
		case broken:
			d.reading.Values.Set(train.GPUUtilization, value*percent)
		case value == 1:
			d.reading.Values.Forget(train.GPUUtilization)
		}
		done[d] = true
	}
}
