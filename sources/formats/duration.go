package formats

import (
	"bytes"
	"math"
	"time"
)

// maxRemaining bounds a plausible remaining time, in seconds: thirty years.
const maxRemaining = 1e9

// readDuration parses a remaining time as programs print it: 8:05:12, "1 day,
// 13:30:44", "1h 39m 38s", 70.8ms, plain seconds.
func readDuration(text []byte) (time.Duration, bool) {
	seconds, found := 0.0, false
	for range 5 {
		v, end, ok := readValue(text, 0)
		if !ok || v.fraction {
			break
		}
		if end < len(text) && bytes.HasPrefix(text[end:], []byte(" day")) {
			v.unit = unitDays
			end += len(" day")
			if end < len(text) && text[end] == 's' {
				end++
			}
		}
		scale, more := v.unit.seconds()
		if scale == 0 || found && v.unit == unitNone && !v.clock {
			break
		}
		seconds, found = seconds+v.number*scale, true
		if text = bytes.TrimLeft(text[end:], " ,"); len(text) == 0 || !isDigit(text[0]) || !more {
			break
		}
	}
	if !found || !(seconds >= 0 && seconds < maxRemaining) {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)), true
}

// seconds is the number of seconds of a unit, 0 if it is no unit of time, and whether
// a smaller unit may follow.
func (u unit) seconds() (scale float64, more bool) {
	switch u {
	case unitNone, unitSeconds:
		return 1, false
	case unitMillis:
		return 1e-3, false
	case unitMicros:
		return 1e-6, false
	case unitMinutes:
		return 60, true
	case unitHours:
		return 3600, true
	case unitDays:
		return 86400, true
	}
	return 0, false
}

// severalUnits adds up a duration in several units, of which first is the number of the unit at
// at: "5m 55s", "1h2m3s", "2 min 3.5 sec". Each unit is smaller than the one before, and has
// less than that one is. end is at where there is one unit only.
func severalUnits(text []byte, at int, first float64) (seconds float64, end int) {
	if !beginsUnit(text, at) {
		return 0, at
	}
	number, from, before := first, at, math.Inf(1)
	for end = at; ; {
		u, after := unitOfDuration(text, from)
		scale, more := u.seconds()
		if u == unitNone || scale == 0 || !(number*scale < before) || number < 0 {
			break
		}
		seconds, before, end = seconds+number*scale, scale, after
		if !more || number != math.Trunc(number) {
			break
		}
		next := after
		if next < len(text) && text[next] == ' ' {
			next++
		}
		if next >= len(text) || !isDigit(text[next]) {
			break
		}
		number, from, _ = readFloat(text, next)
	}
	if _, alone := unitOfDuration(text, at); end == alone {
		return 0, at
	}
	return seconds, end
}

// beginsUnit reports whether a letter with which days, hours and minutes begin is behind a
// number.
func beginsUnit(text []byte, at int) bool {
	if at < len(text) && text[at] == ' ' {
		at++
	}
	return at < len(text) && (text[at] == 'm' || text[at] == 'h' || text[at] == 'd')
}

// unitOfDuration parses a unit of time behind a number, with at most one blank between them. A
// single letter may have the next number right behind it.
func unitOfDuration(text []byte, at int) (unit, int) {
	if at+1 < len(text) && isDigit(text[at+1]) {
		switch text[at] {
		case 'd', 'h', 'm':
			return units[string(text[at:at+1])], at + 1
		}
	}
	return readUnit(text, at)
}
