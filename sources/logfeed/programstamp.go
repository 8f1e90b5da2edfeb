package logfeed

import (
	"bytes"
	"time"

	"github.com/traintop/traintop/termtext"
)

// programStamp reads the time that a program itself printed in front of a line, as
// Python's logging and its imitators do: "2026-11-20 14:33:33,086",
// "[2024-04-06 02:59:36] iteration", "INFO 2026/11/20 14:33:33". Only brackets, a
// level and colours may precede it: a date further on may mean anything. The
// result is zero without a time. zone applies to a time that names none, and order to
// numbers of which either may be the month.
func programStamp(p []byte, zone *time.Location, order *dateOrder) time.Time {
	if len(p) > 0 && p[0] == '{' {
		return recordTime(p, zone, order)
	}
	for range 6 { // [rank0]:[titan] INFO [date
		p = bytes.TrimLeft(p, " \t\r|-")
		if at := dateTime(p, zone); !at.IsZero() {
			return at
		}
		if at := otherDate(p, zone, order); !at.IsZero() {
			return at
		}
		size := beforeStamp(p, order)
		if size == 0 {
			return time.Time{}
		}
		p = p[size:]
	}
	return time.Time{}
}

// TimeOf returns the time in front of a line: that of a log's collector, or the
// one that the program printed. It is zero without one. zone applies to a time
// that names none.
func TimeOf(line []byte, zone *time.Location) time.Time {
	if s := readStamp(line); s.size > 0 {
		return s.at
	}
	var order dateOrder
	return programStamp(line, zone, &order)
}

// maxBracket is the longest bracket that may precede a stamp.
const maxBracket = 48

// beforeStamp returns the length of what may precede a stamp: a bracket (only
// its opening when the stamp is inside it), a level, a colour, srun's number of a task.
func beforeStamp(p []byte, order *dateOrder) int {
	switch {
	case len(p) < 2:
		return 0
	case p[0] == esc:
		size, _ := termtext.EscapeLength(p)
		return size
	case p[0] == '[' || p[0] == '(' || p[0] == '<':
		if p[1] >= '0' && p[1] <= '9' && mayBeDate(p[1:]) || !otherDate(p[1:], time.UTC, order).IsZero() {
			return 1
		}
		end := bytes.IndexAny(p[:min(len(p), maxBracket)], "])>")
		if end > 0 && end+1 < len(p) && p[end+1] == ':' {
			end++
		}
		return end + 1
	case p[0] >= '0' && p[0] <= '9':
		end := 1
		for end < 5 && end < len(p) && p[end] >= '0' && p[end] <= '9' {
			end++
		}
		if len(p) < end+3 || p[end] != ':' || p[end+1] != ' ' {
			return 0
		}
		if rest := p[end+2:]; mayBeDate(rest) || rest[0] == '[' && mayBeDate(rest[1:]) {
			return end + 2
		}
		return 0
	}
	size := 0
	for size < len(p) && p[size] >= 'A' && p[size] <= 'Z' {
		size++
	}
	if size < 4 || size > 8 || size == len(p) || p[size] != ' ' && p[size] != ':' { // INFO, WARNING, CRITICAL
		return 0
	}
	return size + 1
}

// mayBeDate reports whether p begins like a date.
func mayBeDate(p []byte) bool {
	return len(p) >= len("2026-11-20 14:33:33") && (p[4] == '-' || p[4] == '/') && p[7] == p[4]
}

// dateTime reads times like "2026-11-20 14:33:33,086" at the beginning of p.
func dateTime(p []byte, zone *time.Location) time.Time {
	if !mayBeDate(p) || p[10] != ' ' && p[10] != 'T' {
		return time.Time{}
	}
	var text [maxStamp + 1]byte // a blank before the offset
	n := copy(text[:], p)
	text[4], text[7], text[10] = '-', '-', 'T'
	if n > 19 && text[19] == ',' {
		text[19] = '.'
	}
	if s := readStamp(text[:n]); s.size > 0 {
		return s.at
	}
	end := 19
	if _, count := fraction(text[19:n]); count > 0 {
		end += 1 + count
	}
	if n < end || end == len(text) || n > end && text[end] >= '0' && text[end] <= '9' {
		return time.Time{}
	}
	offset, named, known := zoneAfterBlank(text[end:n])
	if named && !known {
		return time.Time{}
	}
	text[end] = 'Z'
	s := readStamp(text[:end+1])
	if named && s.size > 0 {
		return s.at.Add(-offset)
	}
	if s.size == 0 || zone == nil || zone == time.UTC {
		return s.at
	}
	at := s.at
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), zone)
}
