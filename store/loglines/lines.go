package loglines

import (
	"sort"
	"time"

	"github.com/traintop/traintop/train"
)

// Lines are the kept lines of one log, oldest first. They never change, and
// keep the memory they show alive. The zero value is empty.
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

// Len returns the number of kept lines.
func (l Lines) Len() int { return l.lines }

// Dropped counts the lines and bytes dropped to keep within the limit.
func (l Lines) Dropped() (lines, bytes int64) { return l.dropped.lines, l.dropped.bytes }

// Bytes returns the size of the kept lines: text, and 20 for each line.
func (l Lines) Bytes() int { return l.bytes }

// At returns a line by index, 0 being the oldest kept; an index out of range
// is a programming error. It costs the logarithm of the number of chunks.
func (l Lines) At(i int) train.LogLine {
	if l.isNewest(i) {
		return l.newest
	}
	n := l.chunkWith(i)
	return l.chunk(n).at(i - l.start(n))
}

// Plain returns the text of a line without its colours.
func (l Lines) Plain(i int) string {
	if l.isNewest(i) {
		return plain(l.newest.Text)
	}
	n := l.chunkWith(i)
	return asString(l.chunk(n).line(i - l.start(n)))
}

// Time returns when a line was printed, zero when unknown.
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

// Find returns the index of the line with a number, or of the first one after
// it; Len when there is none.
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

// FindTime returns the index of the first line, from the oldest on, that was
// printed at or after an instant; Len when there is none. It skips lines
// without a time. Where times jump back it still returns the first such line
// in the order of the log, so later lines may be older than the instant.
func (l Lines) FindTime(at time.Time) int {
	nanos := nanosOf(at)
	if at.After(latest) {
		nanos = latest.UnixNano()
	}
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

// chunks returns the number of chunks; the open one, if it has lines, is the
// last.
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

// start returns the index of a chunk's first line.
func (l *Lines) start(n int) int { return int(l.chunk(n).before - l.chunk(0).before) }

// chunkWith returns the chunk that contains an index.
func (l *Lines) chunkWith(i int) int {
	return sort.Search(l.chunks(), func(n int) bool { return l.start(n) > i }) - 1
}
