package history

import (
	"slices"
	"sort"
	"time"

	"github.com/traintop/traintop/train"
)

// Points are numbers of one column, in any order; points in order of time are
// faster.
type Points struct {
	Column int
	Points []train.Point
}

// Fill adds numbers that arrive late: measured before the ring's owner began
// to measure, or while it could not. It drops a number that lies before
// now-Span or after now, or less than spacing from a known number of its
// column. A number less than half of spacing from a row joins that row.
func (r *Ring) Fill(now time.Time, spacing time.Duration, more ...Points) {
	f := filling{rows: r.past.all(), near: max(2, tenths(spacing))}
	first, last := instantOf(now)-tenths(Span), instantOf(now)
	for _, points := range more {
		for _, p := range points.Points {
			if t := instantOf(p.At); t >= first && t <= last {
				f.add(t, points.Column, p.Value)
			}
		}
	}
	if f.changed {
		r.rewrite(f.rows)
	}
}

// filling holds the rows of a ring while numbers are added.
type filling struct {
	rows    []timedRow // in order of time
	near    instant
	changed bool
}

func (f *filling) add(at instant, column int, value float64) {
	cell := shorten(value)
	if cell == unknown {
		return
	}
	i := sort.Search(len(f.rows), func(i int) bool { return f.rows[i].at >= at })
	if f.known(i, at, column) {
		return
	}
	f.changed = true
	if n := f.nearest(i, at); n >= 0 {
		f.rows[n].set(column, cell)
		return
	}
	row := timedRow{at: at}
	row.set(column, cell)
	f.rows = slices.Insert(f.rows, i, row)
}

func (r *Row) set(column int, cell short) {
	r.cells[column] = cell
	r.known |= 1 << column
}

// known reports whether a row near the index i has a number in the column.
func (f *filling) known(i int, at instant, column int) bool {
	for n := i; n < len(f.rows) && f.rows[n].at-at < f.near; n++ {
		if f.rows[n].knows(column) {
			return true
		}
	}
	for n := i - 1; n >= 0 && at-f.rows[n].at < f.near; n-- {
		if f.rows[n].knows(column) {
			return true
		}
	}
	return false
}

// nearest returns the index of a row that the number may join, -1 when there
// is none.
func (f *filling) nearest(i int, at instant) int {
	best, distance := -1, (f.near+1)/2
	for _, n := range [...]int{i - 1, i} {
		if n >= 0 && n < len(f.rows) && max(f.rows[n].at-at, at-f.rows[n].at) < distance {
			best, distance = n, max(f.rows[n].at-at, at-f.rows[n].at)
		}
	}
	return best
}
