package tools

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

const (
	mib     = 1.0 / (1 << 20) // bytes to MiB
	milli   = 1e-3
	percent = 100 // of a share of 1
)

// units convert what tools write after a number to the unit of the quantity: MiB, W,
// MHz, °C, %. AMD's tools write MB and GB and mean powers of two (amd-smi 24 and 25
// give 196608 MB for 192 GiB).
var units = map[string]float64{
	"": 1, "%": 1, "mib": 1, "mb": 1, "gib": 1 << 10, "gb": 1 << 10, "tib": 1 << 20, "kib": 1.0 / (1 << 10), "kb": 1.0 / (1 << 10), "b": mib, "bytes": mib,
	"w": 1, "watts": 1, "mw": milli, "uw": 1e-6, "mhz": 1, "ghz": 1e3, "c": 1, "°c": 1, "celsius": 1, "j": 1, "mj": milli,
}

// toolNumber reads "81559 MiB", "97 %", "631.95 W", "0x0000000000000004", "Yes" and
// "Not Active". ok is false for every spelling of unknown: N/A, [Not Supported],
// [Unknown Error], ERR!, -, nothing.
func toolNumber(text string) (value float64, ok bool) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(text) {
	case "yes", "active", "enabled":
		return 1, true
	case "no", "not active", "disabled":
		return 0, true
	}
	if bits, found := strings.CutPrefix(text, "0x"); found {
		whole, err := strconv.ParseUint(bits, 16, 64)
		return float64(whole), err == nil
	}
	digits := 0
	for digits < len(text) && strings.IndexByte("+-.0123456789", text[digits]) >= 0 {
		digits++
	}
	value, err := strconv.ParseFloat(text[:digits], 64)
	scale, known := units[strings.ToLower(strings.TrimSpace(text[digits:]))]
	return value * scale, err == nil && known
}

// unknownText reports whether a tool wrote that a value is unknown.
func unknownText(text string) bool {
	text = strings.TrimSpace(text)
	switch strings.ToLower(strings.Trim(text, "[]<>")) {
	case "", "-", "null", "n/a", "na", "none", "err!", "err", "unknown", "unknown error", "not supported", "not available", "insufficient permissions", "gpu is lost":
		return true
	}
	return strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]")
}

// named returns a text that names something, "" for texts that mean unknown.
func named(text string) string {
	if unknownText(text) {
		return ""
	}
	return strings.TrimSpace(text)
}

// note sets a quantity of a reading from a tool's text.
func note(a *readings.Answer, r *train.GPUReading, q train.Quantity, text string, line int) {
	value, ok := toolNumber(text)
	switch {
	case !ok:
	case !readings.Plausible(q, value):
		a.AddProblem(line, "%q cannot be the %s of a GPU; left out", readings.OneLine(text), cmp.Or(quantityWords[q], "number"))
	default:
		r.Values.Set(q, value)
	}
}

// quantityWords name quantities in messages.
var quantityWords = map[train.Quantity]string{
	train.GPUUtilization: "use", train.GPUMemoryUsed: "memory", train.GPUMemoryTotal: "memory",
	train.GPUTemperature: "temperature", train.GPUPower: "power", train.GPUPowerLimit: "power limit",
	train.GPUSMClock: "clock", train.GPUMemoryCopy: "memory activity", train.GPUMemoryTemp: "memory temperature",
}
