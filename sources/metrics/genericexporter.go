package metrics

import (
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// generic reads the exporters that have no file of their own. The words of a metric's name
// give its quantity and its unit: gpu_temp_celsius, utilization_gpu, nvidia_power_usage. A
// name with an unknown word is left out: gpu_cache_usage_perc is no memory of a GPU.
var generic = exporter{
	source:  train.FromExporter,
	belongs: func(name string) bool { words := parseName(name); return words&wordGPU != 0 && describesGPU(words) },
	measure: func(name string) *measure { return measureOfWords(parseName(name)) },
	device:  genericDevice,
}

// isGPUMetric reports whether a metric is one of GPUs by its name.
func isGPUMetric(name string) bool { return exporterOf(name) != nil || generic.belongs(name) }

// nameWords are the words of a name.
type nameWords uint32

const (
	wordGPU nameWords = 1 << iota
	wordMemory
	wordUsed
	wordTotal
	wordFree
	wordTemperature
	wordPower
	wordDrawn
	wordUse
	wordBeside // of something that is not read
	wordBytes
	wordKiB
	wordMiB
	wordGiB
	wordPercent
	wordRatio
	wordMilli
	wordUnit // that needs no conversion

	wordUnits = wordBytes | wordKiB | wordMiB | wordGiB | wordPercent | wordRatio | wordMilli | wordUnit
)

var knownWords = func() map[string]nameWords {
	known := map[string]nameWords{}
	for words, all := range map[nameWords]string{
		wordGPU:         "gpu gpus nvidia nvml amd rocm npu xpu dcu accelerator",
		wordMemory:      "memory mem vram framebuffer fb",
		wordUsed:        "used",
		wordTotal:       "total size capacity",
		wordFree:        "free available",
		wordTemperature: "temperature temperatures temp",
		wordPower:       "power",
		wordDrawn:       "draw consumption",
		wordUse:         "utilization utilisation util usage busy",
		wordBeside:      "fan fanspeed speed rpm clock clocks mhz info encoder decoder encode decode enc dec limit",
		wordBytes:       "bytes",
		wordKiB:         "kb kib",
		wordMiB:         "mb mib megabytes",
		wordGiB:         "gb gib gigabytes",
		wordPercent:     "percent percentage pct",
		wordRatio:       "ratio",
		wordMilli:       "milliwatts milliwatt mw",
		wordUnit:        "celsius watts watt",
	} {
		for word := range strings.FieldsSeq(all) {
			known[word] = words
		}
	}
	return known
}()

// mostNameWords bounds the words of a name that are looked at.
const mostNameWords = 8

// parseName returns the words of a name, 0 for a name with any other word.
func parseName(name string) nameWords {
	if strings.Count(name, "_") >= mostNameWords {
		return 0
	}
	var words nameWords
	for word := range strings.SplitSeq(strings.ToLower(name), "_") {
		meaning := knownWords[word]
		if meaning == 0 {
			return 0
		}
		words |= meaning
	}
	return words
}

// describesGPU reports whether words are of a quantity, or of something else that a GPU has.
func describesGPU(words nameWords) bool { return measureOfWords(words) != nil || words&wordBeside != 0 }

// measureOfWords returns what the words of a name measure, nil for nothing that is read.
func measureOfWords(words nameWords) *measure {
	units := words & wordUnits
	if units&(units-1) != 0 { // two units
		return nil
	}
	switch words &^ (wordGPU | wordUnits) {
	case wordTemperature:
		return &measure{quantity: train.GPUTemperature, zeroUnknown: true, greatest: true}
	case wordMemory | wordTemperature:
		return &measure{quantity: train.GPUMemoryTemp, zeroUnknown: true}
	case wordPower, wordPower | wordUse, wordPower | wordDrawn, wordPower | wordUsed:
		return powerMeasure(units)
	case wordUse:
		return utilizationMeasure(units)
	case wordMemory | wordUsed:
		return memoryMeasure(train.GPUMemoryUsed, units)
	case wordMemory | wordUse:
		if units != 0 { // it does not state of what
			return memoryMeasure(train.GPUMemoryUsed, units)
		}
	case wordMemory | wordTotal:
		return memoryMeasure(train.GPUMemoryTotal, units)
	case wordMemory | wordFree:
		return memoryMeasure(memoryFree, units)
	}
	return nil
}

func powerMeasure(units nameWords) *measure {
	switch units {
	case wordMilli:
		return &measure{quantity: train.GPUPower, scale: milli, zeroUnknown: true}
	case wordUnit:
		return &measure{quantity: train.GPUPower, zeroUnknown: true}
	case 0:
		return &measure{quantity: train.GPUPower, zeroUnknown: true, orMilli: true}
	}
	return nil
}

func utilizationMeasure(units nameWords) *measure {
	switch units {
	case wordPercent:
		return &measure{quantity: train.GPUUtilization}
	case wordRatio, 0:
		return &measure{quantity: train.GPUUtilization, unitless: true}
	}
	return nil
}

func memoryMeasure(q train.Quantity, units nameWords) *measure {
	m := &measure{quantity: q, zeroUnknown: q == train.GPUMemoryTotal}
	switch units {
	case wordBytes:
		m.scale = mib
	case wordKiB:
		m.scale = 1.0 / (1 << 10)
	case wordMiB:
	case wordGiB:
		m.scale = 1 << 10
	case 0:
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
	if strings.Trim(t.index, "0123456789") != "" {
		if t.uuid == "" && strings.HasPrefix(t.index, "GPU-") {
			t.uuid = t.index
		}
		t.index = ""
	}
	return t.index != "" || t.uuid != ""
}

// addGeneric adds a sample that no exporter has by its name.
func (c *collector) addGeneric(name string, t *tags, value float64, at time.Time) {
	if words := parseName(name); describesGPU(words) && (words&wordGPU != 0 || t.board != "") {
		c.add(&generic, measureOfWords(words), name, t, value, at)
	}
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
