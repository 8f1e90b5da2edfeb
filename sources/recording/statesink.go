package recording

import (
	"slices"

	"github.com/traintop/traintop/store"
)

// stateSink is a sink that keeps what was known at an instant. At a beginning of a
// recording that is all that was told; in its middle it is the state then, and
// all that was measured before, whose past counts.
type stateSink struct {
	state *state // nil where all is kept
	told  []store.Event
}

func newStateSink(all bool) *stateSink {
	if all {
		return &stateSink{}
	}
	return &stateSink{state: newState()}
}

// Apply implements sources.Sink.
func (k *stateSink) Apply(events ...store.Event) {
	for _, event := range events {
		switch event.(type) {
		case store.Measured, store.Backfilled, store.Used:
		default:
			if k.state != nil {
				k.state.fold(event)
				continue
			}
		}
		k.told = append(k.told, event)
	}
}

// Snapshot notes where a store has to look at what it was told.
func (k *stateSink) Snapshot() *store.Snapshot {
	if k.state == nil {
		k.told = append(k.told, picture{})
	}
	return nil
}

// events say it to a store that knows nothing yet. The time is pinned where a
// source has done so (clocked), and not where only the reader did.
func (k *stateSink) events(clocked bool) []store.Event {
	all := k.told
	if k.state != nil {
		all = nil
		k.state.each(func(event store.Event) { all = append(all, event) })
		all = append(all, k.told...)
	}
	if clocked {
		return all
	}
	return slices.DeleteFunc(all, func(event store.Event) bool {
		_, is := event.(store.Clock)
		return is
	})
}
