package ui

import (
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

// firstRead counts the logs of a plan that a diagnosis waits for.
type firstRead struct {
	unread, all int
	// since is when the first of them was requested, zero when unknown.
	since time.Time
}

// firstReadOf counts the logs of a plan, and those that were requested and had
// not answered once in the snapshot that was diagnosed. A log that was refused
// or failed has answered, and one of a container that has not started waits
// for the container.
func firstReadOf(plan *streams.Plan, s *store.Snapshot) firstRead {
	var first firstRead
	if plan == nil || s == nil {
		return first
	}
	for _, chosen := range plan.Chosen {
		first.all++
		log := s.Log(chosen.ID)
		switch {
		case log == nil:
			first.unread++
		case log.Status.State == train.StreamOpening && !log.WasRead():
			first.unread++
			if since := log.Status.Since; first.since.IsZero() || since.Before(first.since) {
				first.since = since
			}
		}
	}
	return first
}
