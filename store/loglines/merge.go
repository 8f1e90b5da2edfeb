package loglines

// Merge has logs in the order of their next lines, as a heap. The zero value
// is empty and goes on in time.
type Merge[L any] struct {
	// Back turns the order round: the newest line comes first.
	Back  bool
	heads []head[L]
}

// head is a log and where its next line stands in the order of all.
type head[L any] struct {
	order, place int64
	log          L
}

// Len is how many logs have a next line.
func (m *Merge[L]) Len() int { return len(m.heads) }

// First is the log with the first of the next lines, and the order of that.
func (m *Merge[L]) First() (log L, order int64) { return m.heads[0].log, m.heads[0].order }

// Push adds a log by the order of its next line. The place of the log decides
// between equal ones.
func (m *Merge[L]) Push(log L, order, place int64) {
	m.heads = append(m.heads, head[L]{order, place, log})
	for i := len(m.heads) - 1; i > 0 && m.before(i, (i-1)/2); i = (i - 1) / 2 {
		m.swap(i, (i-1)/2)
	}
}

// Next has the first log go on to a line with this order.
func (m *Merge[L]) Next(order int64) {
	m.heads[0].order = order
	m.sink()
}

// Drop takes the first log out: it has no further line.
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

// sink moves the first log down to its place.
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

// before reports which of two logs has the first line. The order back is
// exactly the order on, turned round.
func (m *Merge[L]) before(i, j int) bool {
	a, b := &m.heads[i], &m.heads[j]
	if a.order != b.order {
		return a.order < b.order != m.Back
	}
	return a.place < b.place != m.Back
}
