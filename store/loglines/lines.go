package loglines

import (
	"sort"
	"time"

	"github.com/traintop/traintop/train"
)

// Lines are the lines of one log that are kept, oldest first. They never
// change, and hold the memory they show. The zero value is empty.
type Lines struct {
	full    []*chunk
	open    chunk
	newest  train.LogLine
	any     bool
	lines   int
	bytes   int
	dropped dropped
	reached int64 // order of the line before the newest
}

// Len is how many lines are kept.
func (l Lines) Len() int { return l.lines }

// Dropped counts what had to go to keep within the limit.
func (l Lines) Dropped() (lines, bytes int64) { return l.dropped.lines, l.dropped.bytes }

// Bytes is how much is kept: text, and 20 for each line.
func (l Lines) Bytes() int { return l.bytes }

// At is a line by its place, 0 being the oldest kept; a place that is not
// there is a programmer's error. It costs the logarithm of the number of chunks.
func (l Lines) At(i int) train.LogLine {
	if l.isNewest(i) {
		return l.newest
	}
	n := l.chunkWith(i)
	return l.chunk(n).at(i - l.start(n))
}

// Plain is the text of a line without its colours.
func (l Lines) Plain(i int) string {
	if l.isNewest(i) {
		return plain(l.newest.Text)
	}
	n := l.chunkWith(i)
	return asString(l.chunk(n).line(i - l.start(n)))
}

// Time is when a line was printed, zero when nobody tells.
func (l Lines) Time(i int) time.Time {
	if l.isNewest(i) {
		return l.newest.Time
	}
	n := l.chunkWith(i)
	if nanos := l.chunk(n).marks[i-l.start(n)].nanos; nanos != noTime {
		return time.Unix(0, nanos).UTC()
	}
	return time.Time{}
}

// Find is the place of the line with a number, or of the first one after it;
// Len when there is none.
func (l Lines) Find(number int64) int {
	n := sort.Search(l.chunks(), func(n int) bool {
		c := l.chunk(n)
		return c.number+int64(c.marks[c.len()-1].number) >= number
	})
	if n < l.chunks() {
		return l.start(n) + l.chunk(n).find(number)
	}
	if l.any && l.newest.Number >= number {
		return l.lines - 1
	}
	return l.lines
}

// FindTime is the place of the first line, from the oldest on, that was
// printed at or after an instant; Len when there is none. Lines without a
// time are passed over. Where times jump back it is still the first such line
// in the order of the log, so lines behind it may be older than the instant.
func (l Lines) FindTime(at time.Time) int {
	nanos := nanosOf(at)
	for n := range l.chunks() {
		if i := l.chunk(n).findTime(nanos); i < l.chunk(n).len() {
			return l.start(n) + i
		}
	}
	if l.any && nanosOf(l.newest.Time) >= nanos && !l.newest.Time.IsZero() {
		return l.lines - 1
	}
	return l.lines
}

// chunks is how many there are; the open one, if it has lines, is the last.
func (l *Lines) chunks() int {
	if l.open.len() > 0 {
		return len(l.full) + 1
	}
	return len(l.full)
}

func (l *Lines) chunk(n int) *chunk {
	if n < len(l.full) {
		return l.full[n]
	}
	return &l.open
}

// start is the place of a chunk's first line.
func (l *Lines) start(n int) int { return int(l.chunk(n).before - l.chunk(0).before) }

// chunkWith is the chunk that a place is in.
func (l *Lines) chunkWith(i int) int {
	return sort.Search(l.chunks(), func(n int) bool { return l.start(n) > i }) - 1
}
