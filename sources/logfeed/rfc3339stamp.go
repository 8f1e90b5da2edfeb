package logfeed

import "time"

// maxStamp is the length of the longest stamp: nine digits of a fraction and an offset.
const maxStamp = len("2006-01-02T15:04:05.000000000+07:00")

// stamp is a time found in front of a line.
type stamp struct {
	at time.Time
	// size is its length in bytes, 0 when there is none.
	size int
	// digits counts those of the fraction of a second.
	digits int
}

// Times are kept as nanoseconds since 1970, in which these years fit.
const firstYear, lastYear = 1678, 2261

// readStamp reads an RFC 3339 time with a zone at the beginning of p. time.Parse
// would cost as much as all other work on a line.
func readStamp(p []byte) stamp {
	if len(p) < len("2006-01-02T15:04:05Z") || p[4] != '-' || p[7] != '-' || p[10] != 'T' || p[13] != ':' || p[16] != ':' {
		return stamp{}
	}
	var field [6]int
	for i, place := range [6][2]int{{0, 4}, {5, 7}, {8, 10}, {11, 13}, {14, 16}, {17, 19}} {
		n, ok := digits(p[place[0]:place[1]])
		if !ok {
			return stamp{}
		}
		field[i] = n
	}
	if field[1] < 1 || field[1] > 12 || field[2] < 1 || field[2] > 31 || field[3] > 23 || field[4] > 59 || field[5] > 60 {
		return stamp{}
	}
	nanos, count := fraction(p[19:])
	end := 19
	if count > 0 {
		end += 1 + count
	}
	offset, size, ok := zone(p[end:])
	if !ok {
		return stamp{}
	}
	at := time.Date(field[0], time.Month(field[1]), field[2], field[3], field[4], field[5], nanos, time.UTC)
	if field[0] < firstYear || field[0] > lastYear || field[2] > 28 && field[2] > lastDay(field[0], time.Month(field[1])) {
		return stamp{}
	}
	if offset != 0 {
		at = at.Add(-offset)
	}
	return stamp{at: at, size: end + size, digits: count}
}

func lastDay(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// mayBeStamp reports whether p, possibly incomplete, begins like a stamp.
func mayBeStamp(p []byte) bool {
	const shape = "0000-00-00T"
	for i := range min(len(p), len(shape)) {
		isDigit := p[i] >= '0' && p[i] <= '9'
		if shape[i] == '0' && !isDigit || shape[i] != '0' && p[i] != shape[i] {
			return false
		}
	}
	return true
}

func digits(p []byte) (n int, ok bool) {
	for _, c := range p {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// fraction reads ".123" as nanoseconds; count is 0 when there is none.
func fraction(p []byte) (nanos, count int) {
	if len(p) < 2 || p[0] != '.' {
		return 0, 0
	}
	unit := int(time.Second)
	for _, c := range p[1:] {
		if c < '0' || c > '9' || count == 9 {
			break
		}
		unit /= 10
		nanos += int(c-'0') * unit
		count++
	}
	return nanos, count
}
