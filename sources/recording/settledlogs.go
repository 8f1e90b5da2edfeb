package recording

import (
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// settledWithin is how long before an instant a followed log was opened, or last brought
// what was printed long before, for its newest line to be taken for the newest that
// was printed. It is less than on a live cluster, where a longer wait costs nothing: what a
// recording does not have never comes. A log that catches up reports it more often.
const settledWithin = train.StreamSettles / 2

// endOfLogs is a sink that notes which logs were followed at the last instant that is
// applied.
type endOfLogs struct {
	sources.Sink
	followed map[train.StreamID]train.StreamStatus
}

func newEndOfLogs(sink sources.Sink) *endOfLogs {
	return &endOfLogs{sink, map[train.StreamID]train.StreamStatus{}}
}

// Apply implements sources.Sink.
func (e *endOfLogs) Apply(events ...store.Event) {
	e.Sink.Apply(events...)
	for _, event := range events {
		changed, is := event.(store.StreamChanged)
		if !is {
			continue
		}
		if delete(e.followed, changed.Stream); changed.Status.State == train.StreamLive {
			e.followed[changed.Stream] = changed.Status
		}
	}
}

// settle calls logs that were opened shortly before the instant read to what was then
// their end, as a command that reads a live cluster does: it gives one answer of it.
func (e *endOfLogs) settle(at time.Time) {
	for id, status := range e.followed {
		if since := at.Sub(status.Since); since < settledWithin || since >= train.StreamSettles {
			continue
		}
		status.State, status.Since = train.StreamStopped, at
		e.Sink.Apply(store.StreamChanged{Stream: id, Status: status, Rank: -1})
	}
}
