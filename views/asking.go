package views

import (
	"time"

	"github.com/traintop/traintop/actions"
)

// Asking is a screen that runs commands in containers while it is shown. They
// run off the event loop, some at the same time, and are canceled when the
// screen is left.
type Asking interface {
	// Ask returns the commands to run, or nil. The shell calls it after each
	// Render; a set with the ID of the running or the last answered one changes
	// nothing.
	Ask(f Frame) *Ask
	// Answered receives each answer as soon as it arrives.
	Answered(a actions.Answer, f Frame) Effect
}

// Ask is a set of commands to be run at the same time.
type Ask struct {
	// ID distinguishes this set of commands from earlier ones.
	ID   string
	Runs []Run
	// Every is the pause between the end of one round and the start of the
	// next; 0 runs the commands once.
	Every time.Duration
	// Changes names the commands in the audit log where they change something:
	// each run is recorded, and none starts where changes are off or cannot be
	// recorded. "" changes nothing.
	Changes string
}

// Run is one command in one container.
type Run struct {
	Target actions.Target
	// Commands are tried in order until one names a program that the container
	// has.
	Commands [][]string
	// Timeout bounds the run; with 0 the shell sets the bound.
	Timeout time.Duration
}
