// Package loglines keeps the newest lines of one log in bounded memory, and
// gives pictures of them that never change.
package loglines

import (
	"slices"

	"github.com/traintop/traintop/train"
)

// Ring keeps the newest lines of one log. It belongs to one goroutine; the
// pictures it gives may be read from any.
type Ring struct {
	lines        []train.LogLine
	bytes, limit int
	droppedLines int64
	droppedBytes int64
}

// New makes a ring that keeps at most limit bytes of text.
func New(limit int) *Ring { return &Ring{limit: limit} }

// Append adds lines in order. A line with the number of the newest one kept
// replaces it: it is a later state of the same line. Beyond the limit the
// oldest lines go.
func (r *Ring) Append(lines ...train.LogLine) {
	r.lines = slices.Clone(r.lines)
	for _, line := range lines {
		if n := len(r.lines); n > 0 && r.lines[n-1].Number == line.Number {
			r.bytes += len(line.Text) - len(r.lines[n-1].Text)
			r.lines[n-1] = line
		} else {
			r.bytes += len(line.Text)
			r.lines = append(r.lines, line)
		}
	}
	r.SetLimit(r.limit)
}

// SetLimit changes the limit, dropping the oldest lines beyond it. The newest
// line always stays.
func (r *Ring) SetLimit(limit int) {
	r.limit = limit
	for r.bytes > limit && len(r.lines) > 1 {
		r.bytes -= len(r.lines[0].Text)
		r.droppedBytes += int64(len(r.lines[0].Text))
		r.droppedLines++
		r.lines = r.lines[1:]
	}
}

// Bytes is how much text is kept.
func (r *Ring) Bytes() int { return r.bytes }

// Lines is the picture as of now.
func (r *Ring) Lines() Lines {
	return Lines{lines: r.lines[:len(r.lines):len(r.lines)], bytes: r.bytes, droppedLines: r.droppedLines, droppedBytes: r.droppedBytes}
}

// Lines are the lines of one log that are kept, oldest first. They never
// change. The zero value is empty.
type Lines struct {
	lines        []train.LogLine
	bytes        int
	droppedLines int64
	droppedBytes int64
}

// Len is how many lines are kept.
func (l Lines) Len() int { return len(l.lines) }

// At is a line by its place, 0 being the oldest kept.
func (l Lines) At(i int) train.LogLine { return l.lines[i] }

// Find is the place of the line with a number, or of the first one after it;
// Len when there is none.
func (l Lines) Find(number int64) int {
	i, _ := slices.BinarySearchFunc(l.lines, number, func(line train.LogLine, n int64) int {
		return int(line.Number - n)
	})
	return i
}

// Dropped counts what had to go to keep within the limit.
func (l Lines) Dropped() (lines, bytes int64) { return l.droppedLines, l.droppedBytes }

// Bytes is how much text is kept.
func (l Lines) Bytes() int { return l.bytes }

// Match calls visit with the place of each line from place on (backward when
// step is -1) whose text match accepts, until visit returns false. match sees
// the text as bytes that it must not keep or change.
func (l Lines) Match(from, step int, match func(text []byte) bool, visit func(i int) bool) {
	for i := from; i >= 0 && i < len(l.lines); i += step {
		if match([]byte(l.lines[i].Text)) && !visit(i) {
			return
		}
	}
}
