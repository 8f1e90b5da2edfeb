package history

import (
	"slices"
	"time"
)

// Span is how long a ring keeps rows.
const Span = time.Hour

// Ring is the history of one thing while it grows. It has one owner; others
// read what Past returns. The zero value is empty.
type Ring struct{ past Past }

// Past returns the current content of the ring.
func (r *Ring) Past() Past { return r.past }

// Bytes returns the memory that the ring uses.
func (r *Ring) Bytes() int {
	n := 8 * cap(r.past.chunks)
	for _, c := range r.past.chunks {
		n += c.bytes()
	}
	return n
}

// Append appends the numbers of an instant. It changes nothing and returns
// false when the row is empty, or when the instant is less than spacing after
// the newest one: an earlier instant is ignored.
func (r *Ring) Append(at time.Time, row *Row, spacing time.Duration) bool {
	now := instantOf(at)
	if row.Empty() || len(r.past.chunks) > 0 && now-r.past.newest() < max(1, tenths(spacing)) {
		return false
	}
	r.write(now, row)
	r.forget(now - tenths(Span))
	return true
}

func (r *Ring) write(at instant, row *Row) {
	c := r.newestChunk()
	if c == nil || !c.takes(at, row.known) {
		c = r.begin(at, row.known)
	}
	c.write(at, row)
	r.past.last = int(c.rows)
}

func (r *Ring) newestChunk() *chunk {
	if n := len(r.past.chunks); n > 0 {
		return r.past.chunks[n-1]
	}
	return nil
}

// begin adds a chunk with the columns of the previous chunk and the new ones.
func (r *Ring) begin(at instant, columns uint16) *chunk {
	rows := firstRows
	if before := r.newestChunk(); before != nil {
		rows = chunkRows
		columns |= before.columns
	}
	c := newChunk(at, columns, rows)
	// a copy: snapshots hold the old list
	r.past.chunks = append(slices.Clip(r.past.chunks), c)
	return c
}

// forget drops the chunks whose newest row is before an instant.
func (r *Ring) forget(before instant) {
	if n := r.past.find(before); n > 0 {
		r.past.chunks = slices.Clone(r.past.chunks[n:])
	}
}

// Thin keeps only rows that are at least spacing apart.
func (r *Ring) Thin(spacing time.Duration) {
	var kept []timedRow
	for _, row := range r.past.all() {
		if n := len(kept); n == 0 || row.at-kept[n-1].at >= tenths(spacing) {
			kept = append(kept, row)
		}
	}
	r.rewrite(kept)
}

// rewrite rebuilds the ring from rows in order of time. Except for the newest,
// its chunks are just as large as the rows need.
func (r *Ring) rewrite(rows []timedRow) {
	r.past = Past{}
	for i := range rows {
		r.write(rows[i].at, &rows[i].Row)
	}
}

// all returns the rows, oldest first.
func (p Past) all() []timedRow {
	rows := make([]timedRow, 0, p.Len())
	for n, c := range p.chunks {
		for i := range p.rows(n) {
			rows = append(rows, c.row(i))
		}
	}
	return rows
}
