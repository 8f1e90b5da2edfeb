package cli

import (
	"cmp"
	"context"
	"time"

	"github.com/traintop/traintop/cli/process"
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/ui"
)

// past is the timeline that the screen moves through, and the source of its
// first snapshot.
type past interface {
	ui.Timeline
	sources.Source
}

// replay is a recording that the screen moves through.
type replay struct {
	*recording.Player
	at time.Time // the instant to begin with
}

var _ past = (*replay)(nil)

// newReplay begins at an instant of a recording.
func newReplay(f *recording.File, source *recording.Source, clock func() time.Time) *replay {
	return &replay{recording.NewPlayer(f, source.Name, clock), source.At}
}

// At implements ui.Timeline. Until the first instant is read, that is the one to
// begin with: a large recording takes longer than the first step of playing.
func (r *replay) At() time.Time {
	_, to := r.Span()
	return cmp.Or(r.Player.At(), r.at, to)
}

// Run implements sources.Source: the instant to begin with.
func (r *replay) Run(ctx context.Context, sink sources.Sink) error {
	defer process.ReadSwiftly()()
	return r.Begin(ctx, sink, r.at)
}

// Load implements ui.Timeline.
func (r *replay) Load(ctx context.Context, at time.Time, before *store.Snapshot) (*store.Store, error) {
	defer process.ReadSwiftly()()
	return r.Player.Load(ctx, at, before)
}

// Instant implements ui.Timeline.
func (r *replay) Instant(text string) (time.Time, error) {
	from, to := r.Span()
	return instantOf(text, from, to, time.Local)
}

// Moments implements ui.Timeline.
func (r *replay) Moments(ctx context.Context) ([]ui.Moment, error) {
	marks, err := r.Marks(ctx)
	moments := make([]ui.Moment, len(marks))
	for i, m := range marks {
		moments[i] = ui.Moment{At: m.At, Until: m.Until, Job: m.Job, Text: m.Text, Trouble: m.Trouble}
	}
	return moments, err
}
