package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/changes"
	"github.com/traintop/traintop/actions/targets"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// actor is what acts in the cluster, nil where there is none, and while the
// past is shown, in which nothing can be done.
func (m *model) actor() actions.Actor {
	if m.past() {
		return nil
	}
	return m.session.Actor
}

// rights are what may be done on this session.
func (m *model) rights() keymap.Rights {
	return keymap.Rights{ReadOnly: m.session.ReadOnly, NoCluster: m.actor() == nil, NoPast: m.session.Past == nil}
}

// act does in the cluster what a key or a screen asks for, to the objects on,
// or to what the screen has selected. handled is false for other actions.
func (m *model) act(action keymap.Action, on []train.Ref) (cmd tea.Cmd, handled bool) {
	if action.Effect() == keymap.Looks {
		return nil, false
	}
	switch {
	case !m.rights().Offers(action):
		return m.say("nothing is changed here: this session is read-only", true), true
	case m.past():
		return m.say("this is how it was at "+clockTime(m.travel.at)+"; "+keymap.Print(keymap.KeyOf(keymap.TravelNow))+" goes back to now, where things can be done", true), true
	case m.actor() == nil:
		return m.say("there is no cluster here to act in, only what was read from "+m.session.Context, true), true
	}
	if on == nil {
		on = m.selected()
	}
	if len(on) == 0 {
		return m.say("nothing is chosen that this could be done to", true), true
	}
	return m.actOn(action, on), true
}

// selected are the objects that the screen has under its cursor, or marked.
func (m *model) selected() []train.Ref {
	selecting, is := m.top().(views.Selecting)
	if !is {
		return nil
	}
	var refs []train.Ref
	for _, ref := range selecting.Selected(m.frame()) {
		if ref.Kind != "" {
			refs = append(refs, ref)
		}
	}
	return refs
}

func (m *model) actOn(action keymap.Action, on []train.Ref) tea.Cmd {
	if verb, is := verbOf[action]; is {
		return m.tasks.Changes.Start(verb, on)
	}
	switch action {
	case keymap.Edit:
		return m.tasks.Edits.Start(on)
	case keymap.ShowSMI:
		return m.openPlace(views.Place{Screen: "smi", Pods: on})
	case keymap.ShowProbes:
		return m.openPlace(views.Place{Screen: "probes", Pods: on})
	}
	return m.actInContainer(action, on)
}

// actInContainer does what needs the one container that was meant.
func (m *model) actInContainer(action keymap.Action, on []train.Ref) tea.Cmd {
	begin := map[keymap.Action]func(actions.Target) tea.Cmd{
		keymap.Shell: m.tasks.Shells.Start, keymap.Attach: m.tasks.Shells.Attach,
		keymap.ForwardPort: m.tasks.Forwards.Start, keymap.CopyFiles: m.tasks.Copies.Start,
	}[action]
	if begin == nil {
		return nil
	}
	target, err := m.target(on)
	if err != nil {
		return m.say(err.Error(), true)
	}
	return begin(target)
}

// verbOf are the actions that are changes of objects.
var verbOf = map[keymap.Action]changes.Verb{
	keymap.Delete: changes.Delete, keymap.RestartRank: changes.RestartRank, keymap.Suspend: changes.Suspend,
	keymap.ScaleJob: changes.Scale, keymap.Cordon: changes.Cordon, keymap.Uncordon: changes.Uncordon,
}

// target is the one container that is meant by what was chosen: the rank that
// failed first where a job was chosen and its diagnosis names one, else the
// first that runs.
func (m *model) target(on []train.Ref) (actions.Target, error) {
	all := targets.Of(m.snapshot, on)
	if len(all) == 0 {
		return actions.Target{}, fmt.Errorf("%s has no pod to run anything in", on[0])
	}
	if len(all) == 1 {
		return all[0], nil
	}
	running, _ := targets.Running(m.snapshot, all)
	if len(running) == 0 {
		return actions.Target{}, fmt.Errorf("no rank of %s runs: their logs (l) tell why", on[0])
	}
	if root := m.rootRank(on[0]); root >= 0 {
		for _, t := range running {
			if t.Index == root {
				return t, nil
			}
		}
	}
	return running[0], nil
}

// rootRank is the rank that the diagnosis of a job holds for the first to
// fail, -1 for none.
func (m *model) rootRank(job train.Ref) int {
	if m.analysis.report == nil {
		return -1
	}
	answer := m.analysis.report.Job(job.JobID())
	if answer == nil {
		return -1
	}
	for i := range answer.Findings {
		if rank := answer.Findings[i].RootRank; rank >= 0 {
			return rank
		}
	}
	return -1
}

// clockOf is the clock that what is done is dated by.
func (m *model) clockOf() func() time.Time {
	if m.o.Now != nil {
		return m.o.Now
	}
	at := m.snapshot.Now
	return func() time.Time { return at }
}
