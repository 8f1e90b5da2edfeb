// Package watcher feeds a store so that no state of a waited job is skipped.
//
// The store derives jobs when somebody takes a snapshot: what happens between
// two snapshots is folded into one. Sink takes one after each event about a job
// or a pod, and lets wait.Wait look at it.
//
// Before every list was answered, jobs are known in part: an operator may call
// a job running whose pods were not read yet. Until Release, events that follow
// the list of their kind are held back, and applied one by one then. Files and
// the beginning of a recording are a state and no sequence: nothing is held.
package watcher

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/wait"
)

// Sink applies events to a store and looks at waited jobs. Its methods may be
// called from any goroutine.
type Sink struct {
	store *store.Store
	now   func(*store.Snapshot) time.Time
	holds bool
	woken chan struct{}

	mu       sync.Mutex
	wait     *wait.Wait
	released bool
	listed   map[schema.GroupKind]bool
	held     []store.Event
}

var _ sources.Sink = (*Sink)(nil)

// New returns a sink. now gives the time of the caller's clock for a snapshot;
// holds is true where events before Release follow each other in time.
func New(s *store.Store, w *wait.Wait, now func(*store.Snapshot) time.Time, holds bool) *Sink {
	return &Sink{store: s, wait: w, now: now, holds: holds, woken: make(chan struct{}, 1), listed: map[schema.GroupKind]bool{}}
}

// Woken receives once, at some time after a waited job changed.
func (k *Sink) Woken() <-chan struct{} { return k.woken }

// Apply implements sources.Sink.
func (k *Sink) Apply(events ...store.Event) {
	k.pin(events)
	from := 0
	for i, event := range events {
		kind, about := aboutJobs(event)
		if !about {
			continue
		}
		k.store.Apply(events[from:i]...)
		from = i + 1
		k.mu.Lock()
		k.object(kind, event)
		k.mu.Unlock()
	}
	k.store.Apply(events[from:]...)
}

// pin sets the time that events pin before they are applied, as the store does
// with those of one call.
func (k *Sink) pin(events []store.Event) {
	if len(events) < 2 {
		return
	}
	for _, event := range events {
		if _, is := event.(store.Clock); is {
			k.store.Apply(event)
		}
	}
}

// aboutJobs reports whether an event can change the state of a job, and the kind
// of its objects.
func aboutJobs(event store.Event) (kind schema.GroupKind, about bool) {
	switch e := event.(type) {
	case store.Set:
		kind = e.Kind
	case store.Deleted:
		kind = e.Kind
	case store.Listed:
		kind = e.Kind
	case store.Unwatched:
		kind = e.Kind
	default:
		return kind, false
	}
	return kind, kind == kinds.PodKind || kinds.IsJob(kind)
}

// object applies or holds one event. Call it with the lock held.
func (k *Sink) object(kind schema.GroupKind, event store.Event) {
	if k.released {
		k.applyAndLook(event)
		return
	}
	if k.holds && k.listed[kind] {
		k.held = append(k.held, event)
		return
	}
	if _, is := event.(store.Listed); is {
		k.listed[kind] = true
	}
	k.store.Apply(event)
}

func (k *Sink) applyAndLook(event store.Event) {
	k.store.Apply(event)
	created := train.JobID("")
	if set, is := event.(store.Set); is && kinds.IsJob(set.Kind) {
		o := set.Object
		created = train.Ref{Group: set.Kind.Group, Kind: set.Kind.Kind, Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(o.GetUID())}.JobID()
	}
	snapshot := k.store.Snapshot()
	if k.wait.Changed(snapshot, created, k.now(snapshot)) {
		k.wake()
	}
}

func (k *Sink) wake() {
	select {
	case k.woken <- struct{}{}:
	default:
	}
}

// Release looks at the state that was read, and then at each event that was
// held back. Call it when every list was answered; later calls do nothing.
func (k *Sink) Release() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.released {
		return
	}
	snapshot := k.store.Snapshot()
	k.wait.Look(snapshot, nil, k.now(snapshot))
	for _, event := range k.held {
		k.applyAndLook(event)
	}
	k.held, k.listed, k.released = nil, nil, true
	k.wake()
}

// Do calls f while no event is applied to jobs.
func (k *Sink) Do(f func(*wait.Wait)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f(k.wait)
}
