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
// +0000" (servers of HTTP). Of two numbers before the year the first is the month, unless it
// is above 12 or full stops stand between. The result is zero for another text. A time
// without its year, as glog prints it, is none.
func otherDate(p []byte, zone *time.Location) time.Time {
	if len(p) < len("20261120T143333") {
		return time.Time{}
	}
	var text [maxStamp + 1]byte
	size, behind := 0, 0
	switch {
	case len(p) >= canonical && (p[2] == '/' || p[2] == '.') && p[5] == p[2] && p[10] == ' ':
		size, behind = numbered(&text, p), canonical
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

// numbered writes "11/20/2026 14:33:33" and "20.11.2026 14:33:33" as ISO 8601 does.
func numbered(text *[maxStamp + 1]byte, p []byte) int {
	month, day := p[:2], p[3:5]
	if first, ok := digits(month); !ok || p[2] == '.' || first > 12 {
		month, day = day, month
	}
	return date(text, p[6:10], month, day, p[11:19])
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
func recordTime(p []byte, zone *time.Location) time.Time {
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
		return otherDate(value[1:], zone)
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
