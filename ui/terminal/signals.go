package terminal

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// Signals restores the terminal whatever signal arrives: before the
// program stops or dies of one; and sets it up again afterwards.
type Signals struct {
	program *tea.Program
	// leave ends the interface.
	leave context.CancelFunc
	// tidy removes the files of tasks before a signal ends the process.
	tidy         func()
	deaths, jobs chan os.Signal
	// lent is true while a command has the terminal, or the shell of a program
	// that is stopped.
	lent   atomic.Bool
	gone   atomic.Bool
	before *term.State
	// guard restores the terminal where this process cannot.
	guard *guard
	done  chan struct{}
}

// ErrGone ends an interface whose terminal is gone.
var ErrGone = errors.New("the terminal is gone")

// Guard begins to watch the process's own terminal.
func Guard(program *tea.Program, leave context.CancelFunc, tidy func()) *Signals {
	s := &Signals{
		program: program, leave: leave, tidy: tidy, done: make(chan struct{}),
		deaths: make(chan os.Signal, 1), jobs: make(chan os.Signal, 4),
	}
	s.before, _ = term.GetState(int(os.Stdin.Fd())) // none where the keys come from elsewhere
	if s.before != nil {
		s.guard = newGuard(os.Stdin, os.Stdout)
	}
	s.listen()
	go s.watchEnd()
	return s
}

// lookForTerminal is the time between two checks for the terminal. A shell may
// leave hangups ignored, and the end of the input alone does not end the
// library.
const lookForTerminal = time.Second

// watchEnd ends the interface when the terminal is gone.
func (s *Signals) watchEnd() {
	every := time.NewTicker(lookForTerminal)
	defer every.Stop()
	for {
		select {
		case <-s.done:
			return
		case <-every.C:
		}
		if _, _, err := term.GetSize(int(os.Stdout.Fd())); err != nil {
			s.gone.Store(true)
			s.leave()
			return
		}
	}
}

// End reports whether the terminal was gone.
func (s *Signals) End() (gone bool) {
	if s == nil {
		return false
	}
	close(s.done)
	s.deafen()
	s.guard.leave()
	return s.gone.Load()
}

// Lend gives the terminal to a command, which gets signals meanwhile.
func (s *Signals) Lend(c tea.ExecCommand, then tea.ExecCallback) tea.Cmd {
	return Lend(&lentCommand{c, s}, then)
}

// Beside is a command that runs beside this process in the foreground, such as an
// editor: it gets typed signals (ctrl-c, ctrl-\) alone.
type Beside interface {
	tea.ExecCommand
	RunsBeside()
}

// JobControl is sent to the program when it is to be stopped, or was continued: it
// gives the terminal to the command, which returns when the program goes on.
type JobControl struct{ Command tea.ExecCommand }

type lentCommand struct {
	tea.ExecCommand
	signals *Signals
}

// Run implements tea.ExecCommand.
func (c *lentCommand) Run() error {
	_, beside := c.ExecCommand.(Beside)
	if _, within := c.ExecCommand.(*Command); !within { // that one ends with the program
		c.signals.guard.lent()
		defer c.signals.guard.back()
	}
	return c.signals.aside(beside, c.ExecCommand.Run)
}

// giveBackTime bounds how long a dying program writes to its terminal, which
// may accept nothing any more.
const giveBackTime = 2 * time.Second

// giveBack restores the terminal, from any goroutine.
func (s *Signals) giveBack() {
	restored := make(chan struct{})
	go func() {
		defer close(restored)
		_ = s.program.ReleaseTerminal()
		if s.lent.Load() {
			_, _ = os.Stdout.WriteString(ResetModes)
		}
	}()
	select {
	case <-restored:
	case <-time.After(giveBackTime):
	}
	if s.before != nil {
		_ = term.Restore(int(os.Stdin.Fd()), s.before)
	}
}
