package probes

import (
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
)

// Probe is one check that can run inside ranks.
type Probe struct {
	// ID is stable; a diagnosis step refers to it: "dns-master".
	ID string
	// Title is shown in the palette, About is one sentence on what it checks.
	Title, About string
	// Writes is true for a probe that changes something (a test file); it asks
	// first and is not available with --readonly.
	Writes bool
	// Timeout bounds one run; 0 is DefaultTimeout.
	Timeout time.Duration
	// Commands are tried in order, until the program of one exists. nil for a
	// target for which the probe makes no sense.
	Commands func(s *store.Snapshot, t actions.Target) [][]string
	// Read interprets an answer.
	Read func(a actions.Answer) Result
}

// DefaultTimeout bounds a probe without a timeout of its own.
const DefaultTimeout = 20 * time.Second

// State is the outcome of a probe.
type State string

const (
	Good    State = "good"    // as it should be
	Bad     State = "bad"     // shows a problem
	Neutral State = "neutral" // a fact, neither good nor bad
	Unclear State = "unclear" // no answer; Line reports why
)

// Result is the interpretation of an answer.
type Result struct {
	State State
	// Line is the whole answer in one line: "8 GPUs, CUDA 12.4".
	Line string
	// Key is compared between ranks; a rank whose Key differs from that of the
	// majority is odd. "" is not compared.
	Key string
	// Value is compared instead of Key if Within is set: an answer further than
	// that from the median is odd.
	Value, Within float64
	// Detail is the full text, safe to show, with secrets masked.
	Detail []string
}
