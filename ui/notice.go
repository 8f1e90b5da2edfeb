package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views/draw"
)

// noticeTime is how long a notice stands in place of the footer, as in k9s.
const noticeTime = 6 * time.Second

// notice is one line about what just happened.
type notice struct {
	text       string
	failed     bool
	generation int
	// quits means that the key that made this notice quits while it stands.
	quits bool
}

// say shows a notice for a while.
func (m *model) say(text string, failed bool) tea.Cmd {
	m.notice = notice{text: draw.Clean(text), failed: failed, generation: m.notice.generation + 1}
	return m.after(noticeTime, noticeOver(m.notice.generation))
}

// noticeOver takes the notice of its generation away.
type noticeOver int

func (n noticeOver) arrive(m *model) tea.Cmd {
	if int(n) != m.notice.generation {
		return nil
	}
	m.notice.text, m.notice.quits = "", false
	return m.warn()
}

// warn says the next of the warnings that the program began with.
func (m *model) warn() tea.Cmd {
	if len(m.warnings) == 0 {
		return nil
	}
	next := m.warnings[0]
	m.warnings = m.warnings[1:]
	return m.say(next, true)
}
