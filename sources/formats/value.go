package formats

import (
	"bytes"
	"math"
	"strconv"
	"unsafe"
)

// value is a number in a log.
type value struct {
	number float64
	// of is the N of n/N; zero if there is none or it is unknown.
	of       float64
	fraction bool // it was printed as n/N or "n of N"
	clock    bool // it was printed as H:MM:SS or with days; number is in seconds
	unit     unit
	several  bool // it is a duration in several units; number is in seconds
}

// readValue parses the number that begins at text[at]. It rejects texts that only begin
// like a number: versions, dates, addresses, hexadecimal words.
func readValue(text []byte, at int) (v value, end int, ok bool) {
	if number, end, ok := readWordNumber(text, at); ok {
		return value{number: number}, end, true
	}
	v.number, end, ok = readFloat(text, at)
	if !ok {
		return v, end, false
	}
	if end+2 < len(text) && text[end] == ':' && isDigit(text[end+1]) && isDigit(text[end+2]) {
		return readClock(text, at)
	}
	if scale := fractionScale(text, end, '/'); scale > 0 && isDigit(text[min(end+2, len(text)-1)]) { // "59K/100K"
		v.number *= scale
		end++
	}
	if of, after, ok := readOf(text, end); ok {
		v.of, v.fraction, end = of, true, after
		if scale := fractionScale(text, end, 0); scale > 0 {
			v.of *= scale
			end++
		}
	} else if after, ok := threeCounters(text, end, v.number); ok {
		end = after
	}
	if scale, u, after := scaledRate(text, end); scale > 0 && !v.fraction {
		v.number *= scale
		v.unit, end = u, after
		return v, end, true
	}
	if seconds, after := severalUnits(text, end, v.number); after > end && !v.fraction {
		v.number, v.unit, v.several = seconds, unitSeconds, true
		return v, after, true
	}
	v.unit, end = readUnit(text, end)
	if !endsNumber(text, end) {
		return v, end, false
	}
	return v, end, true
}

// fractionScale returns by how much a part of n/N is multiplied whose letter is at a
// place, with the next byte given, 0 for the end of a word; 0 where none is.
func fractionScale(text []byte, at int, next byte) float64 {
	if at >= len(text) || !isCountLetter(text[at]) {
		return 0
	}
	ends := at+1 == len(text) || !isWordByte(text[at+1]) && text[at+1] != '/'
	if next == 0 && !ends || next != 0 && (at+1 == len(text) || text[at+1] != next) {
		return 0
	}
	return countScale(text, at+1)
}

// threeCounters skips the second and third of "2600/2600/2741", which Tesseract
// prints: its first one counts learning iterations, and each is at least the one
// before. 05/07/2024 is a date.
func threeCounters(text []byte, at int, first float64) (end int, ok bool) {
	var counters [2]float64
	for i := range counters {
		if at+1 >= len(text) || text[at] != '/' || !isDigit(text[at+1]) {
			return at, false
		}
		counters[i], at, _ = readFloat(text, at+1)
	}
	second, third := counters[0], counters[1]
	date := second <= 31 && third >= 1900 && third < 2200
	return at, first <= second && second <= third && first > 31 && !date
}

// endsNumber rejects numbers with more text right after them: 2.1.0, 2024-05-01, 4th, 19'00.
func endsNumber(text []byte, end int) bool {
	if end >= len(text) {
		return true
	}
	next := byte(0)
	if end+1 < len(text) {
		next = text[end+1]
	}
	switch c := text[end]; {
	case isWordByte(c):
		return false
	case c == '-' && isLetter(next):
		return positionFollows(text, end+1)
	case c == '.', c == '-', c == '+', c == ':':
		return !isDigit(next) && (c == ':' || !isLetter(next) || c == '.')
	case c == '/', c == '\'':
		return !isDigit(next)
	case c == '@', c == '!':
		return false
	}
	return true
}

// positionFollows reports whether the name of a position and a colon follow: "EPOCH:46-step:11".
// With an equals sign they are of the name of a file.
func positionFollows(text []byte, at int) bool {
	end := at
	for end < len(text) && isLetter(text[end]) {
		end++
	}
	return end < len(text) && text[end] == ':' && gluedPosition[string(text[at:end])]
}

// readWordNumber parses nan, inf and similar words.
func readWordNumber(text []byte, at int) (number float64, end int, ok bool) {
	i, sign := at, 1
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		if text[i] == '-' {
			sign = -1
		}
		i++
	}
	if i+2 < len(text) && text[i+1] == '.' && text[i+2] == '#' {
		return readRuntimeNumber(text, at, i, sign)
	}
	if i+1 < len(text) && text[i] == '.' && behindSeparator(text, at) { // ".nan" of YAML
		i++
	}
	if i == len(text) || text[i]|0x20 != 'n' && text[i]|0x20 != 'i' {
		return 0, at, false
	}
	for _, w := range [...]struct {
		word string
		is   float64
	}{{"nan", math.NaN()}, {"infinity", math.Inf(sign)}, {"inf", math.Inf(sign)}} {
		if hasFold(text[i:], w.word) {
			end = i + len(w.word)
			if end == len(text) || !isWordByte(text[end]) && text[end] != '/' && text[end] != '-' || text[end] == '/' && isValueOf(text, at, end) {
				return w.is, end, true
			}
		}
	}
	return 0, at, false
}

// behindSeparator reports whether what begins at a place is right behind a colon or an
// equals sign.
func behindSeparator(text []byte, at int) bool {
	before := bytes.TrimRight(text[:at], " ")
	return len(before) > 0 && (before[len(before)-1] == ':' || before[len(before)-1] == '=')
}

// isValueOf reports whether a word in front of a slash is a value, as of "loss=nan/nan" and
// "loss: nan/token", and not one of two words for what was found, "nan/inf".
func isValueOf(text []byte, at, slash int) bool {
	rest := text[slash+1:]
	return behindSeparator(text, at) && (hasFold(text[at:], "nan") && !hasFold(rest, "inf") || hasFold(text[at:], "inf") && !hasFold(rest, "nan"))
}

// readRuntimeNumber reads what the C runtime of Windows prints, up to Visual Studio
// 2013: 1.#QNAN, -1.#IND00, 1.#INF.
func readRuntimeNumber(text []byte, at, digit, sign int) (number float64, end int, ok bool) {
	for end = digit + 3; end < len(text) && isWordByte(text[end]); end++ {
	}
	switch word := text[digit+3 : end]; {
	case text[digit] != '1':
		return 0, at, false
	case hasFold(word, "qnan"), hasFold(word, "snan"), hasFold(word, "ind"):
		return math.NaN(), end, true
	case hasFold(word, "inf"):
		return math.Inf(sign), end, true
	}
	return 0, at, false
}

// readFloat parses digits with thousands separators, a fraction and an exponent. Up to
// fifteen digits it computes the value itself, exactly as strconv does.
func readFloat(text []byte, at int) (number float64, end int, ok bool) {
	i, negative := at, false
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		negative = text[i] == '-'
		i++
	}
	start := i
	var d decimal
	i, grouped := d.whole(text, i)
	point := i
	i = d.fraction(text, i)
	if d.digits == 0 {
		return 0, at, false
	}
	if e, after, ok := readExponent(text, i, i > point); ok {
		d.exponent += e
		i = after
	}
	number = exactOrParse(text[start:i], d.mantissa, d.exponent, grouped)
	if negative {
		number = -number
	}
	return number, i, true
}

// decimal is the state while the digits of a number are parsed.
type decimal struct {
	mantissa         uint64
	exponent, digits int
}

// tooLong is the exponent of a number with more digits than decimal can store.
const tooLong = 1 << 20

func (d *decimal) add(c byte, fraction bool) {
	d.digits++
	switch {
	case d.mantissa >= 1e17:
		d.exponent = tooLong
	case fraction:
		d.exponent--
		fallthrough
	default:
		d.mantissa = d.mantissa*10 + uint64(c-'0')
	}
}

// whole parses the digits before the point, with one sign between groups of thousands.
func (d *decimal) whole(text []byte, i int) (end int, grouped bool) {
	start, sign := i, byte(0)
	for {
		for i < len(text) && isDigit(text[i]) {
			d.add(text[i], false)
			i++
		}
		if i == len(text) || !groupSigns[text[i]] || !groupFollows(text, i) || text[i] != sign && (sign != 0 || !beginsGroups(text, start, i)) {
			return i, sign != 0
		}
		sign = text[i]
		i++
	}
}

// groupSigns separate the thousands of a number: 19,000, 19_000 of Python, 19'000 of Switzerland.
var groupSigns = [256]bool{',': true, '_': true, '\'': true}

// beginsGroups reports whether a number that begins at start may have its first sign of groups at an
// offset. An identifier may be zeros and an underscore.
func beginsGroups(text []byte, start, at int) bool {
	return at > start && at-start <= 3 && (text[at] == ',' || text[start] != '0')
}

// fraction parses the point and the digits after it.
func (d *decimal) fraction(text []byte, i int) int {
	if i >= len(text) || text[i] != '.' {
		return i
	}
	next := byte(0)
	if i+1 < len(text) {
		next = text[i+1]
	}
	if next == '.' || !isDigit(next) && (d.digits == 0 || isWordByte(next)) {
		return i // "1..", "Epoch 3.Loss"
	}
	for i++; i < len(text) && isDigit(text[i]); i++ {
		d.add(text[i], true)
	}
	return i
}

// groupFollows reports whether a separator and exactly three digits follow.
func groupFollows(text []byte, comma int) bool {
	return comma+3 < len(text) && isDigit(text[comma+1]) && isDigit(text[comma+2]) && isDigit(text[comma+3]) &&
		(comma+4 == len(text) || !isDigit(text[comma+4]))
}

// readExponent parses "e-05", and behind a fraction the "f-5" of a Float32 of Julia.
func readExponent(text []byte, at int, fraction bool) (exponent, end int, ok bool) {
	i := at
	if i >= len(text) || text[i] != 'e' && text[i] != 'E' && !(fraction && text[i] == 'f') {
		return 0, at, false
	}
	i++
	sign := 1
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		if text[i] == '-' {
			sign = -1
		}
		i++
	}
	first := i
	for ; i < len(text) && isDigit(text[i]) && i-first < 5; i++ {
		exponent = exponent*10 + int(text[i]-'0')
	}
	return sign * exponent, i, i > first
}

// powers are the powers of ten that a float64 represents exactly.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

func exactOrParse(text []byte, mantissa uint64, exponent int, grouped bool) float64 {
	if mantissa < 1<<53 {
		switch {
		case exponent >= 0 && exponent < len(powers):
			if product := float64(mantissa) * powers[exponent]; exponent == 0 || mantissa < 1e15 {
				return product
			}
		case exponent < 0 && -exponent < len(powers):
			return float64(mantissa) / powers[-exponent]
		}
	}
	if grouped {
		kept := make([]byte, 0, len(text))
		for _, c := range text {
			if !groupSigns[c] {
				kept = append(kept, c)
			}
		}
		text = kept
	}
	// ParseFloat keeps nothing of its argument, so the bytes need no copy.
	number, _ := strconv.ParseFloat(unsafe.String(unsafe.SliceData(text), len(text)), 64)
	return number
}

// readOf parses the rest of n/N after the n.
func readOf(text []byte, at int) (of float64, end int, ok bool) {
	i := skipBlanks(text, at)
	switch {
	case i < len(text) && text[i] == '/':
		i = skipBlanks(text, i+1)
	case i+3 < len(text) && i > at && text[i] == 'o' && text[i+1] == 'f' && text[i+2] == ' ':
		i = skipBlanks(text, i+3)
	default:
		return 0, at, false
	}
	if hasFold(text[i:], "unknown") || hasFold(text[i:], "inf") || i < len(text) && text[i] == '?' {
		for i < len(text) && (isLetter(text[i]) || text[i] == '?') {
			i++
		}
		return 0, i, true
	}
	if bytes.HasPrefix(text[i:], []byte("∞")) {
		return 0, i + len("∞"), true
	}
	if i >= len(text) || !isDigit(text[i]) {
		return 0, at, false
	}
	of, end, ok = readFloat(text, i)
	if ok && end < len(text) && text[end] == '/' {
		return 0, at, false // a date, or a path
	}
	return of, end, ok
}

// readClock parses H:MM:SS, MM:SS and the fraction of a second.
func readClock(text []byte, at int) (v value, end int, ok bool) {
	i, seconds := at, 0.0
	for {
		first, part := i, 0.0
		for ; i < len(text) && isDigit(text[i]) && i-first < 6; i++ {
			part = part*10 + float64(text[i]-'0')
		}
		if i == first {
			return v, i, false
		}
		seconds = seconds*60 + part
		if i+2 < len(text) && text[i] == ':' && isDigit(text[i+1]) && isDigit(text[i+2]) {
			i++
			continue
		}
		break
	}
	if i+1 < len(text) && (text[i] == '.' || text[i] == ',') && isDigit(text[i+1]) {
		for i++; i < len(text) && isDigit(text[i]); i++ {
		}
	}
	if i < len(text) && (isWordByte(text[i]) || text[i] == ':' && i+1 < len(text) && isDigit(text[i+1])) {
		return v, i, false
	}
	return value{number: seconds, clock: true}, i + halfOfDay(text[i:]), true
}

// halfOfDay is the length of the " PM" or " a.m." that follows a time of day, 0 for none.
func halfOfDay(text []byte) int {
	for _, half := range [...]string{" am", " pm", " a.m.", " p.m."} {
		if n := len(half); hasFold(text, half) && (n == len(text) || !isWordByte(text[n])) {
			return n
		}
	}
	return 0
}
