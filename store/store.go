package store

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// MaxEvents bounds the cluster events that are kept. Beyond it the oldest
// Normal events are dropped first, then the oldest of the others.
const MaxEvents = 20_000

// Store merges the events of all sources. Its methods may be called from any
// goroutine.
type Store struct {
	clock   func() time.Time
	changed chan struct{}

	mu     sync.Mutex
	raw    objectState
	health tree[string, train.Health]
	pinned time.Time // zero: clock applies
	events uint64    // applied so far
	// The changes since the last snapshot, to be derived again.
	dirty dirtySet
	logs  logs
	gpus  *gpus.Fold
	// used and placed came since the last snapshot.
	used   []Used
	placed map[placedQueue]Placed

	deriving  sync.Mutex // held while a snapshot is taken; guards last and the joins
	last      *Snapshot
	join      *gpuJoin
	usageJoin *usageJoin
}

// objectState holds what the sources reported, before joining.
type objectState struct {
	*Objects
	// children maps an object's path to the paths of the objects directly
	// below it.
	children index
	// onNode maps a node's name to the keys of the pods bound to it.
	onNode index
	// holders maps the UIDs of jobs to who holds or states them (holdersOf), the first
	// in order being the one that holds it.
	holders uidHolders
	gone    gonePods
}

// New returns an empty store. clock gives the time of snapshots as long as no
// source pins it.
func New(clock func() time.Time) *Store {
	s := &Store{clock: clock, changed: make(chan struct{}, 1)}
	s.raw = objectState{Objects: NewObjects(objectLinks{s}), children: newIndex(), onNode: newIndex(), holders: newUIDHolders(), gone: newGonePods()}
	s.health = newTree[string, train.Health]()
	s.dirty = newDirtySet()
	s.logs = newLogs(DefaultLimits)
	s.usageJoin = &usageJoin{tracks: map[string]map[string]*usageTrack{}}
	s.last = emptySnapshot()
	s.last.gpus.list = &gpuList{}
	s.last.gpus.shared = &gpuShared{jobs: map[train.JobID]*jobGPUCache{}}
	s.join = newGPUJoin()
	s.gpus = gpus.New()
	s.last.logs.runs = &runs{all: map[train.JobID]madeRun{}}
	return s
}

// NewAfter returns an empty store that replaces another one; before is a
// snapshot of that store. Its snapshots and versions get numbers different
// from those of any snapshot up to then, so that caches of the other store
// become invalid. It keeps logs by the same limits as New.
func NewAfter(clock func() time.Time, before *Snapshot) *Store {
	s := New(clock)
	// No store reaches so many snapshots or changes.
	const room = 40
	next := (before.Sequence>>room + 1) << room
	s.logs.version = next
	l := s.last
	l.Sequence, l.JobsVersion, l.NodesVersion, l.EventsVersion, l.HealthVersion = next, next, next, next, next
	l.ObjectsVersion, l.LogsVersion, l.GPUsVersion, l.UsageVersion = next, next, next, next
	return s
}

// Changed receives once, at some time after one or more events were applied.
// It has one reader: whoever takes the snapshots.
func (s *Store) Changed() <-chan struct{} { return s.changed }

// Apply merges events into the store, in order.
func (s *Store) Apply(events ...Event) {
	if len(events) == 0 {
		return
	}
	s.mu.Lock()
	s.events += uint64(len(events))
	s.pin(events)
	for len(events) > 0 {
		n, lines := logged(events)
		if n > 1 && lines > fewLines {
			s.logs.addAll(events[:n])
		} else {
			n = max(n, 1)
			for _, e := range events[:n] {
				s.apply(e)
			}
		}
		events = events[n:]
	}
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *Store) apply(e Event) {
	switch e := e.(type) {
	case Set, Deleted:
		s.raw.Apply(e)
	case Listed:
		s.raw.Apply(e)
		s.listedAnew(e.Kind)
	case Unwatched:
		s.raw.Apply(e)
		s.listedAnew(e.Kind)
	case HealthChanged:
		s.changeHealth(e.Health)
	case Logged:
		s.logs.add(e)
	case StreamChanged:
		s.logs.change(e)
	case Measured:
		s.gpus.Measure(gpus.Measured(e), s.measuredAt(e), rawObjects{&s.raw})
	case Backfilled:
		s.gpus.Backfill(e.Past, s.now(), rawObjects{&s.raw})
	case Used:
		s.use(e)
	case Placed:
		s.place(e)
	case Clock: // pin handled it already
	}
}

// pin sets the time that the events pin, before they are applied: readings up
// to that time may come before it among them, and are not in the future.
func (s *Store) pin(events []Event) {
	for _, e := range events {
		if clock, is := e.(Clock); is {
			s.pinned = clock.Now
		}
	}
}

// now returns the time of a snapshot taken now.
func (s *Store) now() time.Time {
	if s.pinned.IsZero() {
		return s.clock()
	}
	return s.pinned
}

// listedAnew marks a kind of which a source lists more or less than before.
func (s *Store) listedAnew(kind schema.GroupKind) {
	s.raw.table(kind).incomplete = s.lackingOf(kind)
	s.dirty.tables[kind] = true
	s.dirty.coverage(kind)
}

// objectLinks updates the indexes of a store and the dirty set.
type objectLinks struct{ *Store }

// Came implements ObjectObserver.
func (s objectLinks) Came(kind schema.GroupKind, o kinds.Object) {
	if pod, is := o.(*corev1.Pod); is {
		s.raw.gone.remove(pod)
	}
	s.link(kind, o, false, s.raw.children.add, s.raw.onNode.add, s.raw.holders.add)
}

// Went implements ObjectObserver.
func (s objectLinks) Went(kind schema.GroupKind, o, next kinds.Object, unwatched bool) {
	if pod, is := o.(*corev1.Pod); is && !unwatched && (next == nil || next.GetUID() != o.GetUID()) {
		s.raw.gone.add(pod)
	}
	s.link(kind, o, true, s.raw.children.remove, s.raw.onNode.remove, s.raw.holders.remove)
}

// link changes the entries of an object in the indexes.
func (s *Store) link(kind schema.GroupKind, o kinds.Object, gone bool, child, onNode, holder func(from, to string)) {
	at := keyOf(o.GetNamespace(), o.GetName())
	s.dirty.tables[kind] = true
	s.dirty.object(kind, o)
	s.objectChanges(o, gone)
	if parent, has := kinds.Parent(kind, o); has {
		child(pathOfRef(parent.Ref), path(kind, at))
	}
	holdersOf(kind, o, holder)
	if pod, is := o.(*corev1.Pod); is && pod.Spec.NodeName != "" {
		onNode(pod.Spec.NodeName, at)
	}
}
