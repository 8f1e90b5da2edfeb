//go:build !windows

package terminal

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// deadly are the signals at which the Go runtime prints all goroutines and
// exits, when they come from outside (os/signal, "Default behavior").
var deadly = []os.Signal{
	syscall.SIGQUIT, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGABRT, syscall.SIGSYS,
	syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE,
}

func (s *Signals) listen() {
	for _, one := range deadly {
		if !signal.Ignored(one) {
			signal.Notify(s.deaths, one)
		}
	}
	signal.Notify(s.jobs, syscall.SIGCONT)
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.jobs, syscall.SIGTSTP)
	}
	go s.awaitDeath()
	go s.awaitJobs()
}

func (s *Signals) deafen() {
	signal.Stop(s.deaths)
	signal.Stop(s.jobs)
}

// awaitDeath restores the terminal and then lets the signal take effect.
func (s *Signals) awaitDeath() {
	for {
		select {
		case <-s.done:
			return
		case came := <-s.deaths:
			s.tidy()
			s.giveBack()
			s.guard.leave()
			signal.Reset(came)
			_ = syscall.Kill(os.Getpid(), came.(syscall.Signal))
		}
	}
}

// awaitJobs passes job control to the event loop, in turn with the command that
// has the terminal there. While that is another command, a stop is for both (an
// editor stops its process group) and the terminal is the other's to restore.
func (s *Signals) awaitJobs() {
	for {
		select {
		case <-s.done:
			return
		case came := <-s.jobs:
			switch lent := s.lent.Load(); {
			case came == syscall.SIGINT:
				s.leave()
			case came == syscall.SIGTSTP && !canStop():
			case came == syscall.SIGTSTP && lent:
				_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			case came == syscall.SIGTSTP || !lent:
				// A program that was stopped by SIGSTOP is drawn again.
				go s.program.Send(JobControl{&stopCommand{came == syscall.SIGTSTP}})
			}
		}
	}
}

// canStop reports whether a shell could continue the program. For the kernel,
// nobody can continue a process group whose parents are all in it or in other
// sessions (POSIX: an orphaned process group), and then a stop has no effect: a
// session's first process and what it runs in its own group, as in a container
// or below ssh with a command, and a program that outlived its shell.
func canStop() bool {
	session, err := unix.Getsid(0)
	if err != nil || session == syscall.Getpgrp() {
		return false
	}
	parents, err := unix.Getsid(os.Getppid())
	return err == nil && parents == session
}

// stopCommand is a stopped program: it has the terminal, to leave it alone. Without
// stop the program was continued already.
type stopCommand struct{ stop bool }

// SetStdin implements tea.ExecCommand.
func (*stopCommand) SetStdin(io.Reader) {}

// SetStdout implements tea.ExecCommand.
func (*stopCommand) SetStdout(io.Writer) {}

// SetStderr implements tea.ExecCommand.
func (*stopCommand) SetStderr(io.Writer) {}

// notStopped bounds the wait for the end of a stop that did not happen.
const notStopped = time.Second

// Run implements tea.ExecCommand: it stops all of its process group, as ctrl-z
// stops a program, and returns when it is continued. It stops with SIGSTOP: the
// Go runtime (1.26) does not restore the default action of SIGTSTP.
func (c *stopCommand) Run() error {
	if !c.stop {
		return nil
	}
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(0, syscall.SIGSTOP); err != nil {
		return fmt.Errorf("stop the program: %w", err)
	}
	select {
	case <-continued:
	case <-time.After(notStopped):
	}
	return nil
}

// aside runs a command that has the terminal. A command that runs beside it in
// the foreground gets typed signals (ctrl-c, ctrl-\) alone.
func (s *Signals) aside(beside bool, run func() error) error {
	s.lent.Store(true)
	defer s.lent.Store(false)
	if beside {
		defer s.leaveKeysTo()()
	}
	return run()
}

// leaveKeysTo disables the signals of keys for this whole process. They are
// caught by a channel that nobody reads and not ignored, since a command
// inherits ignored signals. Afterwards they work as before; the caller that
// gave the interface its context no longer listens for an interrupt, so the
// context is ended here.
func (s *Signals) leaveKeysTo() (back func()) {
	unread := make(chan os.Signal, 1)
	interrupted, quits := !signal.Ignored(syscall.SIGINT), !signal.Ignored(syscall.SIGQUIT)
	if interrupted {
		signal.Reset(syscall.SIGINT)
		signal.Notify(unread, syscall.SIGINT)
	}
	if quits {
		signal.Reset(syscall.SIGQUIT)
		signal.Notify(unread, syscall.SIGQUIT)
	}
	return func() {
		awaitSignals()
		if interrupted {
			signal.Notify(s.jobs, syscall.SIGINT)
		}
		if quits {
			signal.Notify(s.deaths, syscall.SIGQUIT)
		}
		signal.Stop(unread)
	}
}

// notDelivered bounds the wait for a signal that this process sends itself.
const notDelivered = time.Second

// awaitSignals returns when all signals so far were delivered: a key that ended
// an editor is the editor's. The kernel may still hold such a signal when the
// editor has ended. It takes those with lower numbers first (Linux 6.12,
// next_signal in kernel/signal.c), so they are all taken when a SIGWINCH, which
// harms nobody, is. os/signal hands on what was taken before it stops a channel.
func awaitSignals() {
	last := make(chan os.Signal, 1)
	signal.Notify(last, syscall.SIGWINCH)
	defer signal.Stop(last)
	if syscall.Kill(os.Getpid(), syscall.SIGWINCH) != nil {
		return
	}
	select {
	case <-last:
	case <-time.After(notDelivered):
	}
}
