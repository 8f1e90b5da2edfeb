package loglines

import "math"

// Ordered are lines of one log by their place, in the order of Lines.Order:
// all of them, or those that a reader chose.
type Ordered interface {
	Len() int
	Order(i int) int64
	FindOrder(order int64) int
}

// Cursor is a place among the lines of one log: the next line on is At, the
// next line back At-1. A type that embeds it can be walked over with others.
type Cursor struct {
	Lines Ordered
	At    int
	// Place is that of the log among all: it decides between equal times.
	Place int
}

func (c *Cursor) cursor() *Cursor { return c }

// next is the place of the next line in a direction and its order; false at
// the end.
func (c *Cursor) next(back bool) (at int, order int64, any bool) {
	if at = c.At; back {
		at--
	}
	if at < 0 || at >= c.Lines.Len() {
		return at, Unordered, false
	}
	return at, c.Lines.Order(at), true
}

// Order is the order of the next line on, that of the end without one.
func (c *Cursor) Order() int64 {
	if _, order, any := c.next(false); any {
		return order
	}
	return math.MaxInt64
}

// MoveTo puts the cursor before the first line with at least an order.
func (c *Cursor) MoveTo(order int64) {
	switch order {
	case math.MaxInt64:
		c.At = c.Lines.Len()
	case Unordered:
		c.At = 0
	default:
		c.At = c.Lines.FindOrder(order)
	}
}

// Walk goes through the lines of many logs in their order, on or back, and
// moves their cursors.
type Walk[C interface{ cursor() *Cursor }] struct{ merge Merge[C] }

// NewWalk begins a walk where the cursors are.
func NewWalk[C interface{ cursor() *Cursor }](cursors []C, back bool) *Walk[C] {
	w := &Walk[C]{Merge[C]{Back: back, heads: make([]head[C], 0, len(cursors))}}
	for _, one := range cursors {
		if _, order, any := one.cursor().next(back); any {
			w.merge.Push(one, order, int64(one.cursor().Place))
		}
	}
	return w
}

// Take goes over the next line: the log, the place of the line in it and its
// order; false at the end.
func (w *Walk[C]) Take() (log C, at int, order int64, any bool) {
	if w.merge.Len() == 0 {
		return log, 0, Unordered, false
	}
	log, order = w.merge.First()
	c := log.cursor()
	if at = c.At; w.merge.Back {
		at--
		c.At--
	} else {
		c.At++
	}
	if _, next, more := c.next(w.merge.Back); more {
		w.merge.Next(next)
	} else {
		w.merge.Drop()
	}
	return log, at, order, true
}
