package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/ui/tasks"
)

// taskHost is what tasks see of the model.
func (m *model) taskHost() *tasks.Host {
	return &tasks.Host{
		Ctx: m.ctx, Audit: m.o.Audit, Environment: m.environment, Background: m.under,
		Notify: m.say, Open: m.open,
		Shown: func() *tasks.Dialog { return m.dialog },
		Lend:  func(c tea.ExecCommand, then tea.ExecCallback) tea.Cmd { return m.exec(c, then) },
		Session: func() tasks.Session {
			return tasks.Session{
				Snapshot: m.snapshot, Actor: m.actor(), Context: m.session.Context, ReadOnly: m.session.ReadOnly,
				Now: m.clockOf(), Glyphs: m.theme.Glyphs,
			}
		},
	}
}

// followOutcomes looks for what was changed in a new snapshot of the present.
func (m *model) followOutcomes() tea.Cmd {
	if m.past() {
		return nil
	}
	return m.tasks.Outcomes.Follow()
}

// copies reports whether files are being copied.
func (m *model) copies() bool {
	_, _, known := m.tasks.Copies.Progress()
	return known
}
