package faults

import (
	"slices"
	"strings"
	"time"
)

// Row is a fault, its place, and what the program must report then. The table
// of docs/reliability.md is made of rows, and tests run each.
type Row struct {
	Fault Fault
	At    Place
	// After is how many good answers the place gives before the fault begins.
	After int
	// Commands are the names of those that are run.
	Commands []string
	// Lost is what the answer lacks, for the table.
	Lost string
	// Says is text in the messages (standard error or `problems`, the screen);
	// Still is what is answered nevertheless.
	Says, Still []string
	// Exit is the exit code.
	Exit int
}

// Limits of every row. A hang is not an answer, and nothing that a server sends
// may exhaust a machine's memory.
const (
	timeLimit   = 30 * time.Second
	memoryLimit = 768 << 20
)

// Timeouts of the rows, given as --request-timeout: a short one where the fault
// is a missing answer, which is waited out, and a long one everywhere else, so
// that a slow machine is not mistaken for a fault.
const (
	shortTimeout = "5s"
	longTimeout  = "25s"
)

func (r Row) timeout() string {
	switch {
	case r.Fault.unbounded:
		return ""
	case r.Fault.silent:
		return shortTimeout
	}
	return longTimeout
}

// Tries is how often the row is run: each command as text and as JSON.
func (r Row) Tries() int {
	tries := 0
	for _, name := range r.Commands {
		tries += len(r.runs(name))
	}
	return tries
}

// runs are the command lines that a row runs of a command.
func (r Row) runs(name string) [][]string {
	c := commandNamed(name)
	if c.json == nil {
		return [][]string{c.args}
	}
	return [][]string{c.args, c.json}
}

// when describes the moment at which the fault begins.
func (r Row) when() string {
	if r.After > 0 {
		return r.At.Words + ", after a good start"
	}
	return r.At.Words
}

// isJSON reports whether a command line asks for JSON.
func isJSON(args []string) bool { return slices.Contains(args, "json") }

func quoted(texts []string) string { return "“" + strings.Join(texts, "” “") + "”" }
