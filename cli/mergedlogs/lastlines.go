package mergedlogs

// lastLines are the newest lines of one log that wait for its end, where only so many
// of the last lines are printed (LineFilter.KeepLast).
type lastLines struct {
	lines []heldLine
	count int // of lines that were selected so far
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
	if len(q.last.lines) > m.filter.last {
		m.keptBack -= q.last.lines[0].size()
		q.last.lines[0] = heldLine{}
		q.last.lines = q.last.lines[1:]
	}
	if m.keptBack > HeldBytes && !m.filter.Selects() && q.last.count <= m.filter.last {
		m.release(q)
		q.last.released = true
	}
}

// release holds the lines that waited.
func (m *Merge) release(q *logQueue) {
	for i := range q.last.lines {
		m.keptBack -= q.last.lines[i].size()
		q.hold(m, q.last.lines[i])
	}
	q.last.lines = nil
}
