package eventmask

import (
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// Late is a sink that passes events on to another. The lists of a cluster come in
// any order, so a message may quote what a pod declares before that pod comes:
// until SetKnown(true), Late remembers the objects that it passed on, and then
// passes those again that hold a declared secret, without it.
//
// Many goroutines may call it.
type Late struct {
	next    interface{ Apply(events ...store.Event) }
	secrets *declared.Values
	known   atomic.Bool

	mu    sync.Mutex
	early map[earlyKey]kinds.Object
}

type earlyKey struct {
	kind            schema.GroupKind
	namespace, name string
}

// NewLate makes a sink that does not know the secrets yet.
func NewLate(next interface{ Apply(events ...store.Event) }, secrets *declared.Values) *Late {
	return &Late{next: next, secrets: secrets, early: map[earlyKey]kinds.Object{}}
}

// Apply implements sources.Sink.
func (l *Late) Apply(events ...store.Event) {
	if l.known.Load() {
		l.next.Apply(events...)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.known.Load() {
		for _, event := range events {
			l.remember(event)
		}
	}
	l.next.Apply(events...)
}

// SetKnown records whether all pods were read, so that their secrets are known.
func (l *Late) SetKnown(known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known {
		var again []store.Event
		for key, o := range l.early {
			if masked := declared.Masked(l.secrets, o); masked != o {
				again = append(again, store.Set{Kind: key.kind, Object: masked})
			}
		}
		l.early = map[earlyKey]kinds.Object{} // clear would keep its memory
		l.next.Apply(again...)
	}
	l.known.Store(known)
}

// remember keeps what is still there of the objects in an event. mu is held.
func (l *Late) remember(event store.Event) {
	switch e := event.(type) {
	case store.Set:
		l.add(e.Kind, e.Object)
	case store.Listed:
		l.forget(e.Kind, e.Namespace)
		for _, o := range e.Objects {
			l.add(e.Kind, o)
		}
	case store.Unwatched:
		l.forget(e.Kind, e.Namespace)
	case store.Deleted:
		delete(l.early, earlyKey{e.Kind, e.Namespace, e.Name})
	}
}

func (l *Late) add(kind schema.GroupKind, o kinds.Object) {
	if o != nil && o.GetNamespace() != "" { // others quote no pod
		l.early[earlyKey{kind, o.GetNamespace(), o.GetName()}] = o
	}
}

func (l *Late) forget(kind schema.GroupKind, namespace string) {
	for key := range l.early {
		if key.kind == kind && (namespace == "" || key.namespace == namespace) {
			delete(l.early, key)
		}
	}
}
