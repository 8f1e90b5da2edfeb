package history

import (
	"math/bits"
	"time"
)

// Columns is the maximum number of columns.
const Columns = 16

// Row holds the numbers of one instant. The zero value is empty.
type Row struct {
	known uint16
	cells [Columns]short
}

// Set sets a number. A negative value or NaN stays unknown.
func (r *Row) Set(column int, value float64) {
	if cell := shorten(value); cell != unknown {
		r.cells[column] = cell
		r.known |= 1 << column
	}
}

// Empty reports whether no number is set.
func (r *Row) Empty() bool { return r.known == 0 }

func (r *Row) knows(column int) bool { return r.known&(1<<column) != 0 }

// instant is a time in tenths of a second.
type instant int64

func instantOf(at time.Time) instant { return instant(at.UnixMilli() / 100) }

func (t instant) time() time.Time { return time.UnixMilli(int64(t) * 100).UTC() }

func tenths(d time.Duration) instant { return instant(d / (100 * time.Millisecond)) }

// timedRow is a row while a ring is rebuilt.
type timedRow struct {
	at instant
	Row
}

// cellOffset returns the offset of a column in the rows of a chunk with these
// columns, after the instant at 0; -1 when the chunk does not have it.
func cellOffset(columns uint16, column int) int {
	if columns&(1<<column) == 0 {
		return -1
	}
	return 1 + bits.OnesCount16(columns&(1<<column-1))
}
