package actions

import (
	"context"
	"io"
	"time"
)

// Exec is one command to be run in a container.
type Exec struct {
	Container
	// Command is the program and its arguments; nothing splits or expands
	// them. nil attaches to the process that the container runs already.
	Command []string
	// Stdin is nil for none. Stderr is nil with a TTY, which has one stream.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// TTY gives the command a terminal, whose size follows Sizes; the first
	// size is sent before anything is printed. nil leaves the size alone.
	TTY   bool
	Sizes <-chan Size
}

// Answer is what became of a command that was run for what it prints.
type Answer struct {
	Target  Target
	Command []string
	Stdout  []byte
	Stderr  []byte
	// Cut is true when it printed more than was allowed and was stopped.
	Cut bool
	// Exit is its exit code; -1 when it did not end by itself, and Failure
	// then says why. An exit code other than 0 is no Failure.
	Exit    int
	Failure *Failure
	// Began and Took are when it was asked and how long it took.
	Began time.Time
	Took  time.Duration
}

// Executor runs commands.
type Executor interface {
	// Execute returns when the command has ended: nil for exit code 0, an
	// *ExitError for another one, else a *Failure.
	Execute(ctx context.Context, e Exec) error
}
