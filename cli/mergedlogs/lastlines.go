package mergedlogs

import "slices"

// lastLines are the newest lines of one log that wait for its end, where only so many
// of the last lines are printed (LineFilter.KeepLast).
type lastLines struct {
	lines []heldLine
	count int // of lines that were selected so far
	found int // of those that wait, without the lines around them
	// released is true once lines are printed as they come.
	released bool
}

// keep holds a selected line, or lets it wait for the end of its log.
//
// A server that was asked for the last lines alone sends no others, so that these may
// be printed as they come once the lines of all logs that wait take more than HeldBytes.
// A log with more lines than were asked for is not released: its server sends everything.
func (m *Merge) keep(q *logQueue, line heldLine) {
	q.last.count++
	if m.filter.last == 0 || q.last.released {
		if m.filter.last > 0 && q.last.count == m.filter.last+1 {
			m.Overlong++
		}
		q.hold(m, line)
		return
	}
	q.last.lines = append(q.last.lines, line)
	m.keptBack += line.size()
	if !line.beside {
		q.last.found++
	}
	if q.last.found > m.filter.last {
		m.dropFirst(q)
	}
	if m.keptBack > HeldBytes && !m.filter.Selects() && q.last.count <= m.filter.last {
		m.release(q)
		q.last.released = true
	}
}

// dropFirst drops the first line that was found, with the lines around it that are not
// before the next one.
func (m *Merge) dropFirst(q *logQueue) {
	lines := q.last.lines
	first := slices.IndexFunc(lines, func(l heldLine) bool { return !l.beside })
	next := first + 1 + slices.IndexFunc(lines[first+1:], func(l heldLine) bool { return !l.beside })
	until := max(first+1, next-m.filter.around)
	for i := range until {
		m.keptBack -= lines[i].size()
		lines[i] = heldLine{}
	}
	q.last.lines, q.last.found = lines[until:], q.last.found-1
}

// release holds the lines that waited.
func (m *Merge) release(q *logQueue) {
	for i := range q.last.lines {
		m.keptBack -= q.last.lines[i].size()
		q.hold(m, q.last.lines[i])
	}
	q.last.lines, q.last.found = nil, 0
}
