package recording

import (
	"slices"

	"github.com/traintop/traintop/store"
)

// stateSink is a sink that collects the state at an instant. At the beginning
// of a recording it keeps all events. In the middle it keeps the merged state,
// and all earlier measurements, since they are the history.
type stateSink struct {
	state *state // nil if all events are kept
	kept  []store.Event
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
		k.kept = append(k.kept, event)
	}
}

// Snapshot marks where a store has to take a snapshot.
func (k *stateSink) Snapshot() *store.Snapshot {
	if k.state == nil {
		k.kept = append(k.kept, snapshotPoint{})
	}
	return nil
}

// events returns events that bring an empty store to the state. They set the
// clock only if a recorded source set it (clocked), not if only the reader
// did.
func (k *stateSink) events(clocked bool) []store.Event {
	all := k.kept
	if k.state != nil {
		all = nil
		k.state.each(func(event store.Event) { all = append(all, event) })
		all = append(all, k.kept...)
	}
	if clocked {
		return all
	}
	return slices.DeleteFunc(all, func(event store.Event) bool {
		_, is := event.(store.Clock)
		return is
	})
}
