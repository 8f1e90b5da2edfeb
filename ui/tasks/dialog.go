package tasks

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views/dialog"
)

// Dialog is a question that lies over the screen and has all keys.
type Dialog struct {
	*dialog.Dialog
	// Pressed does what was asked; the dialog is closed by then.
	Pressed func() tea.Cmd
	// Cancelled, when set, is told that it is not to be done.
	Cancelled func() tea.Cmd
	// Changed, when set, is told that a field has another value.
	Changed func() tea.Cmd
}

// ReportChange calls Changed where a field holds another value than before,
// which Values gave.
func (d *Dialog) ReportChange(before string) tea.Cmd {
	if d.Changed == nil || d.Values() == before {
		return nil
	}
	return d.Changed()
}

// Values is what the fields hold, to be compared.
func (d *Dialog) Values() string {
	var all []string
	for _, f := range d.Fields {
		if len(f.Choices) > 0 {
			all = append(all, f.Choices[f.Chosen])
		} else {
			all = append(all, f.Text)
		}
	}
	return strings.Join(all, "\x00")
}
