// Package signatures is the table of texts that tell of a cause: lines of
// logs, messages of events and conditions, exit reasons. One scanner reads
// lines as they arrive; single messages are matched with Find.
package signatures

import (
	"time"

	"github.com/traintop/traintop/train"
)

// Where is what kind of text a signature is looked for in.
type Where uint8

const (
	InLog     Where = 1 << iota // a container's log
	InEvent                     // the message of an event, condition or status
	InKernel                    // a kernel's log
	InAnyText = InLog | InEvent | InKernel
)

// Match is a signature found in a text.
type Match struct {
	// Signature names the row of the table.
	Signature string
	Cause     train.Cause
	// Weight orders matches of one text: the greatest tells most.
	Weight int
	// Symptom is true for what follows from another rank's or another line's
	// failure: it is the root only when nothing else is found.
	Symptom  bool
	Captures []string
}

// Find matches one message, the match that tells most first.
func Find(where Where, text string) []Match { return nil }

// Scanner reads the lines of one log in order. It belongs to one goroutine.
type Scanner struct{}

// NewScanner makes a scanner for one log.
func NewScanner() *Scanner { return &Scanner{} }

// Line takes the next complete line and returns what became known with it;
// usually nothing. text is not kept.
func (s *Scanner) Line(number int64, at time.Time, text []byte) []train.LogHit { return nil }

// End says that the log is at its end.
func (s *Scanner) End() []train.LogHit { return nil }
