package tasks

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
)

// Why a session does not act.
const (
	readOnly  = "nothing is changed here: this session is read-only"
	noCluster = "there is no cluster here to act in now"
)

// actor is who acts in the cluster. A task asks for it each time that it is about to
// send something: while an object was read or a copy ran, a person can have gone to
// the past.
func (h *Host) actor() (actions.Actor, error) {
	actor := h.Session().Actor
	if actor == nil {
		return nil, errors.New(noCluster)
	}
	return actor, nil
}

// changer is who changes the cluster: as actor, and nobody in a read-only session.
func (h *Host) changer() (actions.Actor, error) {
	if h.Session().ReadOnly {
		return nil, errors.New(readOnly)
	}
	return h.actor()
}

// openReviewed shows a dialog over the screen, and reviews the rights that it
// needs while a person reads it: an action that is not allowed is refused with
// its reason.
func (h *Host) openReviewed(d *Dialog, wanted ...actions.Access) tea.Cmd {
	h.Open(d)
	actor, ctx := h.Session().Actor, h.Ctx
	if actor == nil {
		return nil
	}
	d.Waiting = "asking the API server whether you may …"
	return h.OffLoop(func() tea.Msg { return rightsReviewed{d, actor.Allowed(ctx, wanted)} })
}

// rightsReviewed is the result of the rights review.
type rightsReviewed struct {
	dialog   *Dialog
	verdicts []actions.Verdict
}

// Arrive shows refusals in the dialog.
func (r rightsReviewed) Arrive() tea.Cmd {
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
