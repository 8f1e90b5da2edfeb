// Package eventmask removes secrets from the events of sources before they are
// written to a file that others read.
//
// It promises that only texts of an event change: lines, steps, times, names of
// objects and numbers stay, and what the store and its readers share with the
// event is not modified. Package redact decides what is secret.
package eventmask

import (
	"slices"
	"sync"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Redactor redacts events in order. Many goroutines may call it; a lock makes
// them wait for each other.
type Redactor struct {
	mu    sync.Mutex
	texts *redact.Redactor
	begun map[train.StreamID]beginning
	// names caches metric names without a secret.
	names  map[string]bool
	failed int
	// declared are the secrets that pods declare, nil for none.
	declared *declared.Values
}

// New makes a redactor whose counts are zero.
func New() *Redactor {
	return &Redactor{texts: redact.New(), begun: map[train.StreamID]beginning{}, names: map[string]bool{}}
}

// Declared makes the redactor mask in objects the secrets that pods declare, as
// they are known when Redact is called: an event may come before its pod. Call it
// before Redact.
func (r *Redactor) Declared(v *declared.Values) { r.declared = v }

// NotRead is the key in Counts for objects that could not be scanned; of these
// only namespace, name and UID are kept.
const NotRead = "object-not-read"

// Counts is how many secrets of each redact.Kind were removed.
func (r *Redactor) Counts() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := r.texts.Counts()
	if r.failed > 0 {
		counts[NotRead] = r.failed
	}
	return counts
}

// Redact returns the events without secrets. An event without secrets is passed
// on as it is, one with secrets is copied.
func (r *Redactor) Redact(events []store.Event) []store.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	safe := make([]store.Event, len(events))
	for i, event := range events {
		safe[i] = r.event(event)
	}
	return safe
}

// Text returns a text about the recorded cluster, without secrets.
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
	safe, err := r.object(declared.Masked(r.declared, o))
	if err != nil {
		r.failed++
		return emptied(o)
	}
	return safe
}
