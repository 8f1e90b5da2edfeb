package loglines

import "math"

// Ordered are lines of one log by index, in the order of Lines.Order: all of
// them, or those that the caller chose.
type Ordered interface {
	Len() int
	Order(i int) int64
	FindOrder(order int64) int
}

// Cursor is a position among the lines of one log: the next line forward is
// At, the next line back At-1. A type that embeds it can be walked over with
// others.
type Cursor struct {
	Lines Ordered
	At    int
	// Place is the position of the log among all logs: it orders lines of
	// equal time.
	Place int
}

func (c *Cursor) cursor() *Cursor { return c }

// next returns the index of the next line in a direction and its order; false
// at the end.
func (c *Cursor) next(back bool) (at int, order int64, any bool) {
	if at = c.At; back {
		at--
	}
	if at < 0 || at >= c.Lines.Len() {
		return at, Unordered, false
	}
	return at, c.Lines.Order(at), true
}

// Order returns the order of the next line forward, or of the end without one.
func (c *Cursor) Order() int64 {
	if _, order, any := c.next(false); any {
		return order
	}
	return math.MaxInt64
}

// MoveTo moves the cursor before the first line with at least an order.
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

// Walk visits the lines of many logs in their order, forward or back, and
// moves their cursors.
type Walk[C interface{ cursor() *Cursor }] struct{ merge Merge[C] }

// NewWalk begins a walk at the cursors.
func NewWalk[C interface{ cursor() *Cursor }](cursors []C, back bool) *Walk[C] {
	w := &Walk[C]{Merge[C]{Back: back, heads: make([]head[C], 0, len(cursors))}}
	for _, one := range cursors {
		if _, order, any := one.cursor().next(back); any {
			w.merge.Push(one, order, int64(one.cursor().Place))
		}
	}
	return w
}

// Take moves past the next line and returns its log, its index and its order;
// false at the end.
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
