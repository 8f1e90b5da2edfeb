package views

import (
	"time"

	"github.com/traintop/traintop/actions"
)

// Asking is a screen that has commands run in containers while it is on the
// screen. They run off the loop, some at once, and end when the screen is left.
type Asking interface {
	// Ask is what to run, or nil. It is asked after each Render; one with the
	// ID of what is under way, or was answered last, changes nothing.
	Ask(f Frame) *Ask
	// Answered takes one answer, as soon as it is there.
	Answered(a actions.Answer, f Frame) Effect
}

// Ask is a set of commands to be run at the same time.
type Ask struct {
	// ID tells what is asked apart from what was asked before.
	ID   string
	Runs []Run
	// Every runs them again so long after the last of a round has ended; 0
	// runs them once.
	Every time.Duration
	// Changes is what the record of changes calls it where the commands change
	// something: each run is recorded, and none begins where nothing may be
	// changed or nothing can be recorded. "" changes nothing.
	Changes string
}

// Run is one command in one container.
type Run struct {
	Target actions.Target
	// Commands are tried in order until one is a program that is there.
	Commands [][]string
	// Timeout bounds it; 0 leaves the bound to the shell.
	Timeout time.Duration
}
