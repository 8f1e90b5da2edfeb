// Package formats parses training metrics from lines of logs: one file for each
// framework's format, and a general reader for what people print by hand.
//
// It is pure. A Parser reads the lines of one log in order and returns their metrics.
// It never invents a point: a log without metrics yields none.
package formats

import (
	"github.com/traintop/traintop/train"
)

// Options configure a parser.
type Options struct {
	// Patterns are a person's own, tried before all other formats.
	Patterns Patterns
}

// Reading is the result of a line, and of lines held back before it. The caller may
// keep it.
type Reading struct {
	// Samples are in the order of their lines, which may be earlier than the
	// line just read.
	Samples []train.Sample
	Marks   []train.Mark
	// Hints is not nil if something new is known about the run's length; it then
	// contains all that is known.
	Hints *train.ProgressHints
}

// Empty reports whether there is nothing in it.
func (r *Reading) Empty() bool { return len(r.Samples) == 0 && len(r.Marks) == 0 && r.Hints == nil }
