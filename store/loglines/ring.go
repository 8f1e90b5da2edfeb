package loglines

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/train"
)

// lineCost is the size of a line besides its text, in bytes.
const lineCost = 20

// Ring keeps the newest lines of one log. It belongs to one goroutine; any
// goroutine may read its snapshots.
type Ring struct {
	// full are the chunks that no longer grow; open is the one that does.
	full []*chunk
	open chunk
	// newest is the newest line, if any: it may be replaced.
	newest  train.LogLine
	any     bool
	bytes   int
	lines   int
	limit   int
	settled int64 // lines ever moved into chunks
	reached int64 // order of the last of them
	dropped dropped
}

type dropped struct{ lines, bytes int64 }

// New returns a ring that keeps at most limit bytes: of text, and 20 more for
// each line.
func New(limit int) *Ring { return &Ring{limit: limit, reached: noTime} }

// Append appends lines in order. A line with the number of the newest kept
// line replaces it: it is a later state of the same line. A line with a lower
// number was appended before and is left out. Beyond the limit the oldest
// lines are dropped; the newest always stays.
func (r *Ring) Append(lines ...train.LogLine) {
	for i := range lines {
		line := &lines[i]
		switch {
		case !r.any || line.Number > r.newest.Number:
			r.settle()
			r.bytes += costOf(line)
			r.lines++
		case line.Number == r.newest.Number:
			r.bytes += len(line.Text) - len(r.newest.Text)
		default:
			continue
		}
		r.newest, r.any = *line, true
		for r.bytes > r.limit && r.DropOldest() > 0 {
		}
	}
	// The text of many lines may be one string, which one line must not keep
	// alive.
	r.newest.Text = strings.Clone(r.newest.Text)
}

func costOf(line *train.LogLine) int { return len(line.Text) + lineCost }

// settle moves the newest line into the open chunk: it will not change again.
func (r *Ring) settle() {
	if !r.any {
		return
	}
	if !r.open.takes(&r.newest, r.chunkBytes()) {
		r.close()
	}
	if r.open.len() == 0 {
		r.open.before, r.open.floor = r.settled, r.reached
	}
	before := r.open.cost()
	r.open.add(&r.newest)
	r.bytes += r.open.cost() - before - costOf(&r.newest)
	r.settled++
	r.reached = OrderAfter(r.reached, r.newest.Time)
}

// spareText and spareMarks are the room of a chunk beyond what the previous
// one needed, in addition to a fraction of that.
const (
	spareText  = 256
	spareMarks = 4
)

// close begins a chunk with about as much room as the previous one used.
func (r *Ring) close() {
	closed := r.open
	r.full = append(r.full, &closed)
	text := min(len(closed.text), r.chunkBytes())
	r.open = chunk{
		text:  make([]byte, 0, text+text/32+spareText),
		marks: make([]mark, 0, len(closed.marks)+len(closed.marks)/32+spareMarks),
	}
}

// chunkBytes returns the size of a chunk: what is dropped at once is a small
// part of what is kept.
func (r *Ring) chunkBytes() int { return max(1, min(maxChunk, r.limit/16)) }

// SetLimit changes the limit and drops the oldest lines beyond it. The newest
// line always stays.
func (r *Ring) SetLimit(limit int) {
	r.limit = limit
	for r.bytes > limit && r.DropOldest() > 0 {
	}
}

// DropOldest drops the oldest chunk of lines and returns how many bytes that
// freed, 0 when only the newest line is left.
func (r *Ring) DropOldest() int {
	var oldest *chunk
	if len(r.full) > 0 {
		oldest = r.full[0]
		r.full = slices.Clone(r.full[1:]) // snapshots keep the old list
	} else {
		open := r.open
		oldest, r.open = &open, chunk{}
	}
	freed := oldest.cost()
	r.bytes -= freed
	r.lines -= oldest.len()
	r.dropped.lines += int64(oldest.len())
	r.dropped.bytes += int64(len(oldest.text) - oldest.len())
	return freed
}

// Bytes returns the size of the kept lines: text, and 20 for each line.
func (r *Ring) Bytes() int { return r.bytes }

// Lines returns a snapshot as of now. Its cost does not depend on how much is
// kept.
func (r *Ring) Lines() Lines {
	return Lines{
		full: slices.Clip(r.full), open: r.open, newest: r.newest, any: r.any,
		lines: r.lines, bytes: r.bytes, dropped: r.dropped, reached: r.reached,
	}
}
