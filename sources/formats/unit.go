package formats

import "bytes"

// unit is the unit after a number.
type unit uint8

const (
	unitNone unit = iota
	unitPercent
	unitSeconds
	unitMillis
	unitMicros
	unitMinutes
	unitHours
	unitDays
	unitBytes       // any multiple of bytes
	unitCount       // K, M, B after a number: a rounded count
	unitItsSecond   // it/s, steps/s
	unitSecondsIt   // s/it, sec/batch
	unitMillisIt    // ms/step
	unitSamplesRate // samples/s, images/sec
	unitTokensRate
	unitWordsRate
	unitTFLOPS
	unitRate  // "/s" of something unknown
	unitWords // a word for what was counted: steps, samples
)

var units = map[string]unit{
	"%": unitPercent,
	"s": unitSeconds, "sec": unitSeconds, "secs": unitSeconds, "seconds": unitSeconds, "second": unitSeconds,
	"ms": unitMillis, "msec": unitMillis, "us": unitMicros, "µs": unitMicros, "ns": unitMicros,
	"min": unitMinutes, "mins": unitMinutes, "minutes": unitMinutes, "m": unitMinutes,
	"h": unitHours, "hr": unitHours, "hrs": unitHours, "hours": unitHours, "d": unitDays, "days": unitDays,
	"B": unitBytes, "kB": unitBytes, "KB": unitBytes, "KiB": unitBytes, "MB": unitBytes, "MiB": unitBytes, "Mb": unitBytes, "mb": unitBytes,
	"GB": unitBytes, "GiB": unitBytes, "Gb": unitBytes, "gb": unitBytes, "TB": unitBytes, "TiB": unitBytes, "G": unitBytes, "Gi": unitBytes, "Mi": unitBytes,
	"K": unitCount, "k": unitCount, "M": unitCount, "T": unitCount,
	"it/s": unitItsSecond, "its/s": unitItsSecond, "it/sec": unitItsSecond, "iter/s": unitItsSecond, "iters/s": unitItsSecond, "iter/sec": unitItsSecond, "iters/sec": unitItsSecond,
	"step/s": unitItsSecond, "steps/s": unitItsSecond, "step/sec": unitItsSecond, "steps/sec": unitItsSecond, "batch/s": unitItsSecond, "batches/s": unitItsSecond, "batch/sec": unitItsSecond, "batches/sec": unitItsSecond,
	"s/it": unitSecondsIt, "s/iter": unitSecondsIt, "s/step": unitSecondsIt, "s/batch": unitSecondsIt, "sec/batch": unitSecondsIt, "sec/step": unitSecondsIt, "sec/it": unitSecondsIt, "sec/iter": unitSecondsIt, "secs/batch": unitSecondsIt, "seconds/step": unitSecondsIt,
	"ms/step": unitMillisIt, "ms/it": unitMillisIt, "ms/batch": unitMillisIt, "ms/iter": unitMillisIt, "us/step": unitMillisIt, "µs/step": unitMillisIt,
	"samples/s": unitSamplesRate, "samples/sec": unitSamplesRate, "sample/s": unitSamplesRate, "sample/sec": unitSamplesRate, "examples/sec": unitSamplesRate, "Examples/sec": unitSamplesRate, "examples/s": unitSamplesRate,
	"images/sec": unitSamplesRate, "images/s": unitSamplesRate, "img/s": unitSamplesRate, "img/sec": unitSamplesRate, "imgs/s": unitSamplesRate, "imgs/sec": unitSamplesRate, "seq/s": unitSamplesRate, "sequences/s": unitSamplesRate, "sequences/sec": unitSamplesRate, "sents/s": unitSamplesRate, "samples/second": unitSamplesRate, "images/second": unitSamplesRate, "examples/second": unitSamplesRate, "ex/s": unitSamplesRate, "records/s": unitSamplesRate, "records/sec": unitSamplesRate, "records/second": unitSamplesRate,
	"tok/s": unitTokensRate, "tok/sec": unitTokensRate, "tokens/s": unitTokensRate, "tokens/sec": unitTokensRate, "toks/s": unitTokensRate, "tokens/second": unitTokensRate, "tokens/s/device": unitTokensRate, "tokens/s/gpu": unitTokensRate,
	"nats": unitWords, "bits": unitWords, "dB": unitWords,
	"words/s": unitWordsRate, "words/sec": unitWordsRate, "wps": unitWordsRate,
	"TFLOP/s": unitTFLOPS, "TFLOPs/s": unitTFLOPS, "TFLOP/s/GPU": unitTFLOPS, "TFLOPs/s/GPU": unitTFLOPS, "TFLOPs/GPU": unitTFLOPS, "TFLOPS/GPU": unitTFLOPS, "TFLOP/s/device": unitTFLOPS,
	"/s": unitRate, "/sec": unitRate, "/s/gpu": unitRate, "/s/device": unitRate,
}

// spacedUnit reports whether a unit may follow a space.
func spacedUnit(u unit) bool {
	return u != unitNone && u != unitCount && u != unitPercent && u != unitDays
}

// readUnit parses the unit after a number, with at most one space between them. A single
// letter after a space is usually the name of something else, except seconds.
func readUnit(text []byte, at int) (unit, int) {
	if at >= len(text) {
		return unitNone, at
	}
	if u, end := unitAt(text, at); u != unitNone {
		return u, end
	}
	if text[at] != ' ' {
		return unitNone, at
	}
	u, end := unitAt(text, at+1)
	if !spacedUnit(u) || end-at == 2 && text[at+1] != 's' || end < len(text) && (text[end] == ':' || text[end] == '=') {
		return unitNone, at
	}
	return u, end
}

// namesCount reports whether a name is that of a count of steps or data.
func namesCount(name []byte) bool {
	for _, word := range [...]string{"step", "iter", "token", "sample", "example", "sequence", "frame"} {
		if containsFold(name, word) {
			return true
		}
	}
	return false
}

// countsMany reports whether a name is that of a count of steps or data, or of a rate of them.
func countsMany(name []byte) bool {
	return !namesSize(name) && (namesCount(name) || namesRate(name))
}

// namesRate reports whether a name is that of a rate.
func namesRate(name []byte) bool {
	return containsFold(name, "/s") || containsFold(name, "per_s") || containsFold(name, "per s") || containsFold(name, "throughput")
}

// namesSize reports whether a name is that of memory, a file or a temperature, whose K
// and M are parts of a unit.
func namesSize(name []byte) bool {
	for _, word := range [...]string{"mem", "ram", "byte", "size", "disk", "cache", "swap", "alloc", "reserved", "heap", "rss", "gpu", "temp"} {
		if containsFold(name, word) {
			return true
		}
	}
	return false
}

// ofRate reports whether a unit is of a rate: so many in a second, or how long one takes.
func (u unit) ofRate() bool { return u >= unitItsSecond && u <= unitRate }

// scaledRate parses the letter of a multiple and the unit of a rate behind a number: "12.3 K
// tokens/s", "1.2kit/s", "12.3K tok/s". scale is 0 where they are not there.
func scaledRate(text []byte, at int) (scale float64, u unit, end int) {
	i := at
	if i < len(text) && text[i] == ' ' {
		i++
	}
	if i+1 >= len(text) || !isCountLetter(text[i]) {
		return 0, unitNone, at
	}
	i++
	scale = countScale(text, i)
	if text[i] == ' ' {
		i++
	}
	if u, end = unitAt(text, i); !u.ofRate() || u == unitRate || u == unitSecondsIt || u == unitMillisIt {
		return 0, unitNone, at
	}
	return scale, u, end
}

// spacedScale returns by how much a rounded count of a name is multiplied whose letter follows a
// blank: "tokens/s: 2.2 M". In front of a number or a separator the letter is a name, in front of
// a word it is one unless a rate is read. It is 0 without one.
func spacedScale(text []byte, at int, name []byte) (scale float64, end int) {
	if at+1 >= len(text) || text[at] != ' ' || !isCountLetter(text[at+1]) || !countsMany(name) {
		return 0, at
	}
	end = at + 2
	next := skipBlanks(text, end)
	switch {
	case next == len(text), bytes.IndexByte([]byte(",|;)]"), text[next]) >= 0:
	case next == end || !isLetter(text[next]) || !namesRate(name):
		return 0, at
	}
	return countScale(text, end), end
}

// isCountLetter reports whether a byte is the letter of a rounded count.
func isCountLetter(c byte) bool { return c == 'K' || c == 'k' || c == 'M' }

// countScale returns by how much a rounded count is multiplied whose letter
// ends at end: 1.2M is 1,200,000.
func countScale(text []byte, end int) float64 {
	switch text[end-1] {
	case 'K', 'k':
		return 1e3
	case 'M':
		return 1e6
	}
	return 1e12 // T
}

func unitAt(text []byte, at int) (unit, int) {
	end := at
	for end < len(text) && end-at < 16 && (isLetter(text[end]) || text[end] == '/' || text[end] == '%' || text[end] == 0xC2 || text[end] == 0xB5) {
		end++
	}
	if end == at {
		return unitNone, at
	}
	if text[at] == '%' {
		return unitPercent, at + 1
	}
	if end < len(text) && (isWordByte(text[end]) || text[end] == '-') {
		return unitNone, at
	}
	word := bytes.TrimRight(text[at:end], "/")
	return units[string(word)], at + len(word)
}
