package history

import (
	"math"
	"sort"
	"time"
)

// Past is the content of a ring at one instant. It never changes; the zero
// value is empty.
type Past struct {
	chunks []*chunk
	last   int // rows of the newest chunk
}

// rows returns how many rows of a chunk are visible.
func (p Past) rows(n int) int {
	if n == len(p.chunks)-1 {
		return p.last
	}
	return int(p.chunks[n].rows)
}

// Len returns the number of rows.
func (p Past) Len() int {
	n := 0
	for i := range p.chunks {
		n += p.rows(i)
	}
	return n
}

// Newest returns the time of the newest row, zero when there is none.
func (p Past) Newest() time.Time {
	if len(p.chunks) == 0 {
		return time.Time{}
	}
	return p.newest().time()
}

func (p Past) newest() instant { return p.chunks[len(p.chunks)-1].at(p.last - 1) }

// Oldest returns the time of the oldest row, zero when there is none.
func (p Past) Oldest() time.Time {
	if len(p.chunks) == 0 {
		return time.Time{}
	}
	return p.chunks[0].at(0).time()
}

// Each calls visit with the numbers of a column measured at or after an
// instant, oldest first, until visit returns false.
func (p Past) Each(column int, from time.Time, visit func(at time.Time, value float32) bool) {
	first := instantOf(from)
	for n := p.find(first); n < len(p.chunks); n++ {
		c, rows := p.chunks[n], p.rows(n)
		cell, stride := cellOffset(c.columns, column), int(c.stride)
		if cell < 0 {
			continue
		}
		for i := range rows {
			if at := c.at(i); at >= first && c.cells[i*stride+cell] != unknown && !visit(at.time(), c.cells[i*stride+cell].value()) {
				return
			}
		}
	}
}

// find returns the index of the first chunk with a row at or after an instant.
func (p Past) find(at instant) int {
	return sort.Search(len(p.chunks), func(n int) bool { return p.chunks[n].at(p.rows(n)-1) >= at })
}

// Buckets sums a column by time: it adds to sums[i] the numbers measured in
// [from+i*step, from+(i+1)*step), and to counts[i] how many there are. Both
// have the same length.
func (p Past) Buckets(column int, from time.Time, step time.Duration, sums, counts []float32) {
	first, width := instantOf(from), max(1, tenths(step))
	end := first + width*instant(len(sums))
	for n := p.find(first); n < len(p.chunks); n++ {
		c, rows := p.chunks[n], p.rows(n)
		cell, stride := cellOffset(c.columns, column), int(c.stride)
		if cell < 0 {
			continue
		}
		bucket, next := instant(0), first // next is where the bucket ends
		for i := range rows {
			at := c.at(i)
			if at >= end {
				return
			}
			if at < first || c.cells[i*stride+cell] == unknown {
				continue
			}
			if at >= next {
				bucket = (at - first) / width
				next = first + (bucket+1)*width
			}
			sums[bucket] += c.cells[i*stride+cell].value()
			counts[bucket]++
		}
	}
}

// Means fills out with the mean of a column per time step from an instant on,
// NaN where nothing was measured. It allocates nothing.
func (p Past) Means(column int, from time.Time, step time.Duration, out []float32) {
	nan := float32(math.NaN())
	for i := range out {
		out[i] = nan
	}
	first, width := instantOf(from), max(1, tenths(step))
	end := first + width*instant(len(out))
	bucket, next, sum, count := instant(0), first, float32(0), float32(0)
	for n := p.find(first); n < len(p.chunks); n++ {
		c, rows := p.chunks[n], p.rows(n)
		cell, stride := cellOffset(c.columns, column), int(c.stride)
		if cell < 0 {
			continue
		}
		for i := range rows {
			at := c.at(i)
			if at >= end {
				return
			}
			if at < first || c.cells[i*stride+cell] == unknown {
				continue
			}
			if at >= next {
				bucket, sum, count = (at-first)/width, 0, 0
				next = first + (bucket+1)*width
			}
			sum += c.cells[i*stride+cell].value()
			count++
			out[bucket] = sum / count
		}
	}
}
