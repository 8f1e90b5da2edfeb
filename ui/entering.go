package ui

import (
	"context"
	"errors"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/actions/targets"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// enter gives the terminal to a shell in the chosen rank, or to the process
// that it runs.
func (m *model) enter(action keymap.Action, on []train.Ref) tea.Cmd {
	target, err := m.target(on)
	if err != nil {
		return m.say(err.Error(), true)
	}
	return m.enterTarget(action, target)
}

func (m *model) enterTarget(action keymap.Action, target actions.Target) tea.Cmd {
	what, leave := "shell", "exit or ctrl-d leaves"
	begin, deaf := actions.OpenShell, false
	if action == keymap.Attach {
		how := withoutTerminal
		if targets.HasTerminal(m.snapshot, target) {
			how = withTerminal
		}
		what, leave, begin = "attach", how.says, how.run
		deaf = how.deaf
	}
	record, err := m.recordVisit(what, target)
	if err != nil {
		return m.say("it cannot be recorded, so it is not done: "+err.Error(), true)
	}
	actor := m.actor()
	in := &terminalCommand{
		ctx:    m.ctx,
		deaf:   deaf,
		banner: draw.Clean(fmt.Sprintf("%s in %s/%s %s; %s", what, target.Namespace, target.Pod, target.Name, leave)),
		run: func(ctx context.Context, stdin io.Reader, stdout io.Writer, sizes <-chan actions.Size) error {
			return begin(ctx, actor, actions.Exec{Container: target.Container, Stdin: stdin, Stdout: stdout, TTY: true, Sizes: sizes})
		},
	}
	return m.exec(in, func(err error) tea.Msg {
		return entered{what, target, errors.Join(err, record.End(nil))}
	})
}

// entered is the end of a shell.
type entered struct {
	what   string
	target actions.Target
	err    error
}

func (e entered) arrive(m *model) tea.Cmd {
	var failure *actions.Failure
	where := e.what + " in " + e.target.Pod
	switch end := actions.ShellEnd(e.err); {
	case errors.Is(e.err, errLeft):
		return m.say(e.target.Pod+": "+errLeft.Error(), false)
	case end == "":
		return m.say(where+" ended", false)
	case errors.As(e.err, &failure) && failure.Kind == actions.NoProgram && e.what == "shell":
		return m.askDebug(e.target, end)
	case errors.As(e.err, &failure):
		return m.say(where+": "+end, true)
	default:
		return m.say(where+" ended with "+end, false)
	}
}

// recordVisit records that a person goes into a container.
func (m *model) recordVisit(what string, t actions.Target) (*audit.Record, error) {
	if m.o.Audit == nil {
		return nil, nil
	}
	pod := train.Ref{Kind: "Pod", Namespace: t.Namespace, Name: t.Pod, UID: t.PodUID}
	return m.o.Audit.Begin(audit.Change{Context: m.session.Context, Verb: what, Object: pod, Request: "container " + t.Name})
}
