package tasks

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views/dialog"
)

// Dialog is a question over the screen that gets all keys.
type Dialog struct {
	*dialog.Dialog
	// Pressed carries out the action; the dialog is closed by then.
	Pressed func() tea.Cmd
	// Cancelled, when set, is called when the person cancels.
	Cancelled func() tea.Cmd
	// Changed, when set, is called when a field's value has changed.
	Changed func() tea.Cmd
}

// ReportChange calls Changed where a field's value differs from before, a
// result of Values.
func (d *Dialog) ReportChange(before string) tea.Cmd {
	if d.Changed == nil || d.Values() == before {
		return nil
	}
	return d.Changed()
}

// Values are the values of the fields, for comparison.
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
