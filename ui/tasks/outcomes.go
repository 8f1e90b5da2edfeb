package tasks

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions/changes"
)

// outcomeTime is how long the cluster may take to show a change before a notice
// names what is missing; the grace period of pods is 30 s.
const outcomeTime = 2 * time.Minute

// outcome is a change that the cluster does not show yet.
type outcome struct {
	verb   changes.Verb
	target changes.Target
	until  time.Time
}

// Outcomes are the changes that the cluster does not show yet.
type Outcomes struct {
	host *Host
	open []outcome
}

// Waiting is how many there are.
func (o *Outcomes) Waiting() int { return len(o.open) }

// add waits for one more.
func (o *Outcomes) add(verb changes.Verb, target changes.Target) {
	o.open = append(o.open, outcome{verb: verb, target: target, until: o.host.Session().Snapshot.Now.Add(outcomeTime)})
}

// Follow looks for the changes in the snapshot, and reports those it finds, or
// those that are missing after a while.
func (o *Outcomes) Follow() tea.Cmd {
	snapshot := o.host.Session().Snapshot
	var open []outcome
	var done, late []string
	for _, one := range o.open {
		if one.target.Done == nil {
			continue
		}
		shown, rest := one.target.Done(snapshot)
		switch {
		case shown:
			done = append(done, one.target.Ref.Title())
		case snapshot.Now.After(one.until):
			late = append(late, one.target.Ref.Title()+": "+rest)
		default:
			open = append(open, one)
		}
	}
	was := o.open
	o.open = open
	switch {
	case len(late) > 0:
		return o.host.Notify("not done yet after "+outcomeTime.String()+": "+strings.Join(late, "; "), true)
	case len(done) > 0:
		return o.host.Notify(was[0].verb.Word()+" is done: "+strings.Join(done, ", "), false)
	}
	return nil
}
