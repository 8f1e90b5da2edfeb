// Package cli is the command line: one file for each command. It is the only
// place that wires sources to a store and a store to a screen or a printed
// answer, and the only one that reads the wall clock.
//
// Answers go to standard output, messages to standard error. Exit codes are 0
// (done), 1 (failed), 2 (wrong usage) and 3 (not enough was read to decide whether
// something is wrong); those of wait are in package wait.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/traintop/traintop/cli/process"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/termtext"
)

// app is the environment of a command. Tests replace it.
type app struct {
	in       io.Reader
	out, err io.Writer
	// terminal takes escape sequences, which err shows as text; nil where no
	// terminal is there.
	terminal io.Writer
	clock    func() time.Time
	// setOffset moves the clock to that of the cluster which is read.
	setOffset func(offset time.Duration)
	// screen is true when out is a terminal to draw on; see CanDraw.
	screen bool
	// asData is true for a command that prints data, in which nothing is replaced.
	asData bool
}

// Main runs a command line and returns the exit code.
func Main(args []string) int {
	process.ProfileHeap()
	process.KeepMemorySmall(process.CommandGrowth)
	ctx, stop := signal.NotifyContext(context.Background(), endingSignals()...)
	defer stop()
	context.AfterFunc(ctx, func() {
		stop() // a second signal ends the program, whatever it waits on
		client.EndPlugins()
	})
	defer client.EndPlugins()
	clock := &process.Clock{}
	a := &app{
		in: os.Stdin, out: process.NewInterruptible(ctx, os.Stdout), err: process.NewInterruptible(ctx, os.Stderr), clock: clock.Now, setOffset: clock.SetOffset,
		screen: process.CanDraw(process.IsTerminal, process.Keyboard),
	}
	switch {
	case process.IsTerminal(os.Stderr):
		a.terminal = a.err
	case process.IsTerminal(os.Stdout):
		a.terminal = a.out
	}
	if warning := process.FindHome(); warning != "" {
		fmt.Fprintln(a.err, "traintop:", warning)
	}
	return a.run(ctx, args)
}

// endingSignals are those that end a command. An interrupt or a hangup that the
// parent process ignored (nohup, a shell's background) stays ignored.
func endingSignals() []os.Signal {
	ending := []os.Signal{syscall.SIGTERM}
	for _, one := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		if !signal.Ignored(one) {
			ending = append(ending, one)
		}
	}
	return ending
}

func (a *app) run(ctx context.Context, args []string) int {
	a.err = process.Messages{Writer: termtext.Writer{To: a.err}} // errors quote the command line and texts of the cluster
	process.SilenceLibraries()
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.in)
	help := &lastingError{to: a.out}
	root.SetOut(help)
	root.SetErr(a.err)
	defer endLate(ctx, a.err, root, args)()
	err := root.ExecuteContext(ctx)
	if err == nil && help.err != nil {
		err = fmt.Errorf("writing the help: %w", help.err)
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(a.err, "traintop: interrupted")
		return exitFailed
	}
	fmt.Fprintln(a.err, "traintop:", err)
	if usage := (*usageError)(nil); errors.As(err, &usage) {
		fmt.Fprintf(a.err, "See '%s --help'.\n", usage.command)
	}
	return exitCodeOf(err)
}

// onlyAnswers are the commands that leave nothing behind but what they print: the
// program may end within any of them.
var onlyAnswers = []string{"jobs", "diagnose", "gpus", "compare", "curves", "logs", "config check"}

// endLate ends the program where such a command goes on after an interrupt.
func endLate(ctx context.Context, to io.Writer, root *cobra.Command, args []string) (stop func()) {
	cmd, _, err := root.Find(args)
	if err != nil || !slices.Contains(onlyAnswers, strings.TrimPrefix(cmd.CommandPath(), root.CommandPath()+" ")) {
		return func() {}
	}
	return process.EndLate(ctx, process.LateGrace, func() {
		fmt.Fprintln(to, "traintop: interrupted")
		os.Exit(exitFailed)
	})
}

// lastingError is a writer that remembers its first error: cobra prints help
// without checking errors.
type lastingError struct {
	to  io.Writer
	err error
}

// Write implements io.Writer.
func (l *lastingError) Write(p []byte) (int, error) {
	n, err := l.to.Write(p)
	if l.err == nil {
		l.err = err
	}
	return n, err
}

// usageError is a mistake in the command line itself.
type usageError struct {
	command string
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usage(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	return &usageError{cmd.CommandPath(), err}
}
