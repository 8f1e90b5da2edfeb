package recording

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// state merges all events so far, as far as a snapshot needs them. It shares
// the objects with the source.
type state struct {
	objects     *store.Objects
	health      map[string]train.Health
	clock       store.Clock
	measured    map[measuredKey]store.Measured
	used        map[string]*usedBySource
	placed      map[placedKey]store.Placed
	logs        logStates
	deletedPods deletedPods
}

type objectKey struct{ namespace, name string }

func compareKeys(a, b objectKey) int {
	return cmp.Or(strings.Compare(a.namespace, b.namespace), strings.Compare(a.name, b.name))
}

func keyOf(o kinds.Object) objectKey { return objectKey{o.GetNamespace(), o.GetName()} }

// usedBySource is the newest usage that a source reported of each thing.
type usedBySource struct {
	newest store.Used
	of     map[usageKey]train.Usage
}

type usageKey struct{ node, namespace, pod, container string }

func newState() *state {
	s := &state{
		health: map[string]train.Health{}, measured: map[measuredKey]store.Measured{}, used: map[string]*usedBySource{}, logs: newLogStates(),
		placed: map[placedKey]store.Placed{},
	}
	s.objects = store.NewObjects(deletionObserver{s})
	return s
}

// fold merges an event into the state.
func (s *state) fold(event store.Event) {
	switch e := event.(type) {
	case store.Set, store.Deleted, store.Listed, store.Unwatched:
		s.objects.Apply(e)
	case store.HealthChanged:
		if s.health[e.Health.Source] = e.Health; e.Health.State == "" {
			delete(s.health, e.Health.Source)
		}
	case store.Clock:
		s.clock = e
	case store.Measured:
		s.measured[measuredKey{e.Source, e.Node}] = e
	case store.Used:
		s.use(e)
	case store.Placed:
		if s.placed[placedKey{e.Namespace, e.Queue}] = e; e.Every <= 0 {
			delete(s.placed, placedKey{e.Namespace, e.Queue})
		}
	case store.Logged:
		s.logs.add(&e)
	case store.StreamChanged:
		s.logs.change(e)
	}
}

func (s *state) use(e store.Used) {
	by := s.used[e.Source]
	if by == nil || e.Complete {
		by = &usedBySource{of: map[usageKey]train.Usage{}}
		s.used[e.Source] = by
	}
	by.newest = e
	for _, u := range e.Usage {
		by.of[usageKey{u.Node, u.Namespace, u.Pod, u.Container}] = u
	}
}

// each visits events that bring an empty store to this state.
func (s *state) each(visit func(store.Event)) {
	s.objects.Export(visit)
	for _, source := range slices.Sorted(maps.Keys(s.health)) {
		visit(store.HealthChanged{Health: s.health[source]})
	}
	for _, key := range slices.SortedFunc(maps.Keys(s.placed), comparePlaced) {
		visit(s.placed[key])
	}
	if !s.clock.Now.IsZero() {
		visit(s.clock)
	}
	s.logs.each(visit)
	s.eachDeleted(visit)
	for _, key := range slices.SortedFunc(maps.Keys(s.measured), compareMeasured) {
		visit(s.measured[key])
	}
	for _, source := range slices.Sorted(maps.Keys(s.used)) {
		visit(s.used[source].event())
	}
}

func compareMeasured(a, b measuredKey) int {
	return cmp.Or(strings.Compare(a.source, b.source), strings.Compare(a.node, b.node))
}

func comparePlaced(a, b placedKey) int {
	return cmp.Or(strings.Compare(a.namespace, b.namespace), strings.Compare(a.queue, b.queue))
}

func (u *usedBySource) event() store.Used {
	whole := u.newest
	whole.Complete, whole.Usage = true, make([]train.Usage, 0, len(u.of))
	for _, one := range u.of {
		whole.Usage = append(whole.Usage, one)
	}
	slices.SortFunc(whole.Usage, func(a, b train.Usage) int {
		return cmp.Or(strings.Compare(a.Node, b.Node), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Pod, b.Pod), strings.Compare(a.Container, b.Container))
	})
	return whole
}
