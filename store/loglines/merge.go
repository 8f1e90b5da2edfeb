package loglines

// Merge is a heap of logs in the order of their next lines, which order.go makes from
// their times. `logs` and the screen merge with it. The zero value is empty and goes
// forward in time.
type Merge[L any] struct {
	// Back reverses the order: the newest line comes first.
	Back  bool
	heads []head[L]
}

// head is a log and the order of its next line.
type head[L any] struct {
	order, place int64
	log          L
}

// Len returns how many logs have a next line.
func (m *Merge[L]) Len() int { return len(m.heads) }

// First returns the log with the first of the next lines, and that line's
// order.
func (m *Merge[L]) First() (log L, order int64) { return m.heads[0].log, m.heads[0].order }

// Push adds a log by the order of its next line. place orders logs with equal
// lines.
func (m *Merge[L]) Push(log L, order, place int64) {
	m.heads = append(m.heads, head[L]{order, place, log})
	for i := len(m.heads) - 1; i > 0 && m.before(i, (i-1)/2); i = (i - 1) / 2 {
		m.swap(i, (i-1)/2)
	}
}

// Next advances the first log to a line with this order.
func (m *Merge[L]) Next(order int64) {
	m.heads[0].order = order
	m.sink()
}

// Drop removes the first log: it has no further line.
func (m *Merge[L]) Drop() {
	last := len(m.heads) - 1
	m.heads[0] = m.heads[last]
	m.heads[last] = head[L]{}
	m.heads = m.heads[:last]
	m.sink()
}

// Each calls visit with all logs, in no order.
func (m *Merge[L]) Each(visit func(L)) {
	for i := range m.heads {
		visit(m.heads[i].log)
	}
}

// sink moves the first log down the heap.
func (m *Merge[L]) sink() {
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.heads); child++ {
			if m.before(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		m.swap(i, least)
		i = least
	}
}

func (m *Merge[L]) swap(i, j int) { m.heads[i], m.heads[j] = m.heads[j], m.heads[i] }

// before reports whether the line of one log comes before that of the other.
// The order back is exactly the order forward, reversed.
func (m *Merge[L]) before(i, j int) bool {
	a, b := &m.heads[i], &m.heads[j]
	if a.order != b.order {
		return a.order < b.order != m.Back
	}
	return a.place < b.place != m.Back
}
