package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/ui/tasks"
	"github.com/traintop/traintop/views"
)

// host is the tasks' view of the model.
func (a *acting) host() *tasks.Host {
	return &tasks.Host{
		Ctx: a.m.ctx, Audit: a.m.o.Audit, Environment: a.m.environment, Background: a.m.under,
		Notify: a.m.say, Open: a.m.open,
		ShowText: func(title, text string) tea.Cmd {
			return a.m.nav.open(views.TextRoute{Title: title, Text: text})
		},
		Shown: func() *tasks.Dialog { return a.m.dialog },
		Lend:  func(c tea.ExecCommand, then tea.ExecCallback) tea.Cmd { return a.m.exec(c, then) },
		Session: func() tasks.Session {
			return tasks.Session{
				Snapshot: a.m.snapshot, Actor: a.actor(), Context: a.m.session.Context, ReadOnly: a.m.session.ReadOnly,
				Now: a.clock(), Glyphs: a.m.theme.Glyphs,
			}
		},
	}
}

// followOutcomes looks for pending changes in a new snapshot of the present.
func (a *acting) followOutcomes() tea.Cmd {
	if a.m.travel.past() {
		return nil
	}
	return a.m.tasks.Outcomes.Follow()
}

// copies reports whether files are being copied.
func (a *acting) copies() bool {
	_, _, known := a.m.tasks.Copies.Progress()
	return known
}
