package logfeed

import (
	"bytes"
	"strconv"
	"time"
)

// months are the first letters of the months' names, as C and its imitators print them.
const months = "JanFebMarAprMayJunJulAugSepOctNovDec"

// canonical is the length of "2026-11-20T14:33:33".
const canonical = len("2026-11-20T14:33:33")

// otherDate reads the dates that programs print in another order than ISO 8601:
// "11/20/2026 14:33:33" (logging as the examples of transformers set it up), "20.11.2026
// 14:33:33", "Fri Nov 20 14:33:33 2026" (asctime of C), "20261120T143333Z", "20/Nov/2026:14:33:33
// +0000" (servers of HTTP). The result is zero for another text. A time without its year,
// as glog prints it, is none.
func otherDate(p []byte, zone *time.Location, order *dateOrder) time.Time {
	if len(p) < len("20261120T143333") {
		return time.Time{}
	}
	var text [maxStamp + 1]byte
	size, behind := 0, 0
	switch {
	case len(p) >= canonical && (p[2] == '/' || p[2] == '.') && p[5] == p[2] && p[10] == ' ':
		size, behind = numbered(&text, p, order), canonical
		if half := p[canonical:]; size > 0 && isHalfOfDay(half) {
			size, behind = inHalf(&text, half), canonical+len(" AM")
		}
	case p[8] == 'T' && digitsOnly(p[:8]) && digitsOnly(p[9:15]):
		size, behind = basic(&text, p), len("20261120T143333")
	case len(p) >= len("20/Nov/2026:14:33:33") && p[2] == '/' && p[6] == '/' && p[11] == ':':
		size, behind = lettered(&text, p[7:11], p[3:6], p[:2], p[12:20]), len("20/Nov/2026:14:33:33")
	case len(p) >= len("Fri Nov 20 14:33:33 2026") && p[3] == ' ' && p[7] == ' ' && p[10] == ' ' && p[19] == ' ':
		size, behind = lettered(&text, p[20:24], p[4:7], p[8:10], p[11:19]), len("Fri Nov 20 14:33:33 2026")
	}
	if size == 0 {
		return time.Time{}
	}
	size += copy(text[size:], p[behind:])
	return dateTime(text[:size], zone)
}

// dateOrder is which of the two numbers before a year is the month, as far as a log has
// shown: one of them was above 12. Of "03/02/2026" alone it is not known, and so is the time.
type dateOrder uint8

const (
	orderUnknown dateOrder = iota
	monthFirst
	dayFirst
)

// numbered writes "11/20/2026 14:33:33" and "20.11.2026 14:33:33" as ISO 8601 does.
func numbered(text *[maxStamp + 1]byte, p []byte, order *dateOrder) int {
	month, day := p[:2], p[3:5]
	first, ok := digits(month)
	second, is := digits(day)
	switch {
	case !ok || !is:
		return 0
	case p[2] == '.' || first > 12 && second <= 12:
		if month, day = day, month; p[2] == '/' {
			*order = dayFirst
		}
	case second > 12:
		*order = monthFirst
	case *order == dayFirst:
		month, day = day, month
	case *order == orderUnknown:
		return 0
	}
	return date(text, p[6:10], month, day, p[11:19])
}

// isHalfOfDay reports whether " AM" or " PM" is behind a time.
func isHalfOfDay(p []byte) bool {
	return len(p) >= 3 && p[0] == ' ' && (p[1]|0x20 == 'a' || p[1]|0x20 == 'p') && p[2]|0x20 == 'm' && (len(p) == 3 || p[3] == ' ' || p[3] == ']')
}

// inHalf turns the hour of a time into one of 24, 0 for one above 12.
func inHalf(text *[maxStamp + 1]byte, half []byte) int {
	hour, ok := digits(text[11:13])
	if !ok || hour < 1 || hour > 12 {
		return 0
	}
	if hour %= 12; half[1]|0x20 == 'p' {
		hour += 12
	}
	text[11], text[12] = '0'+byte(hour/10), '0'+byte(hour%10)
	return canonical
}

// basic writes "20261120T143333" in the extended format of ISO 8601.
func basic(text *[maxStamp + 1]byte, p []byte) int {
	clock := []byte{p[9], p[10], ':', p[11], p[12], ':', p[13], p[14]}
	return date(text, p[:4], p[4:6], p[6:8], clock)
}

// lettered writes a date with the month's name; a day of one digit has a blank before it.
func lettered(text *[maxStamp + 1]byte, year, month, day, clock []byte) int {
	at := bytes.Index([]byte(months), month)
	if at < 0 || at%3 != 0 {
		return 0
	}
	n := at/3 + 1
	number := []byte{'0' + byte(n/10), '0' + byte(n%10)}
	if day[0] == ' ' {
		day = []byte{'0', day[1]}
	}
	return date(text, year, number, day, clock)
}

// date joins the parts of a date, 0 where one is not of digits.
func date(text *[maxStamp + 1]byte, year, month, day, clock []byte) int {
	if !digitsOnly(year) || !digitsOnly(month) || !digitsOnly(day) || clock[2] != ':' || clock[5] != ':' {
		return 0
	}
	copy(text[:4], year)
	copy(text[5:7], month)
	copy(text[8:10], day)
	copy(text[11:19], clock)
	text[4], text[7], text[10] = '-', '-', 'T'
	return canonical
}

func digitsOnly(p []byte) bool {
	for _, c := range p {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// timeMembers are the names of the time in a record, as loggers in JSON write it (zap, zerolog,
// structlog, python-json-logger, slog), the more exact first.
var timeMembers = [][]byte{[]byte(`"@timestamp"`), []byte(`"timestamp"`), []byte(`"asctime"`), []byte(`"time"`), []byte(`"ts"`), []byte(`"datetime"`)}

// recordWithin is how much of a record is searched for its time.
const recordWithin = 512

// recordTime returns the time in a record in JSON: a date, or seconds or milliseconds
// since 1970. It is zero for another line, and where the member is a duration.
func recordTime(p []byte, zone *time.Location, order *dateOrder) time.Time {
	if len(p) == 0 || p[0] != '{' {
		return time.Time{}
	}
	p = p[:min(len(p), recordWithin)]
	for _, name := range timeMembers {
		at := bytes.Index(p, name)
		if at < 0 {
			continue
		}
		value, is := bytes.CutPrefix(bytes.TrimLeft(p[at+len(name):], " "), []byte{':'})
		if value = bytes.TrimLeft(value, " "); !is || len(value) == 0 {
			continue
		}
		if value[0] != '"' {
			return sinceEpoch(value)
		}
		if at := dateTime(value[1:], zone); !at.IsZero() {
			return at
		}
		return otherDate(value[1:], zone, order)
	}
	return time.Time{}
}

// sinceEpoch reads seconds since 1970 with a fraction, or milliseconds, from 2001 to 2286.
func sinceEpoch(p []byte) time.Time {
	whole := 0
	for whole < len(p) && p[whole] >= '0' && p[whole] <= '9' {
		whole++
	}
	number, err := strconv.ParseInt(string(p[:min(whole, 13)]), 10, 64)
	switch {
	case err != nil:
		return time.Time{}
	case whole == 13:
		return time.UnixMilli(number).UTC()
	case whole != 10:
		return time.Time{}
	}
	at := time.Unix(number, 0).UTC()
	if nanoseconds, digits := fraction(p[whole:]); digits > 0 {
		at = at.Add(time.Duration(nanoseconds))
	}
	return at
}
