package formats

import (
	"bytes"
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
