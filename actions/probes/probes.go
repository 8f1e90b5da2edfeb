package probes

import (
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
)

// Probe is one check that can be run inside ranks.
type Probe struct {
	// ID is stable and what a diagnosis step names: "dns-master".
	ID string
	// Title is what the palette shows, About one sentence on what it tells.
	Title, About string
	// Writes is true for a probe that changes something (a test file); it
	// asks first and disappears with --readonly.
	Writes bool
	// Timeout bounds one run; 0 is DefaultTimeout.
	Timeout time.Duration
	// Commands are tried in order, until one is a program that is there.
	// nil for a target where the probe makes no sense.
	Commands func(s *store.Snapshot, t actions.Target) [][]string
	// Read says what an answer means.
	Read func(a actions.Answer) Result
}

// DefaultTimeout bounds a probe that has none of its own.
const DefaultTimeout = 20 * time.Second

// State is what a probe's result says.
type State string

const (
	Good    State = "good"    // as it should be
	Bad     State = "bad"     // the trouble itself
	Neutral State = "neutral" // a fact, neither good nor bad
	Unclear State = "unclear" // could not be told; Line says why
)

// Result is an answer as a person reads it.
type Result struct {
	State State
	// Line is the whole answer in one line: "8 GPUs, CUDA 12.4".
	Line string
	// Key is what answers of ranks are compared by; those whose Key differs
	// from that of most are the odd ones. "" is compared with nothing.
	Key string
	// Value is compared instead of Key when Within is set: an answer further
	// than that from the middle one is odd.
	Value, Within float64
	// Detail is the text behind the line, safe to show, secrets masked.
	Detail []string
}
