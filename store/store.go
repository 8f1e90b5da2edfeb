package store

import (
	"sync"
	"time"

	"github.com/tidwall/btree"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// MaxEvents bounds the cluster events that are kept. Beyond it the oldest
// Normal events go first, then the oldest of the others.
const MaxEvents = 20_000

// Store is the one place where what sources say comes together. Its methods
// may be called from any goroutine.
type Store struct {
	clock   func() time.Time
	changed chan struct{}

	mu     sync.Mutex
	raw    raw
	health btree.Map[string, train.Health]
	pinned time.Time // zero: the clock decides
	events uint64    // applied so far
	// What changed since the last snapshot, to be derived again.
	touched dirtySet
	logs    logs
	gpus    *gpus.Fold
	used    []Used // since the last snapshot

	deriving  sync.Mutex // held while a snapshot is taken; guards last and the joins
	last      *Snapshot
	join      *gpuJoin
	usageJoin *usageJoin
}

// raw is what the sources said, unjoined.
type raw struct {
	tables map[schema.GroupKind]*table
	// children leads from an object's path to the paths of those directly below it.
	children index
	// onNode leads from a node's name to the keys of the pods bound to it.
	onNode index
	// eventsOldest holds event keys in the order in which they may be dropped.
	eventsOldest  btree.Map[string, key]
	droppedEvents int
}

// New makes an empty store. clock gives the time of snapshots as long as no
// source pins it.
func New(clock func() time.Time) *Store {
	s := &Store{clock: clock, changed: make(chan struct{}, 1)}
	s.raw.tables = map[schema.GroupKind]*table{}
	s.touched = newDirtySet()
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

// NewAfter makes an empty store that takes the place of another, of which
// before is a snapshot: the numbers of its snapshots and versions are others
// than those of any snapshot up to then, so that whoever kept something made
// of the other store makes it anew. It keeps logs by the same limits as New.
func NewAfter(clock func() time.Time, before *Snapshot) *Store {
	s := New(clock)
	// No store comes to so many snapshots or changes.
	const room = 40
	next := (before.Sequence>>room + 1) << room
	s.logs.version = next
	l := s.last
	l.Sequence, l.JobsVersion, l.NodesVersion, l.EventsVersion, l.HealthVersion = next, next, next, next, next
	l.ObjectsVersion, l.LogsVersion, l.GPUsVersion, l.UsageVersion = next, next, next, next
	return s
}

// Changed receives once, at some time after one or more events were applied.
// There is one reader: whoever takes the snapshots.
func (s *Store) Changed() <-chan struct{} { return s.changed }

// Apply folds events in, in order.
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
	case Set:
		s.set(e.Kind, e.Object)
	case Deleted:
		s.delete(e)
	case Listed:
		s.list(e)
	case Unwatched:
		s.unwatch(e)
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
	case Clock: // pin took it already
	}
}

// pin takes over the time that the events pin. What was measured up to then
// may stand before it among them, and is not of a time to come.
func (s *Store) pin(events []Event) {
	for _, e := range events {
		if clock, is := e.(Clock); is {
			s.pinned = clock.Now
		}
	}
}

// now is the time of a snapshot that is taken now.
func (s *Store) now() time.Time {
	if s.pinned.IsZero() {
		return s.clock()
	}
	return s.pinned
}

func (s *Store) table(kind schema.GroupKind) *table {
	t := s.raw.tables[kind]
	if t == nil {
		t = &table{}
		s.raw.tables[kind] = t
	}
	s.touched.tables[kind] = true
	return t
}

func (s *Store) set(kind schema.GroupKind, o kinds.Object) {
	at := keyOf(o.GetNamespace(), o.GetName())
	before, replaced := s.table(kind).rows.Set(at, o)
	if replaced {
		s.unlink(kind, at, before)
	}
	s.link(kind, at, o)
	s.dropOldEvents()
}

func (s *Store) delete(e Deleted) {
	at := keyOf(e.Namespace, e.Name)
	t := s.table(e.Kind)
	o, found := t.rows.Get(at)
	if !found || e.UID != "" && o.GetUID() != "" && e.UID != string(o.GetUID()) {
		return
	}
	t.rows.Delete(at)
	s.unlink(e.Kind, at, o)
}

func (s *Store) list(e Listed) {
	keep := make(map[key]bool, len(e.Objects))
	for _, o := range e.Objects {
		keep[keyOf(o.GetNamespace(), o.GetName())] = true
	}
	s.removeUnless(e.Kind, e.Namespace, func(at key) bool { return keep[at] })
	for _, o := range e.Objects {
		s.set(e.Kind, o)
	}
	s.table(e.Kind).setListed(e.Namespace, true)
	s.table(e.Kind).lacking = s.lackingOf(e.Kind)
	s.touched.coverage(e.Kind)
}

func (s *Store) unwatch(e Unwatched) {
	s.removeUnless(e.Kind, e.Namespace, func(key) bool { return false })
	s.table(e.Kind).setListed(e.Namespace, false)
	s.touched.coverage(e.Kind)
}

func (s *Store) removeUnless(kind schema.GroupKind, namespace string, keep func(key) bool) {
	t := s.table(kind)
	var gone []kinds.Object
	t.in(namespace, func(o kinds.Object) bool {
		if !keep(keyOf(o.GetNamespace(), o.GetName())) {
			gone = append(gone, o)
		}
		return true
	})
	for _, o := range gone {
		at := keyOf(o.GetNamespace(), o.GetName())
		t.rows.Delete(at)
		s.unlink(kind, at, o)
	}
}

// link enters an object into the indexes and marks what it can change.
func (s *Store) link(kind schema.GroupKind, at key, o kinds.Object) {
	s.touched.object(kind, o)
	s.objectChanges(o, false)
	if parent, has := kinds.Parent(kind, o); has {
		s.raw.children.add(pathOfRef(parent.Ref), path(kind, at))
	}
	switch o := o.(type) {
	case *corev1.Pod:
		s.onNode(o, s.raw.onNode.add)
	case *corev1.Event:
		s.raw.eventsOldest.Set(eventOrder(o), at)
	}
}

func (s *Store) unlink(kind schema.GroupKind, at key, o kinds.Object) {
	s.touched.object(kind, o)
	s.objectChanges(o, true)
	if parent, has := kinds.Parent(kind, o); has {
		s.raw.children.remove(pathOfRef(parent.Ref), path(kind, at))
	}
	switch o := o.(type) {
	case *corev1.Pod:
		s.onNode(o, s.raw.onNode.remove)
	case *corev1.Event:
		s.raw.eventsOldest.Delete(eventOrder(o))
	}
}

func (s *Store) onNode(pod *corev1.Pod, change func(from, to string)) {
	if pod.Spec.NodeName != "" {
		change(pod.Spec.NodeName, keyOf(pod.Namespace, pod.Name))
	}
}

func (s *Store) dropOldEvents() {
	for s.raw.eventsOldest.Len() > MaxEvents {
		_, at, _ := s.raw.eventsOldest.PopMin()
		if o, found := s.table(kinds.EventKind).rows.Delete(at); found {
			s.unlink(kinds.EventKind, at, o)
		}
		s.raw.droppedEvents++
	}
}
