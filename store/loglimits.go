package store

import (
	"time"

	"github.com/traintop/traintop/train"
)

// Limits bound what is kept of logs.
type Limits struct {
	// LogBytes bounds the lines of one log, AllLogBytes those of all together.
	LogBytes, AllLogBytes int
	// Values bounds the metric values kept of one log, AllValues those of all
	// together: 16 bytes each, and what the values of one sample share counts
	// as four more. Beyond either, curves are thinned.
	Values, AllValues int
	// SamplesApart is the least time between kept samples of the same kind in
	// one log; 0 keeps all.
	SamplesApart time.Duration
}

// DefaultLimits apply unless a command or the configuration sets others.
var DefaultLimits = Limits{LogBytes: 8 << 20, AllLogBytes: 128 << 20, Values: 200_000, AllValues: 6_000_000}

// SetLimits changes the limits of logs from now on. A field that is 0 has the
// value of DefaultLimits.
func (s *Store) SetLimits(l Limits) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logs.setLimits(l)
}

// SetLogLimit changes how many bytes of lines are kept of one log; 0 restores
// Limits.LogBytes. A log with a limit of its own loses lines last when all
// logs together exceed Limits.AllLogBytes.
//
// To get dropped lines back, raise the limit (Lines.Dropped and Lines.Bytes
// contain how much there was) and request the log Whole (streams.Want). Its
// source then reads it again from the beginning, after StreamChanged with
// Restart.
func (s *Store) SetLogLimit(id train.StreamID, bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logs.setOwnLimit(id, bytes)
}
