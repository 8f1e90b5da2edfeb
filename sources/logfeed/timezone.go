package logfeed

import "time"

// zone reads "Z", "+07:00", "+0700" or "+07".
func zone(p []byte) (offset time.Duration, size int, ok bool) {
	if len(p) > 0 && p[0] == 'Z' {
		return 0, 1, true
	}
	if len(p) < 3 || p[0] != '+' && p[0] != '-' {
		return 0, 0, false
	}
	hours, ok := digits(p[1:3])
	if !ok || hours > mostZoneHours {
		return 0, 0, false
	}
	minutes, size := 0, 3
	switch rest := p[3:]; {
	case len(rest) >= 3 && rest[0] == ':':
		minutes, ok = digits(rest[1:3])
		size = 6
	case len(rest) >= 2 && rest[0] >= '0' && rest[0] <= '9':
		minutes, ok = digits(rest[:2])
		size = 5
	case len(rest) > 0 && rest[0] != ' ' && rest[0] != ']' && rest[0] != ')':
		return 0, 0, false // "10:03:00-12x" goes on
	}
	if len(p) > size && p[size] >= '0' && p[size] <= '9' || minutes > 59 {
		return 0, 0, false
	}
	offset = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if p[0] == '-' {
		offset = -offset
	}
	return offset, size, ok
}

// mostZoneHours is the zone farthest from UTC (Kiribati, IANA tzdata 2026a).
const mostZoneHours = 14

// namedZones are the hours of zones that programs print by name: those of RFC 2822
// and others that have one meaning.
var namedZones = map[string]int{
	"UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9, "KST": 9,
}

// ambiguousZones are names with several meanings, hours apart: China and the middle
// of America, India, Israel and Ireland, Britain and Bangladesh.
var ambiguousZones = map[string]bool{"CST": true, "IST": true, "BST": true}

// zoneAfterBlank reads " +08:00", " +0800", " UTC" behind a time. Of a name that may
// mean several zones the offset is not known.
func zoneAfterBlank(p []byte) (offset time.Duration, is, known bool) {
	if len(p) < 4 || p[0] != ' ' {
		return 0, false, false
	}
	p = p[1:]
	if offset, size, ok := zone(p); ok && size > 3 {
		return offset, true, true
	}
	size := 0
	for size < len(p) && p[size] >= 'A' && p[size] <= 'Z' {
		size++
	}
	if size < 3 || size > 4 {
		return 0, false, false
	}
	if ambiguousZones[string(p[:size])] {
		return 0, true, false
	}
	hours, is := namedZones[string(p[:size])]
	return time.Duration(hours) * time.Hour, is, is
}
