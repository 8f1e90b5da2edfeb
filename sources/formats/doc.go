// Package formats reads training metrics from lines of logs: one file for
// each framework's format, and a reader for what people print by hand.
//
// It is pure. A Parser sees the lines of one log in order and says what they
// mean; it never invents a point: a log without metrics yields none.
package formats

import (
	"time"

	"github.com/traintop/traintop/train"
)

// Options change what a parser reads.
type Options struct {
	// Patterns are a person's own, tried before all others.
	Patterns []Pattern
}

// Parser reads one log. It belongs to one goroutine.
type Parser struct{}

// Reading is what a line, and lines held back before it, turned out to mean.
// The caller may keep it.
type Reading struct {
	// Samples are in the order of their lines, which may be earlier than the
	// line just read.
	Samples []train.Sample
	Marks   []train.Mark
	// Outlook is not nil when something new is known about the run's length;
	// it then holds all that is known.
	Outlook *train.Outlook
}

// Empty reports whether there is nothing in it.
func (r *Reading) Empty() bool { return len(r.Samples) == 0 && len(r.Marks) == 0 && r.Outlook == nil }

// New makes a parser for one log.
func New(o Options) *Parser { return &Parser{} }

// Line reads one line, or one state of a line that is redrawn with carriage
// returns (then it is called with the same number again). text is raw, with
// escape sequences, without \n and \r, and is not kept. at is when the line
// was printed, zero when nobody tells.
func (p *Parser) Line(number int64, at time.Time, text []byte) Reading { return Reading{} }

// End says that no more lines come, and returns what was held back.
func (p *Parser) End() Reading { return Reading{} }

// Pattern is a person's own format, from the configuration file.
type Pattern struct {
	// Name is for messages.
	Name string `json:"name"`
	// Match is a regular expression; its named groups are metrics: step,
	// epoch, total, loss and so on.
	Match string `json:"match"`
	// Example is a line that Match must read, tested when it is loaded.
	Example string `json:"example"`
}

// Check says what is wrong with a pattern, nil when nothing is.
func (p Pattern) Check() error { return nil }
