package ui

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/changes"
	"github.com/traintop/traintop/actions/targets"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// acting carries out actions of keys and screens in the cluster.
type acting struct{ m *model }

// actor returns the actor of the cluster; nil without a cluster, and while a
// past instant is shown, in which nothing can be changed.
func (a *acting) actor() actions.Actor {
	if a.m.travel.past() {
		return nil
	}
	return a.m.session.Actor
}

// rights are the actions allowed in this session.
func (a *acting) rights() keymap.Rights {
	return keymap.Rights{
		ReadOnly: a.m.session.ReadOnly, NoCluster: a.actor() == nil, NoPast: a.m.session.Past == nil, NoFilter: !a.m.filters(), Own: a.m.own.bindings,
	}
}

// act carries out an action in the cluster, on the objects on, or on the
// screen's selection. handled is false for other actions.
func (a *acting) act(action keymap.Action, on []train.Ref) (cmd tea.Cmd, handled bool) {
	if action.Impact() == keymap.Looks {
		return nil, false
	}
	switch {
	case !a.rights().Offers(action):
		return a.m.say("nothing is changed here: this session is read-only", true), true
	case a.m.travel.past():
		return a.m.say("this is how it was at "+clockTime(a.m.travel.at)+"; "+keymap.Print(keymap.KeyOf(keymap.TravelNow))+" goes back to now, where things can be done", true), true
	case a.actor() == nil:
		return a.m.say("there is no cluster here to act in, only what was read from "+a.m.session.Context, true), true
	}
	if on == nil {
		on = a.selected()
	}
	if len(on) == 0 {
		return a.m.say("nothing is chosen that this could be done to", true), true
	}
	return a.actOn(action, on), true
}

// selected are the objects under the screen's cursor, or marked.
func (a *acting) selected() []train.Ref {
	selecting, is := a.m.top().(views.Selecting)
	if !is {
		return nil
	}
	var refs []train.Ref
	for _, ref := range selecting.Selected(a.m.frame()) {
		if ref.Kind != "" {
			refs = append(refs, ref)
		}
	}
	return refs
}

func (a *acting) actOn(action keymap.Action, on []train.Ref) tea.Cmd {
	if verb, is := verbOf[action]; is {
		return a.m.tasks.Changes.Start(verb, on)
	}
	switch action {
	case keymap.Edit:
		return a.m.tasks.Edits.Start(on)
	case keymap.ShowSMI:
		return a.m.nav.open(views.SMIRoute{Pods: on})
	case keymap.DecodeSecret:
		return a.decodeSecret(on[0])
	case keymap.NodeShell:
		return a.m.tasks.NodeShells.Start(on[0], a.m.namespace)
	case keymap.ShowProbes:
		return a.m.nav.open(views.ProbesRoute{Pods: on})
	}
	return a.actInContainer(action, on)
}

// decodeSecret asks before it shows the values of a Secret.
func (a *acting) decodeSecret(ref train.Ref) tea.Cmd {
	reader := a.m.resources.reader()
	switch {
	case ref.Group != "" || ref.Kind != "Secret":
		return a.m.say("only a Secret has values to decode", true)
	case reader == nil:
		return a.m.say("there is no cluster here to read the Secret from", true)
	}
	read := func(ctx context.Context) (map[string]string, error) { return reader.SecretValues(ctx, ref) }
	return a.m.tasks.Secrets.Start(ref, read, func(title, text string) tea.Cmd {
		return a.m.nav.open(views.TextRoute{Title: title, Text: text, Secret: true})
	})
}

// actInContainer carries out an action that needs one container.
func (a *acting) actInContainer(action keymap.Action, on []train.Ref) tea.Cmd {
	begin := map[keymap.Action]func(actions.Target) tea.Cmd{
		keymap.Shell: a.m.tasks.Shells.Start, keymap.Attach: a.m.tasks.Shells.Attach,
		keymap.ForwardPort: a.m.tasks.Forwards.Start, keymap.CopyFiles: a.m.tasks.Copies.Start,
	}[action]
	if begin == nil {
		return nil
	}
	target, err := a.target(on)
	if err != nil {
		return a.m.say(err.Error(), true)
	}
	return begin(target)
}

// verbOf maps actions that change objects to their verbs.
var verbOf = map[keymap.Action]changes.Verb{
	keymap.Delete: changes.Delete, keymap.RestartRank: changes.RestartRank, keymap.Suspend: changes.Suspend,
	keymap.ScaleJob: changes.Scale, keymap.Cordon: changes.Cordon, keymap.Uncordon: changes.Uncordon, keymap.Drain: changes.Drain,
	keymap.Replicas: changes.Replicas, keymap.Schedule: changes.Schedule, keymap.Trigger: changes.Trigger,
}

// target returns the one container for a selection: the rank that failed first
// where a job was chosen and its diagnosis names one, else the first that runs.
func (a *acting) target(on []train.Ref) (actions.Target, error) {
	all := targets.Of(a.m.snapshot, on)
	if len(all) == 0 {
		return actions.Target{}, fmt.Errorf("%s has no pod to run anything in", on[0])
	}
	if len(all) == 1 {
		return all[0], nil
	}
	running, _ := targets.Running(a.m.snapshot, all)
	if len(running) == 0 {
		return actions.Target{}, fmt.Errorf("no rank of %s runs: their logs (l) tell why", on[0])
	}
	return a.failedOr(running[0], running, on[0]), nil
}

// named is the one container that a command of a person's own is about: as target, but
// what failed need not run any more.
func (a *acting) named(on train.Ref) (actions.Target, bool) {
	all := targets.Of(a.m.snapshot, []train.Ref{on})
	if len(all) == 0 {
		return actions.Target{}, false
	}
	other := all[0]
	if running, _ := targets.Running(a.m.snapshot, all); len(running) > 0 {
		other = running[0]
	}
	return a.failedOr(other, all, on), true
}

// failedOr is the container of the rank that failed first, if it is among some, or another.
func (a *acting) failedOr(other actions.Target, among []actions.Target, job train.Ref) actions.Target {
	root := a.rootRank(job)
	if i := slices.IndexFunc(among, func(t actions.Target) bool { return root >= 0 && t.Index == root }); i >= 0 {
		return among[i]
	}
	return other
}

// rootRank is the rank that failed first according to the diagnosis of a job,
// -1 for none.
func (a *acting) rootRank(job train.Ref) int {
	if a.m.analysis.report == nil {
		return -1
	}
	answer := a.m.analysis.report.Job(job.JobID())
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

// clock is the clock that dates changes.
func (a *acting) clock() func() time.Time {
	if a.m.o.Now != nil {
		return a.m.o.Now
	}
	at := a.m.snapshot.Now
	return func() time.Time { return at }
}
