package history

import (
	"math"
	"math/bits"
	"unsafe"
)

// chunkRows is how many rows a chunk holds: ten minutes at one row per 15 s.
// The first chunk of a ring is small, because many things are measured only
// once.
const (
	chunkRows = 40
	firstRows = 4
)

// chunk holds rows with the same columns. A row is its instant, in tenths of a
// second after start, and one cell per column.
type chunk struct {
	start   instant
	columns uint16
	stride  uint8
	// rows counts the written rows. Only the ring's owner reads it while the
	// chunk is the newest one.
	rows  uint16
	cells []short
}

func newChunk(start instant, columns uint16, rows int) *chunk {
	stride := 1 + bits.OnesCount16(columns)
	return &chunk{start: start, columns: columns, stride: uint8(stride), cells: make([]short, rows*stride)}
}

// takes reports whether a row can be appended.
func (c *chunk) takes(at instant, columns uint16) bool {
	return (int(c.rows)+1)*int(c.stride) <= len(c.cells) && columns&^c.columns == 0 && at-c.start <= math.MaxUint16
}

func (c *chunk) write(at instant, row *Row) {
	cells := c.cells[int(c.rows)*int(c.stride):]
	cells[0] = short(at - c.start)
	to := 1
	for columns := c.columns; columns != 0; columns &= columns - 1 {
		column := bits.TrailingZeros16(columns)
		if cells[to] = unknown; row.knows(column) {
			cells[to] = row.cells[column]
		}
		to++
	}
	c.rows++
}

func (c *chunk) at(row int) instant { return c.start + instant(uint16(c.cells[row*int(c.stride)])) }

func (c *chunk) row(i int) timedRow {
	row := timedRow{at: c.at(i)}
	from := i*int(c.stride) + 1
	for columns := c.columns; columns != 0; columns &= columns - 1 {
		column := bits.TrailingZeros16(columns)
		if cell := c.cells[from]; cell != unknown {
			row.cells[column] = cell
			row.known |= 1 << column
		}
		from++
	}
	return row
}

func (c *chunk) bytes() int { return int(unsafe.Sizeof(*c)) + 2*len(c.cells) }
