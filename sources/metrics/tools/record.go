package tools

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// record holds what named values show of one device: a row of a table, an object of JSON, the
// facts below a heading. Names are read by their words (readings.ParseField).
type record struct {
	answer   *readings.Answer
	reading  train.GPUReading
	line     int
	free     float64 // MiB, if hasFree
	hasFree  bool
	bareFree string // without a unit
	gpu      bool   // a name or a value has a word that only accelerators have
	ofGPU    bool   // its memory has such a word
	bare     []bareMemory
}

// bareMemory is an amount of memory without a unit.
type bareMemory struct {
	quantity train.Quantity
	text     string
}

func newRecord(a *readings.Answer, origin readings.Origin, line int) *record {
	return &record{answer: a, line: line, reading: train.GPUReading{GPU: train.GPU{Node: origin.Node}, Source: train.FromTool, At: origin.At}}
}

// gpuNames matches names of accelerators.
var gpuNames = regexp.MustCompile(`(?i)\b(?:nvidia|geforce|tesla|quadro|titan|[rg]tx|rtx\d*|[abhlvp]\d{1,3}0{1,2}|[alt]\d{1,2}s?|gb?[23]00|radeon|instinct|mi\d{2,3}[a-z]?|vega|navi|gaudi\d?|hl-?\d+\w*|arc|ponte|max 1\d\d0|ascend|9\d0[abc]\w*|310p?\d?|mlu\d+\S*|mtt|s\d{4}|mxc\d+|metax|bi-v\d+|mr-v\d+|iluvatar|enflame|kunlun|r[234]80?0|k\d00\w*|dcu|bw\d+|trainium\d*|inferentia\d*|tpu|v[23456][ep]?|orin|xavier|biren|br\d+)\b`)

// NamesGPU reports whether a text is the name of an accelerator.
func NamesGPU(text string) bool { return gpuNames.MatchString(text) }

const mostModel = 60

// deviceTag matches the number of a device, perhaps with a name behind it: "0", "GPU 3", "npu0",
// "[1] Tesla T4", "2: NVIDIA A10".
var deviceTag = regexp.MustCompile(`^\[?(?i:gpu|card|cuda|npu|xpu|dcu|mlu|gcu|hpu|tpu|ppu|device|dev|accel|accelerator|nvidia|chip)?[ _:#-]?(\d{1,4})\]?(?:[:) ,-]+ *(\D.*))?$`)

// add takes one value. It reports whether the name is one of a device's.
func (r *record) add(f readings.Field, text string) bool {
	text = strings.Trim(strings.TrimSpace(text), `"'*`+"`")
	if f.Role == readings.NoRole {
		return false
	}
	r.gpu = r.gpu || f.GPU
	if unknownText(text) {
		return true
	}
	g := &r.reading.GPU
	switch f.Role {
	case readings.IndexOf:
		r.number(text)
	case readings.ModelOf:
		r.model(text)
	case readings.UUIDOf:
		g.UUID = text
	case readings.BusOf:
		g.Bus = smiBus.FindString(text)
	case readings.HostOf:
		g.Host = text
	case readings.PodOf:
		g.Pod = text
	case readings.NamespaceOf:
		g.Namespace = text
	default:
		r.measure(f, text)
	}
	return true
}

func (r *record) number(text string) {
	g := &r.reading.GPU
	text = strings.TrimSuffix(text, ".0") // some programs keep all numbers so
	if found := deviceTag.FindStringSubmatch(text); found != nil {
		if g.Index == "" {
			g.Index = found[1]
		}
		if found[2] != "" {
			r.model(found[2])
		}
		r.gpu = r.gpu || strings.HasPrefix(strings.ToLower(text), "gpu")
		return
	}
	if strings.HasPrefix(text, "GPU-") {
		g.UUID = text
		return
	}
	if gpuNames.MatchString(text) {
		r.model(text)
	}
}

func (r *record) model(text string) {
	if g := &r.reading.GPU; g.Model == "" && len(text) <= mostModel {
		g.Model = strings.TrimRight(strings.TrimSpace(text), " :,|(")
		r.gpu = r.gpu || gpuNames.MatchString(g.Model)
	}
}

// amount matches a number with its unit, and what follows "/" or "of" or is in brackets.
var amount = regexp.MustCompile(`^~?(-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*(%|°\s?C|℃|[A-Za-z°]+)?(?:\s*(?:/|of|\()\s*(\d[\d,]*(?:\.\d+)?)\s*(%|[A-Za-z]+)?\s*\)?)?(?:\s*\(?[\d.]+\s?%\)?)?$`)

// besideValue matches what people write behind a value, and an amount in another unit.
var besideValue = regexp.MustCompile(`\s*(?:(?:<-|←|#|//).*|\([~≈][^()]*\))\s*$`)

// amountUnits are the spellings of units in values.
var amountUnits = map[string]readings.Unit{
	"%": readings.Percent, "b": readings.Bytes, "bytes": readings.Bytes, "k": readings.KiB, "ki": readings.KiB, "kib": readings.KiB, "kb": readings.KiB,
	"m": readings.MiB, "mi": readings.MiB, "mib": readings.MiB, "mb": readings.MiB, "g": readings.GiB, "gi": readings.GiB, "gib": readings.GiB, "gb": readings.GiB,
	"w": readings.PlainUnit, "watts": readings.PlainUnit, "watt": readings.PlainUnit, "mw": readings.MilliWatts,
	"c": readings.PlainUnit, "°c": readings.PlainUnit, "℃": readings.PlainUnit, "celsius": readings.PlainUnit, "° c": readings.PlainUnit, "°": readings.PlainUnit, "degc": readings.PlainUnit,
}

// unitWords are the words of units for note.
var unitWords = map[readings.Unit]string{
	readings.Bytes: "B", readings.KiB: "KiB", readings.MiB: "MiB", readings.GiB: "GiB", readings.MilliWatts: "mW",
}

func isMemoryUnit(u readings.Unit) bool { return u >= readings.Bytes && u <= readings.GiB }

// amountsOf returns the number of a value and of what is behind "/" or in brackets, with their
// units: the value's own, or that of its name.
func amountsOf(text string, ofName readings.Unit) (one string, first readings.Unit, two string, second readings.Unit, is bool) {
	found := amount.FindStringSubmatch(besideValue.ReplaceAllString(text, ""))
	if found == nil {
		return
	}
	first, isFirst := amountUnits[strings.ToLower(found[2])]
	second, isSecond := amountUnits[strings.ToLower(found[4])]
	first = cmp.Or(first, second, ofName)
	is = (isFirst || found[2] == "") && (isSecond || found[4] == "")
	return strings.ReplaceAll(found[1], ",", ""), first, strings.ReplaceAll(found[3], ",", ""), cmp.Or(second, first), is
}

// measure takes a measured value: a number, or one of what there is.
func (r *record) measure(f readings.Field, text string) {
	one, first, two, second, is := amountsOf(text, f.Unit)
	switch {
	case !is:
	case f.Role == readings.MemoryPair || f.Role == readings.Measured && (f.Quantity == train.GPUMemoryUsed || f.Quantity == train.GPUUtilization) && two != "":
		r.pair(&f, one, first, two, second)
	case f.Role == readings.FreeMemory:
		if value, ok := toolNumber(one + " " + unitWords[first]); ok && isMemoryUnit(first) {
			r.free, r.hasFree = value, true
		} else if first == readings.NoUnit {
			r.bareFree = one
		}
	case f.Quantity == train.GPUMemoryUsed, f.Quantity == train.GPUMemoryTotal:
		if first == readings.NoUnit || isMemoryUnit(first) {
			r.memory(f.Quantity, one, first)
		}
	case f.Quantity == train.GPUUtilization:
		r.utilization(one, first)
	case f.Quantity == train.GPUPower:
		r.set(train.GPUPower, one, first)
		if two != "" {
			r.set(train.GPUPowerLimit, two, second)
		}
	default:
		r.set(f.Quantity, one, first)
	}
}

// pair takes what is used of what there is. Of one amount the name shows which it is.
func (r *record) pair(f *readings.Field, one string, first readings.Unit, two string, second readings.Unit) {
	switch {
	case first != readings.NoUnit && !isMemoryUnit(first):
	case two != "":
		if f.GPU && !r.ofGPU { // HBM beside another memory
			r.reading.Values.Forget(train.GPUMemoryUsed)
			r.reading.Values.Forget(train.GPUMemoryTotal)
			r.bare = nil
		}
		r.ofGPU = r.ofGPU || f.GPU
		r.memory(train.GPUMemoryUsed, one, first)
		r.memory(train.GPUMemoryTotal, two, second)
	case f.Used && isMemoryUnit(first):
		r.memory(train.GPUMemoryUsed, one, first)
	}
}

// set takes a number of power or heat. Of several temperatures the greatest counts.
func (r *record) set(q train.Quantity, text string, unit readings.Unit) {
	if unit != readings.NoUnit && unit != readings.PlainUnit && (unit != readings.MilliWatts || q == train.GPUTemperature || q == train.GPUMemoryTemp) {
		return
	}
	before, known := r.reading.Values.Get(q)
	if known && q != train.GPUTemperature {
		return
	}
	note(r.answer, &r.reading, q, text+" "+unitWords[unit], r.line)
	if after, is := r.reading.Values.Get(q); known && is && after < before {
		r.reading.Values.Set(q, before)
	}
}

func (r *record) utilization(text string, unit readings.Unit) {
	value, ok := toolNumber(text)
	switch {
	case !ok || r.reading.Values.Known(train.GPUUtilization):
	case unit == readings.Ratio:
		r.reading.Values.Set(train.GPUUtilization, value*percent)
	case unit == readings.Percent, unit == readings.NoUnit && (value == 0 || value > 1):
		note(r.answer, &r.reading, train.GPUUtilization, text, r.line)
	}
}

func (r *record) memory(q train.Quantity, text string, unit readings.Unit) {
	switch {
	case unit == readings.NoUnit:
		r.bare = append(r.bare, bareMemory{q, text})
	case !r.reading.Values.Known(q):
		note(r.answer, &r.reading, q, text+" "+unitWords[unit], r.line)
	}
}

// Bounds between the units of amounts without one.
const (
	leastMiB   = 1 << 10 // of a whole GPU, and more GiB than any has
	leastBytes = 1 << 28 // of a whole GPU, and more MiB than any has
)

// end returns the reading, and whether it is one of a device.
func (r *record) end() (train.GPUReading, bool) {
	if unit := r.bareUnit(); unit != "" {
		for _, b := range r.bare {
			if !r.reading.Values.Known(b.quantity) {
				note(r.answer, &r.reading, b.quantity, b.text+unit, r.line)
			}
		}
		if value, ok := toolNumber(r.bareFree + unit); ok && !r.hasFree {
			r.free, r.hasFree = value, true
		}
	}
	v := &r.reading.Values
	used, isUsed := v.Get(train.GPUMemoryUsed)
	total, isTotal := v.Get(train.GPUMemoryTotal)
	switch {
	case r.hasFree && isUsed && !isTotal:
		v.Set(train.GPUMemoryTotal, used+r.free)
	case r.hasFree && isTotal && !isUsed:
		v.Set(train.GPUMemoryUsed, max(0, total-r.free))
	}
	return r.reading, r.isDevice()
}

// bareUnit returns the unit of the amounts without one, by the memory of the whole GPU: what is
// used and what is free where no name is of all.
func (r *record) bareUnit() string {
	total, used := 0.0, 0.0
	for _, b := range r.bare {
		if value, ok := toolNumber(b.text); ok && b.quantity == train.GPUMemoryTotal {
			total = max(total, value)
		} else if ok {
			used = max(used, value)
		}
	}
	if free, ok := toolNumber(r.bareFree); ok && total == 0 && len(r.bare) > 0 {
		total = used + free
	}
	switch {
	case total >= leastBytes:
		return " B"
	case total >= leastMiB:
		return " MiB"
	}
	return ""
}

// isDevice: it has a number or a name of its own, and measures of which not all are sizes.
func (r *record) isDevice() bool {
	g := &r.reading.GPU
	return measuredOf(&r.reading) >= 2 && r.gpu && (g.Index != "" || g.UUID != "" || g.Bus != "")
}

// measuredOf counts what is known of the work of a device. Its memory counts beside something
// else.
func measuredOf(r *train.GPUReading) int {
	n := 0
	for _, q := range []train.Quantity{train.GPUUtilization, train.GPUMemoryUsed, train.GPUTemperature, train.GPUPower} {
		if r.Values.Known(q) {
			n++
		}
	}
	if n > 0 && r.Values.Known(train.GPUMemoryTotal) {
		n++
	}
	return n
}

// completesRow reports whether a row measures nothing that an earlier one of the device does: it
// is below another heading.
func completesRow(before, now *train.Values) bool {
	for _, q := range []train.Quantity{train.GPUUtilization, train.GPUMemoryUsed, train.GPUTemperature, train.GPUPower} {
		if before.Known(q) && now.Known(q) {
			return false
		}
	}
	return true
}

// keepRecord adds a reading, or replaces an earlier one of the same device.
func keepRecord(a *readings.Answer, reading train.GPUReading) {
	for i := range a.Readings {
		b, g := &a.Readings[i].GPU, &reading.GPU
		if b.Index == g.Index && b.UUID == g.UUID && b.Bus == g.Bus && b.Host == g.Host && b.Pod == g.Pod {
			if completesRow(&a.Readings[i].Values, &reading.Values) {
				reading.Values.Fill(&a.Readings[i].Values)
				g.Model = cmp.Or(g.Model, b.Model)
			}
			a.Readings[i] = reading
			return
		}
	}
	if len(a.Readings) < maxRows {
		a.Readings = append(a.Readings, reading)
	}
}
