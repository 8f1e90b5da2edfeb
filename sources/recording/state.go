package recording

import (
	"cmp"
	"container/list"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// state is all that events have said so far, as far as a snapshot needs it.
// It shares the objects with whoever told them.
type state struct {
	objects map[schema.GroupKind]map[objectKey]kinds.Object
	// listed are the namespaces of a kind that were listed in full, "" for all.
	listed map[schema.GroupKind]map[string]bool
	// events holds the keys of cluster events, the oldest told first.
	events   *list.List
	eventAt  map[objectKey]*list.Element
	health   map[string]train.Health
	clock    store.Clock
	measured map[measuredKey]store.Measured
	used     map[string]*usedBySource
	logs     logStates
	departed deletedPods
}

type objectKey struct{ namespace, name string }

func compareKeys(a, b objectKey) int {
	return cmp.Or(strings.Compare(a.namespace, b.namespace), strings.Compare(a.name, b.name))
}

func keyOf(o kinds.Object) objectKey { return objectKey{o.GetNamespace(), o.GetName()} }

// usedBySource is the newest that a source said of each thing.
type usedBySource struct {
	newest store.Used
	of     map[usageKey]train.Usage
}

type usageKey struct{ node, namespace, pod, container string }

func newState() *state {
	return &state{
		objects: map[schema.GroupKind]map[objectKey]kinds.Object{}, listed: map[schema.GroupKind]map[string]bool{},
		events: list.New(), eventAt: map[objectKey]*list.Element{}, health: map[string]train.Health{},
		measured: map[measuredKey]store.Measured{}, used: map[string]*usedBySource{}, logs: newLogStates(),
	}
}

// fold takes an event in.
func (s *state) fold(event store.Event) {
	switch e := event.(type) {
	case store.Set:
		s.set(e.Kind, e.Object)
	case store.Deleted:
		s.delete(e)
	case store.Listed:
		s.list(e)
	case store.Unwatched:
		s.removeUnless(e.Kind, e.Namespace, nil, s.remove)
		delete(s.listed[e.Kind], e.Namespace)
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
	case store.Logged:
		s.logs.add(&e)
	case store.StreamChanged:
		s.logs.change(e)
	}
}

func (s *state) set(kind schema.GroupKind, o kinds.Object) {
	of := s.objects[kind]
	if of == nil {
		of = map[objectKey]kinds.Object{}
		s.objects[kind] = of
	}
	at := keyOf(o)
	if was := of[at]; kind == kinds.PodKind && was != nil && was.GetUID() != o.GetUID() {
		s.depart(at, was)
	}
	of[at] = o
	if kind != kinds.EventKind {
		return
	}
	if s.eventAt[at] == nil {
		s.eventAt[at] = s.events.PushBack(at)
	}
	for len(of) > store.MaxEvents {
		s.remove(kind, s.events.Front().Value.(objectKey))
	}
}

func (s *state) remove(kind schema.GroupKind, at objectKey) {
	delete(s.objects[kind], at)
	if kind != kinds.EventKind {
		return
	}
	if element := s.eventAt[at]; element != nil {
		s.events.Remove(element)
		delete(s.eventAt, at)
	}
}

func (s *state) delete(e store.Deleted) {
	at := objectKey{e.Namespace, e.Name}
	o := s.objects[e.Kind][at]
	if o == nil || e.UID != "" && o.GetUID() != "" && e.UID != string(o.GetUID()) {
		return
	}
	s.gone(e.Kind, at)
}

// gone removes an object that is no longer there.
func (s *state) gone(kind schema.GroupKind, at objectKey) {
	if kind == kinds.PodKind {
		s.depart(at, s.objects[kind][at])
	}
	s.remove(kind, at)
}

func (s *state) list(e store.Listed) {
	keep := make(map[objectKey]bool, len(e.Objects))
	for _, o := range e.Objects {
		keep[keyOf(o)] = true
	}
	s.removeUnless(e.Kind, e.Namespace, keep, s.gone)
	for _, o := range e.Objects {
		s.set(e.Kind, o)
	}
	if s.listed[e.Kind] == nil {
		s.listed[e.Kind] = map[string]bool{}
	}
	s.listed[e.Kind][e.Namespace] = true
}

// removeUnless removes what is not kept, in order of the names.
func (s *state) removeUnless(kind schema.GroupKind, namespace string, keep map[objectKey]bool, remove func(schema.GroupKind, objectKey)) {
	var all []objectKey
	for at := range s.objects[kind] {
		if (namespace == "" || at.namespace == namespace) && !keep[at] {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, compareKeys)
	for _, at := range all {
		remove(kind, at)
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

// each calls visit with events that bring an empty store to this state.
func (s *state) each(visit func(store.Event)) {
	s.eachObject(visit)
	for _, source := range slices.Sorted(maps.Keys(s.health)) {
		visit(store.HealthChanged{Health: s.health[source]})
	}
	if !s.clock.Now.IsZero() {
		visit(s.clock)
	}
	s.logs.each(visit)
	s.eachDeparted(visit)
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

// eachObject tells lists for what was listed in full. A kind that was listed
// in single namespaces, or not at all, is told object by object beside them.
func (s *state) eachObject(visit func(store.Event)) {
	all := map[schema.GroupKind]bool{}
	for kind := range s.objects {
		all[kind] = true
	}
	for kind := range s.listed {
		all[kind] = true
	}
	for _, kind := range slices.SortedFunc(maps.Keys(all), compareKinds) {
		for _, namespace := range slices.Sorted(maps.Keys(s.listed[kind])) {
			visit(store.Listed{Kind: kind, Namespace: namespace, Objects: s.sorted(kind, func(at objectKey) bool {
				return namespace == "" || at.namespace == namespace
			})})
		}
		if s.listed[kind][""] {
			continue
		}
		for _, o := range s.sorted(kind, func(at objectKey) bool { return !s.listed[kind][at.namespace] }) {
			visit(store.Set{Kind: kind, Object: o})
		}
	}
}

func compareKinds(a, b schema.GroupKind) int {
	return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Kind, b.Kind))
}

// sorted are the objects of a kind in order of their names, since objects that
// are alike mostly stand together then.
func (s *state) sorted(kind schema.GroupKind, wanted func(objectKey) bool) []kinds.Object {
	keys := make([]objectKey, 0, len(s.objects[kind]))
	for at := range s.objects[kind] {
		if wanted(at) {
			keys = append(keys, at)
		}
	}
	slices.SortFunc(keys, compareKeys)
	objects := make([]kinds.Object, len(keys))
	for i, at := range keys {
		objects[i] = s.objects[kind][at]
	}
	return objects
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
