package loglines

import (
	"sort"
	"time"
)

// Lines of many logs are ordered by the time that a log has reached, and equal
// ones by the place of the log. A log reaches a time with its first line of
// that time or a later one, so its lines keep their order: a line without a
// time, or with an earlier one after a clock was set back, follows the line
// before it. Lines before the first time come first.

// Unordered is the order of lines before the first time of their log: before
// all others.
const Unordered = noTime

// OrderAfter returns the order of a line with a time, zero for none, that
// follows a line of the same log with the order before: nanoseconds since
// 1970.
func OrderAfter(before int64, t time.Time) int64 { return max(before, nanosOf(t)) }

// OrderAt returns the order of an instant among lines, Unordered for the zero
// time.
func OrderAt(t time.Time) int64 { return nanosOf(t) }

// Order returns the order of a line by its index. Dropped lines count: the
// order stays the same as long as the line is kept.
func (l *Lines) Order(i int) int64 {
	if l.isNewest(i) {
		return OrderAfter(l.reached, l.newest.Time)
	}
	n := l.chunkWith(i)
	return l.chunk(n).order(i - l.start(n))
}

// FindOrder returns the index of the first line with at least an order; Len
// when there is none.
func (l *Lines) FindOrder(order int64) int {
	n := sort.Search(l.chunks(), func(n int) bool {
		c := l.chunk(n)
		return max(c.floor, c.latest) >= order
	})
	switch {
	case n < l.chunks() && l.chunk(n).floor >= order:
		return l.start(n)
	case n < l.chunks():
		return l.start(n) + l.chunk(n).findTime(order)
	case l.any && l.Order(l.lines-1) >= order:
		return l.lines - 1
	}
	return l.lines
}

// order returns the order of a line of the chunk.
func (c *chunk) order(i int) int64 {
	if c.jumpsBack {
		order := c.floor
		for _, m := range c.marks[:i+1] {
			order = max(order, m.nanos)
		}
		return order
	}
	for ; i >= 0 && c.latest != noTime; i-- {
		if nanos := c.marks[i].nanos; nanos != noTime {
			return nanos
		}
	}
	return c.floor
}
