package ui

import (
	"context"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Timeline is a past, any instant of which can be shown. Load, Next and Moments
// are called off the event loop and may block; the other methods return at
// once.
type Timeline interface {
	// Span is the first and the last instant that can be shown, both zero while
	// there is none. They move: a recording grows, and a bounded past loses its
	// beginning.
	Span() (from, to time.Time)
	// At is the instant that was loaded or played to last.
	At() time.Time
	// Instant parses a typed instant: "14:07", "-5m".
	Instant(text string) (time.Time, error)
	// Load returns a store with the events up to an instant. before is a
	// snapshot of the store that it replaces.
	Load(ctx context.Context, at time.Time, before *store.Snapshot) (*store.Store, error)
	// Next applies the events up to an instant to the shown store.
	Next(ctx context.Context, at time.Time) error
	// Moments are notable events, in order of time.
	Moments(ctx context.Context) ([]Moment, error)
}

// Repeating is a Timeline that begins again where it ends.
type Repeating interface {
	// Again is Load for the beginning, whose instants may change with it.
	Again(ctx context.Context, before *store.Snapshot) (*store.Store, error)
}

// Narrated is a Timeline with a narration.
type Narrated interface {
	// Story is the narration at an instant, "" for none, and the keys that show
	// more of it.
	Story(at time.Time) (text, keys string)
}

// DiagnosisReceiver is a Timeline that receives each diagnosis of a live session.
type DiagnosisReceiver interface {
	// Watched is called off the loop, after each diagnosis, one at a time.
	Watched(s *store.Snapshot, report *diagnose.Report)
}

// Moment is a notable event, for a mark on the timeline.
type Moment struct {
	At time.Time
	// Until is when it was over, zero for one without length.
	Until time.Time
	// Job is its job, "" for none.
	Job train.JobID
	// Text describes it.
	Text string
	// Trouble is true for what needs a person's attention.
	Trouble bool
}
