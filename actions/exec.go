package actions

import (
	"context"
	"io"
	"time"
)

// Exec is one command to run in a container.
type Exec struct {
	Container
	// Command is the program and its arguments; nothing splits or expands them.
	// nil attaches to the container's running process.
	Command []string
	// Stdin is nil for none. Stderr is nil with a TTY, which has one stream.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// TTY gives the command a terminal, whose size follows Sizes; the first size
	// is sent before any output. nil does not set the size.
	TTY   bool
	Sizes <-chan Size
}

// Answer is the output and result of a command.
type Answer struct {
	Target  Target
	Command []string
	Stdout  []byte
	Stderr  []byte
	// Cut is true if it printed more than the limit and was stopped.
	Cut bool
	// Exit is its exit code; -1 if it did not end by itself, and Failure then
	// reports why. An exit code other than 0 is not a Failure.
	Exit    int
	Failure *Failure
	// Began is when it was started, Took how long it took.
	Began time.Time
	Took  time.Duration
}

// Executor runs commands.
type Executor interface {
	// Execute returns when the command has ended: nil for exit code 0, an
	// *ExitError for another one, else a *Failure.
	Execute(ctx context.Context, e Exec) error
}
