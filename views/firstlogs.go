package views

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// FirstRead counts the logs of a plan that a diagnosis waits for.
type FirstRead struct {
	Unread, All int
	// Since is when the first of them was requested, zero when unknown.
	Since time.Time
}

// FirstReadOf counts the logs of a plan, and those that were requested and had
// not answered once in the snapshot that was diagnosed. A log that was refused
// or failed has answered, and one of a container that has not started waits
// for the container.
func FirstReadOf(plan *streams.Plan, s *store.Snapshot) FirstRead {
	var first FirstRead
	if plan == nil || s == nil {
		return first
	}
	for _, chosen := range plan.Chosen {
		first.All++
		log := s.Log(chosen.ID)
		switch {
		case log == nil:
			first.Unread++
		case log.Status.State == train.StreamOpening && !log.WasRead():
			first.Unread++
			if since := log.Status.Since; first.Since.IsZero() || since.Before(first.Since) {
				first.Since = since
			}
		}
	}
	return first
}

// Text reports which logs are being read for the first time: until they have
// answered nobody knows whether a job is well.
func (r FirstRead) Text() string {
	since, verb := "", "are"
	if r.Unread == 1 {
		verb = "is"
	}
	if !r.Since.IsZero() {
		since = " since " + r.Since.UTC().Format("15:04:05Z")
	}
	return fmt.Sprintf("%d of %s %s being read for the first time%s", r.Unread, draw.Plural(r.All, "log"), verb, since)
}
