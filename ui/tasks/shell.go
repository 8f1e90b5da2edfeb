package tasks

import (
	"context"
	"errors"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/targets"
	"github.com/traintop/traintop/ui/terminal"
	"github.com/traintop/traintop/views/draw"
)

// Shells gives the terminal to shells in containers and to the processes that
// containers run.
type Shells struct {
	host   *Host
	debugs *Debugs
}

// Attach attaches the terminal to the process of a container.
func (s *Shells) Attach(target actions.Target) tea.Cmd { return s.enter(true, target) }

// Start opens a shell in a container; where there is none, a debug container
// is offered.
func (s *Shells) Start(target actions.Target) tea.Cmd { return s.enter(false, target) }

func (s *Shells) enter(attach bool, target actions.Target) tea.Cmd {
	actor, err := s.host.changer()
	if err != nil {
		return s.host.Notify(err.Error(), true)
	}
	what, leave := "shell", "exit or ctrl-d leaves"
	begin, deaf := actions.OpenShell, false
	if attach {
		how := terminal.WithoutTerminal
		if targets.HasTerminal(s.host.Session().Snapshot, target) {
			how = terminal.WithTerminal
		}
		what, leave, begin = "attach", how.Hint, how.Run
		deaf = how.Deaf
	}
	record, err := s.host.beginRecord(what, target.PodRef(), "container "+target.Name)
	if err != nil {
		return s.host.Notify("it cannot be recorded, so it is not done: "+err.Error(), true)
	}
	in := &terminal.Command{
		Ctx:    s.host.Ctx,
		Deaf:   deaf,
		Banner: draw.Clean(fmt.Sprintf("%s in %s/%s %s; %s", what, target.Namespace, target.Pod, target.Name, leave)),
		Do: func(ctx context.Context, stdin io.Reader, stdout io.Writer, sizes <-chan actions.Size) error {
			return begin(ctx, actor, actions.Exec{Container: target.Container, Stdin: stdin, Stdout: stdout, TTY: true, Sizes: sizes})
		},
	}
	return s.host.Lend(in, func(err error) tea.Msg {
		return shellEnded{s.debugs, what, target, errors.Join(err, record.End(nil))}
	})
}

// shellEnded is the end of a shell.
type shellEnded struct {
	debugs *Debugs
	what   string
	target actions.Target
	err    error
}

// Arrive reports how it ended, and offers a debug container where there was no
// shell.
func (e shellEnded) Arrive() tea.Cmd {
	notify := e.debugs.host.Notify
	var failure *actions.Failure
	where := e.what + " in " + e.target.Pod
	switch end := actions.ShellEnd(e.err); {
	case errors.Is(e.err, terminal.ErrLeft):
		return notify(e.target.Pod+": "+terminal.ErrLeft.Error(), false)
	case end == "":
		return notify(where+" ended", false)
	case errors.As(e.err, &failure) && failure.Kind == actions.NoProgram && e.what == "shell":
		return e.debugs.Start(e.target, end)
	case errors.As(e.err, &failure):
		return notify(where+": "+end, true)
	default:
		return notify(where+" ended with "+end, false)
	}
}
