package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/ui/tasks"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/dialog"
)

// confirm asks the person before it carries out a screen's effect.
func (a *acting) confirm(c views.Confirm) tea.Cmd {
	switch {
	case a.m.session.ReadOnly:
		return a.m.say("nothing is changed here: this session is read-only", true)
	case a.actor() == nil:
		return a.m.say("there is no cluster here to act in, only what was read from "+a.m.session.Context, true)
	}
	d := &tasks.Dialog{Dialog: &dialog.Dialog{Title: c.Title, Does: c.Does}}
	for i, text := range c.Lines {
		role := themes.Text
		if i > 0 {
			role = themes.Dim
		}
		d.Lines = append(d.Lines, dialog.Line{Role: role, Text: text})
	}
	d.Pressed = func() tea.Cmd { return a.m.nav.apply(c.Then) }
	a.m.open(d)
	return nil
}
