package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/views/draw"
)

// noticeTime is how long a notice replaces the footer, as in k9s.
const noticeTime = 6 * time.Second

// notice is one line about the last action.
type notice struct {
	text       string
	failed     bool
	generation int
	// quits means that the key that made this notice quits while it is shown.
	quits bool
}

// say shows a notice for a while, without secrets that an answer quotes.
func (m *model) say(text string, failed bool) tea.Cmd {
	m.notice = notice{text: draw.Clean(redact.Text(text)), failed: failed, generation: m.notice.generation + 1}
	return m.after(noticeTime, noticeOver(m.notice.generation))
}

// noticeOver removes the notice of its generation.
type noticeOver int

func (n noticeOver) arrive(m *model) tea.Cmd {
	if int(n) != m.notice.generation {
		return nil
	}
	m.notice.text, m.notice.quits = "", false
	return m.warn()
}

// warn shows the next of the warnings that the program began with.
func (m *model) warn() tea.Cmd {
	if len(m.warnings) == 0 {
		return nil
	}
	next := m.warnings[0]
	m.warnings = m.warnings[1:]
	return m.say(next, true)
}
