package ui

import "github.com/traintop/traintop/views"

// opening is the first screen of a session of log files alone. It is decided
// once, and not after a key was pressed.
type opening struct{ decided bool }

// openLog opens the charts, and the log below them, of the one run that a
// session of log files has.
func (m *model) openLog() {
	s := m.snapshot
	if m.opening.decided || !s.Settled() {
		return
	}
	runs := s.LogJobs()
	if len(runs) == 0 {
		return
	}
	m.opening.decided = true
	if len(runs) == 1 && len(s.Jobs()) == 0 && len(s.Nodes()) == 0 && len(m.stack) == 1 && m.top().Name() == "jobs" {
		m.nav.open(views.ChartsRoute{Job: runs[0].ID})
	}
}
