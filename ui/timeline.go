package ui

import (
	"context"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Timeline is a past that can be shown at any of its instants. Load, Next and
// Moments are called off the loop and may take their time; the other methods
// return at once.
type Timeline interface {
	// Span is the first and the last instant that can be shown, both zero
	// while there is none. They move: what is recorded grows, and a bounded
	// past loses its beginning.
	Span() (from, to time.Time)
	// At is the instant that was loaded or played to last.
	At() time.Time
	// Instant reads what a person types for an instant: "14:07", "-5m".
	Instant(text string) (time.Time, error)
	// Load returns a store that knows what was known at an instant and
	// nothing later. before is a snapshot of the store whose place it takes.
	Load(ctx context.Context, at time.Time, before *store.Snapshot) (*store.Store, error)
	// Next tells the store that is shown what came up to an instant.
	Next(ctx context.Context, at time.Time) error
	// Moments are what happened, in order of time.
	Moments(ctx context.Context) ([]Moment, error)
}

// Looping is a Timeline that begins again where it ends.
type Looping interface {
	// Again is Load for the beginning, whose instants may be others from then on.
	Again(ctx context.Context, before *store.Snapshot) (*store.Store, error)
}

// Storied is a Timeline that somebody tells a story of.
type Storied interface {
	// Story is what happens at an instant, "" for nothing to tell, and what to
	// press to see more of it.
	Story(at time.Time) (text, keys string)
}

// Watching is a Timeline that is told what a session sees while it goes on.
type Watching interface {
	// Watched is called off the loop, after each diagnosis, one at a time.
	Watched(s *store.Snapshot, report *diagnose.Report)
}

// Moment is something that happened, for a mark on the timeline.
type Moment struct {
	At time.Time
	// Until is when it was over, zero for what has no length.
	Until time.Time
	// Job is whose it is, "" for none.
	Job train.JobID
	// Text says it to people.
	Text string
	// Trouble is true for what a person should look at.
	Trouble bool
}
