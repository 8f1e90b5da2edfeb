package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
)

// openReviewed lays a dialog over the screen, and has the rights reviewed that
// it needs while it is read: what is not allowed is refused with its reason.
func (m *model) openReviewed(d *openDialog, wanted ...actions.Access) tea.Cmd {
	m.open(d)
	actor, ctx := m.actor(), m.ctx
	if actor == nil {
		return nil
	}
	d.Waiting = "asking the API server whether you may …"
	return offLoop(func() tea.Msg { return rightsReviewed{d, actor.Allowed(ctx, wanted)} })
}

// rightsReviewed is what the API server allows.
type rightsReviewed struct {
	dialog   *openDialog
	verdicts []actions.Verdict
}

func (r rightsReviewed) arrive(m *model) tea.Cmd {
	r.dialog.Waiting = ""
	r.dialog.Refused = refusedBy(r.verdicts)
	return nil
}

// refusedBy is the reason of the first right that is missing, "" for none.
func refusedBy(verdicts []actions.Verdict) string {
	for _, v := range verdicts {
		if !v.Allowed && !v.Unknown {
			return v.Reason
		}
	}
	return ""
}
