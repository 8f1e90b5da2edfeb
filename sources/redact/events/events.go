// Package events takes secrets out of what sources say before it is written
// to a file that others read.
//
// It promises that an event comes out as it went in except for texts: no line,
// step, time, name of an object or number changes, and what the store and its
// readers share with the event is not touched. What is found to be secret, and
// what is not, package redact says.
package events

import (
	"slices"
	"sync"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Redactor redacts events in the order in which they come. It may be called
// from many goroutines, which wait for each other.
type Redactor struct {
	mu    sync.Mutex
	texts *redact.Redactor
	begun map[train.StreamID]beginning
	// names are those of metrics in which there is no secret.
	names  map[string]bool
	failed int
}

// New makes a redactor that has counted nothing yet.
func New() *Redactor {
	return &Redactor{texts: redact.New(), begun: map[train.StreamID]beginning{}, names: map[string]bool{}}
}

// NotRead is the sort under which Counts has objects that could not be looked
// at; of these only namespace, name and UID are left.
const NotRead = "object-not-read"

// Counts is how many secrets of each redact.Sort were taken out, by its word.
func (r *Redactor) Counts() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := r.texts.Counts()
	if r.failed > 0 {
		counts[NotRead] = r.failed
	}
	return counts
}

// Redact is the same events without secrets. An event without any is passed
// on as it is; of one with some, a copy.
func (r *Redactor) Redact(events []store.Event) []store.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	safe := make([]store.Event, len(events))
	for i, event := range events {
		safe[i] = r.event(event)
	}
	return safe
}

// Text is a text about what was recorded, without secrets.
func (r *Redactor) Text(text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.texts.Text(text)
}

func (r *Redactor) event(event store.Event) store.Event {
	switch e := event.(type) {
	case store.Set:
		e.Object = r.readable(e.Object)
		return e
	case store.Listed:
		e.Objects = r.objects(e.Objects)
		return e
	case store.Logged:
		return r.logged(e)
	case store.StreamChanged:
		e.Status.Text = r.texts.Text(e.Status.Text)
		if e.Status.State == "" || e.Restart {
			delete(r.begun, e.Stream)
		}
		return e
	case store.HealthChanged:
		e.Health.Text = r.texts.Text(e.Health.Text)
		return e
	}
	return event // names, numbers and times
}

func (r *Redactor) objects(all []kinds.Object) []kinds.Object {
	var copied []kinds.Object
	for i, o := range all {
		safe := r.readable(o)
		if safe == o {
			continue
		}
		if copied == nil {
			copied = slices.Clone(all)
		}
		copied[i] = safe
	}
	if copied == nil {
		return all
	}
	return copied
}

func (r *Redactor) readable(o kinds.Object) kinds.Object {
	if o == nil {
		return nil
	}
	safe, err := r.object(o)
	if err != nil {
		r.failed++
		return emptied(o)
	}
	return safe
}
