package readings

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/traintop/traintop/train"
)

// Role is the part that a named value has among those of a device.
type Role uint8

// The roles of values.
const (
	NoRole Role = iota
	Measured
	FreeMemory
	MemoryPair // used and total in one value: "12 / 80 GiB"
	IndexOf
	ModelOf
	UUIDOf
	BusOf
	HostOf
	PodOf
	NamespaceOf
)

// Field is what the words of a name show of its value, whoever chose the name: of a metric, a
// column, a key of JSON, a fact. Tools and exporters that have no reader of their own are read
// by it.
type Field struct {
	Role     Role
	Quantity train.Quantity // of a measured one
	Unit     Unit
	// GPU: the name has a word that only accelerators have.
	GPU bool
	// Beside: something that GPUs have and that is not read, such as a clock.
	Beside bool
	// Used: a pair is of what is used, if it is one amount.
	Used bool
	// Averaged: over some time, so that a number of now is preferred.
	Averaged bool
	// Before counts the unknown words at the beginning of the name.
	Before int
}

// Unit is the unit that a name gives.
type Unit uint8

// The units of names.
const (
	NoUnit Unit = iota
	Bytes
	KiB
	MiB
	GiB
	Percent
	Ratio
	MilliWatts
	PlainUnit  // that needs no conversion: watts, degrees
	wrongUnits // several of them
)

type words uint32

const (
	wordGPU   words = 1 << iota
	wordTrait       // of a GPU, and no name of one
	wordDevice
	wordNumber
	wordMemory
	wordUsed
	wordTotal
	wordFree
	wordTemperature
	wordPower
	wordDrawn
	wordUse
	wordLimit
	wordName
	wordUUID
	wordBus
	wordHost
	wordPod
	wordSpace
	wordBeside
	wordNeutral
	wordAverage
	wordForeign // of a machine or a program
	wordProgram
	wordInfo
)

var wordClasses = map[words]string{
	wordGPU:         "gpu gpus npu xpu dcu hcu mlu gcu tpu hpu ppu vpu accelerator accelerators cuda neuroncore",
	wordDevice:      "device dev devices card board chip core die asic soc accel smi hl mx mt ix",
	wordNumber:      "id idx index no num nr number minor ordinal #",
	wordMemory:      "memory mem",
	wordInfo:        "info",
	wordUsed:        "used occupied inuse",
	wordTotal:       "total size capacity tot",
	wordFree:        "free available avail remaining",
	wordTemperature: "temperature temperatures temp temps tmp",
	wordPower:       "power pwr",
	wordDrawn:       "draw drawn consumption consumed",
	wordUse:         "utilization utilisation util utils utl uti usage use usg busy load activity duty cycle dutycycle rate utilizationrate",
	wordLimit:       "limit max maximum cap threshold min minimum slowdown shutdown critical target default enforced requested",
	wordName:        "name model product series",
	wordUUID:        "uuid",
	wordBus:         "bus bdf pci pcie busid address addr",
	wordHost:        "node host hostname nodename machine",
	wordPod:         "pod",
	wordSpace:       "namespace ns",
	wordBeside: "fan fanspeed speed rpm clock clocks clk mhz encoder decoder encode decode enc dec freq frequency perf pstate " +
		"copy video media jpeg ofa vcn umc mm codec vpue vpud blitter ambient inlet outlet",
	wordAverage: "avg average mean",
	wordNeutral: "current cur now instant instantaneous realtime real time value edge junction hotspot hot spot socket package pkg physical dedicated volatile " +
		"readings reading metrics metric primary hw sensor",
	wordForeign: "system sys",
	wordProgram: "cpu disk process proc pid cache kv request requests swap job user queue count errors error seconds version throttle container",
}

// bothClasses are words that have two meanings at once.
var bothClasses = map[words]string{
	wordGPU | wordTrait | wordMemory: "vram fb framebuffer hbm gddr gram",
	wordGPU | wordTrait: "nvidia nvml nvsmi amd rocm radeon gaudi habana habanalabs ascend davinci aicore tensorcore neuron gfx graphics " +
		"mthreads musa metax iluvatar cambricon enflame kunlun kunlunxin hygon biren jetson tegra sm",
}

var unitClasses = map[Unit]string{
	Bytes: "bytes byte b", KiB: "kb kib", MiB: "mb mib megabytes mebibytes", GiB: "gb gib gigabytes gibibytes", Percent: "percent percentage pct perc %",
	Ratio: "ratio fraction", MilliWatts: "milliwatts milliwatt mw", PlainUnit: "celsius watts watt w c degc degree degrees deg",
}

// knownWords are the words by their spelling, knownUnits those of units.
var (
	knownWords = func() map[string]words {
		known := spelled(wordClasses)
		maps.Copy(known, spelled(bothClasses))
		return known
	}()
	knownUnits = spelled(unitClasses)
)

// spelled returns what each word of a list means.
func spelled[T comparable](classes map[T]string) map[string]T {
	known := map[string]T{}
	for class, all := range classes {
		for word := range strings.FieldsSeq(all) {
			known[word] = class
		}
	}
	return known
}

const (
	mostNameWords = 10 // of a name
	mostNameBytes = 80
)

// ParseField returns what the words of a name show. A name with an unknown word behind a known
// one shows nothing: gpu_fragmentation_bytes is no memory that is used.
func ParseField(name string) Field {
	p, known := parseWords(name)
	if !known {
		return Field{}
	}
	return p.field()
}

// ParseQualified returns what the words of a name show, if those of a qualifier belong to it: a
// label with the state, the sensor or the engine that is measured. known is false for a qualifier
// with an unknown word. Its own used, free and total count: memory_usage of what is free.
func ParseQualified(name, qualifier string) (f Field, known bool) {
	p, isName := parseWords(name)
	q, isQualifier := parseWords(qualifier)
	if !isName || !isQualifier || q.before > 0 || q.all == 0 {
		return Field{}, false
	}
	const states = wordUsed | wordTotal | wordFree
	if q.all&states != 0 {
		p.all &^= states | wordUse
	}
	p.all = p.all&^wordInfo | q.all
	if q.unit != NoUnit && p.unit == NoUnit {
		p.unit = q.unit
	}
	return p.field(), true
}

// parsedName is the words of a name.
type parsedName struct {
	all    words
	unit   Unit
	before int
}

// parseWords reports false for a name with an unknown word behind a known one.
func parseWords(name string) (p parsedName, known bool) {
	if len(name) > mostNameBytes {
		return p, false
	}
	parts := splitName(name)
	if len(parts) == 0 || len(parts) > mostNameWords {
		return p, false
	}
	for _, part := range parts {
		class, unit, known := classOf(part)
		switch {
		case !known && p.all == 0 && p.unit == NoUnit:
			p.before++
		case !known:
			return p, false
		case unit == NoUnit:
			p.all |= class
		case p.unit == NoUnit || p.unit == unit || p.unit == PlainUnit && unit == MilliWatts:
			p.unit = unit
		default:
			p.unit = wrongUnits
		}
	}
	return p, true
}

// field decides what the words show.
func (p *parsedName) field() Field {
	f, all := Field{Unit: p.unit, Before: p.before}, p.all
	f.GPU = all&wordGPU != 0
	f.Beside, f.Averaged = all&(wordBeside|wordInfo) != 0, all&wordAverage != 0
	if f.Unit == wrongUnits || all&wordProgram != 0 || all&wordForeign != 0 && !f.GPU {
		return Field{GPU: f.GPU}
	}
	if f.GPU {
		all &^= wordHost // node_gpu_temp
	}
	f.decide(all &^ (wordNeutral | wordAverage | wordForeign))
	return f
}

// classOf returns the class of a word. One that was written together is parted: memused.
func classOf(word string) (class words, unit Unit, known bool) {
	if class, known = knownWords[word]; known {
		return class, NoUnit, true
	}
	if unit, known = knownUnits[word]; known {
		return 0, unit, true
	}
	const shortest = 2
	for end := len(word) - shortest; end >= shortest; end-- {
		first, begins := knownWords[word[:end]]
		if !begins {
			continue
		}
		if rest, is := knownWords[word[end:]]; is {
			return first | rest, NoUnit, true
		}
		if rest, _, is := classOf(word[end:]); is && rest != 0 && len(word) < mostNameBytes/2 {
			return first | rest, NoUnit, true
		}
	}
	return 0, NoUnit, false
}

// splitName splits a name at signs and where a capital begins a word: gpuMemoryUsed, GPU-Util.
func splitName(name string) []string {
	var parts []string
	var part []rune
	end := func() {
		if len(part) > 0 {
			parts = append(parts, strings.ToLower(string(part)))
			part = part[:0]
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case r == '%' || r == '#':
			end()
			parts = append(parts, string(r))
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
		default:
			if i > 0 && len(part) > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1]) && !isPluralOrUnit(runes, i)) {
				end()
			}
			part = append(part, r)
		}
	}
	end()
	return joinParted(parts)
}

// joinParted joins what a capital parted and what is one word: MiB, AICore.
func joinParted(parts []string) []string {
	for i := 0; i+1 < len(parts); i++ {
		if _, _, known := classOf(parts[i]); known {
			continue
		}
		joined := parts[i] + parts[i+1]
		if _, unit := knownUnits[joined]; unit || knownWords[joined] != 0 {
			parts = slices.Replace(parts, i, i+2, joined)
		}
	}
	return parts
}

// isPluralOrUnit: the last two letters of MiB and the s of GPUs begin no word.
func isPluralOrUnit(runes []rune, at int) bool {
	rest := 0
	for _, r := range runes[at:] {
		if !unicode.IsLetter(r) {
			break
		}
		rest++
	}
	return rest < 3
}

// decide sets the role from the words that matter.
func (f *Field) decide(all words) {
	switch core := all &^ (wordGPU | wordTrait | wordDevice); {
	case core == wordMemory|wordTemperature:
		f.measure(train.GPUMemoryTemp)
	case core == wordTemperature:
		f.measure(train.GPUTemperature)
	case core == wordPower, core == wordPower|wordUse, core == wordPower|wordDrawn, core == wordPower|wordUsed, core == wordPower|wordTotal, core == wordPower|wordDrawn|wordTotal:
		f.measure(train.GPUPower)
	case core == wordPower|wordLimit, core == wordPower|wordLimit|wordDrawn:
		f.measure(train.GPUPowerLimit)
	case core == wordUse, core == 0 && f.GPU && f.Unit == Percent:
		f.measure(train.GPUUtilization)
	case core == wordMemory|wordUsed, core == wordMemory|wordUsed|wordUse:
		f.measure(train.GPUMemoryUsed)
	case core == wordMemory|wordUse && f.isMemoryUnit():
		f.measure(train.GPUMemoryUsed)
	case core == wordMemory|wordTotal, core == wordMemory|wordLimit && f.GPU:
		f.measure(train.GPUMemoryTotal)
	case core == wordMemory|wordFree:
		f.Role = FreeMemory
	case core == wordMemory|wordUse && f.Unit == NoUnit, core == wordMemory && f.Unit != Percent, core == wordMemory|wordUsed|wordTotal, core == wordMemory|wordUse|wordTotal:
		f.Role, f.Used = MemoryPair, core&(wordUse|wordUsed) != 0
	case f.Unit != NoUnit:
	case core == wordNumber, core == 0 && all != 0 && all&wordTrait == 0:
		f.Role = IndexOf
	case core == wordName:
		f.Role = ModelOf
	case core == wordUUID, core == wordUUID|wordNumber:
		f.Role = UUIDOf
	case core == wordBus, core == wordBus|wordNumber:
		f.Role = BusOf
	case core == wordHost, core == wordHost|wordName:
		f.Role = HostOf
	case core == wordPod, core == wordPod|wordName:
		f.Role = PodOf
	case core == wordSpace:
		f.Role = NamespaceOf
	}
}

func (f *Field) isMemoryUnit() bool { return f.Unit >= Bytes && f.Unit <= GiB }

// measure sets the quantity, unless the unit is of another.
func (f *Field) measure(q train.Quantity) {
	fits := f.Unit == NoUnit
	switch q {
	case train.GPUMemoryUsed, train.GPUMemoryTotal:
		fits = fits || f.isMemoryUnit()
	case train.GPUUtilization:
		fits = fits || f.Unit == Percent || f.Unit == Ratio
	case train.GPUPower, train.GPUPowerLimit:
		fits = fits || f.Unit == MilliWatts || f.Unit == PlainUnit
	default:
		fits = fits || f.Unit == PlainUnit
	}
	if fits {
		f.Role, f.Quantity = Measured, q
	}
}

// UnitOf returns the unit that a word is, NoUnit for another word.
func UnitOf(word string) Unit { return knownUnits[strings.ToLower(word)] }
