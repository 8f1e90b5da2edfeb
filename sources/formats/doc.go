// Package formats reads training metrics from lines of logs: one file for
// each framework's format, and a reader for what people print by hand.
//
// It is pure. A Parser sees the lines of one log in order and says what they
// mean; it never invents a point: a log without metrics yields none.
package formats

import (
	"github.com/traintop/traintop/train"
)

// Options change what a parser reads.
type Options struct {
	// Patterns are a person's own, tried before all others.
	Patterns Patterns
}

// Reading is what a line, and lines held back before it, turned out to mean.
// The caller may keep it.
type Reading struct {
	// Samples are in the order of their lines, which may be earlier than the
	// line just read.
	Samples []train.Sample
	Marks   []train.Mark
	// Hints is not nil when something new is known about the run's length;
	// it then holds all that is known.
	Hints *train.ProgressHints
}

// Empty reports whether there is nothing in it.
func (r *Reading) Empty() bool { return len(r.Samples) == 0 && len(r.Marks) == 0 && r.Hints == nil }
