package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions/changes"
)

// outcomeTime is how long the cluster may take to show a change before a
// person is told what is missing; the grace period of pods is 30 s.
const outcomeTime = 2 * time.Minute

// outcome is a change that the cluster has yet to show.
type outcome struct {
	verb   changes.Verb
	target changes.Target
	until  time.Time
}

// followOutcomes looks for what was changed in the snapshot, and says what it
// finds, or what is missing after a while.
func (m *model) followOutcomes() tea.Cmd {
	if m.past() {
		return nil
	}
	var open []outcome
	var done, late []string
	for _, o := range m.outcomes {
		if o.target.Done == nil {
			continue
		}
		shown, rest := o.target.Done(m.snapshot)
		switch {
		case shown:
			done = append(done, name(o.target.Ref))
		case m.snapshot.Now.After(o.until):
			late = append(late, name(o.target.Ref)+": "+rest)
		default:
			open = append(open, o)
		}
	}
	was := m.outcomes
	m.outcomes = open
	switch {
	case len(late) > 0:
		return m.say("not done yet after "+outcomeTime.String()+": "+strings.Join(late, "; "), true)
	case len(done) > 0:
		return m.say(string(was[0].verb)+" is done: "+strings.Join(done, ", "), false)
	}
	return nil
}
