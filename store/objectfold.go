package store

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train/kinds"
)

// Objects folds the events about objects: the newest form of each, and in
// which namespaces a kind was listed completely. It has one owner at a time.
type Objects struct {
	tables map[schema.GroupKind]*table
	// eventsOldest holds event keys in the order in which they may be dropped.
	eventsOldest  tree[string, key]
	droppedEvents int
	observer      ObjectObserver
}

// ObjectObserver is called with objects that enter or leave Objects.
type ObjectObserver interface {
	// Came is called after an object was added.
	Came(kind schema.GroupKind, o kinds.Object)
	// Went is called after an object was removed; next replaces it, nil
	// without one. unwatched means that it is only no longer observed.
	Went(kind schema.GroupKind, o, next kinds.Object, unwatched bool)
}

// NewObjects returns an empty fold.
//
//go:noinline
func NewObjects(observer ObjectObserver) *Objects {
	return &Objects{tables: map[schema.GroupKind]*table{}, eventsOldest: newTree[string, key](), observer: observer}
}

// Apply applies a Set, Deleted, Listed or Unwatched; it returns false for
// other events.
func (f *Objects) Apply(event Event) bool {
	switch e := event.(type) {
	case Set:
		f.set(e.Kind, e.Object)
	case Deleted:
		f.delete(e)
	case Listed:
		f.list(e)
	case Unwatched:
		f.remove(e.Kind, e.Namespace, nil, true)
		f.table(e.Kind).setListed(e.Namespace, false)
	default:
		return false
	}
	return true
}

// Find returns an object, nil when it does not exist.
func (f *Objects) Find(kind schema.GroupKind, namespace, name string) kinds.Object {
	t := f.tables[kind]
	if t == nil {
		return nil
	}
	o, _ := mapOf(t.rows).Get(keyOf(namespace, name))
	return o
}

// Export calls visit with events from which an empty store can rebuild all
// objects: lists of kinds that were listed completely, and the others one by
// one.
func (f *Objects) Export(visit func(Event)) { exportTables(f.tables, visit) }

func (f *Objects) table(kind schema.GroupKind) *table {
	t := f.tables[kind]
	if t == nil {
		t = newTable()
		f.tables[kind] = t
	}
	return t
}

func (f *Objects) set(kind schema.GroupKind, o kinds.Object) {
	at := keyOf(o.GetNamespace(), o.GetName())
	if before, replaced := mapOf(f.table(kind).rows).Set(at, o); replaced {
		f.went(kind, before, o, false)
	}
	if event, is := o.(*corev1.Event); is {
		mapOf(f.eventsOldest).Set(eventOrder(event), at)
	}
	f.observer.Came(kind, o)
	f.dropOldEvents()
}

func (f *Objects) went(kind schema.GroupKind, o, next kinds.Object, unwatched bool) {
	if event, is := o.(*corev1.Event); is {
		mapOf(f.eventsOldest).Delete(eventOrder(event))
	}
	f.observer.Went(kind, o, next, unwatched)
}

func (f *Objects) delete(e Deleted) {
	at := keyOf(e.Namespace, e.Name)
	t := f.table(e.Kind)
	o, found := mapOf(t.rows).Get(at)
	if !found || e.UID != "" && o.GetUID() != "" && e.UID != string(o.GetUID()) {
		return
	}
	mapOf(t.rows).Delete(at)
	f.went(e.Kind, o, nil, false)
}

func (f *Objects) list(e Listed) {
	keep := make(map[key]bool, len(e.Objects))
	for _, o := range e.Objects {
		keep[keyOf(o.GetNamespace(), o.GetName())] = true
	}
	f.remove(e.Kind, e.Namespace, keep, false)
	for _, o := range e.Objects {
		f.set(e.Kind, o)
	}
	f.table(e.Kind).setListed(e.Namespace, true)
}

// remove removes the objects of a namespace that are not to be kept.
func (f *Objects) remove(kind schema.GroupKind, namespace string, keep map[key]bool, unwatched bool) {
	t := f.table(kind)
	var gone []kinds.Object
	t.in(namespace, func(o kinds.Object) bool {
		if !keep[keyOf(o.GetNamespace(), o.GetName())] {
			gone = append(gone, o)
		}
		return true
	})
	for _, o := range gone {
		mapOf(t.rows).Delete(keyOf(o.GetNamespace(), o.GetName()))
		f.went(kind, o, nil, unwatched)
	}
}

func (f *Objects) dropOldEvents() {
	for mapOf(f.eventsOldest).Len() > MaxEvents {
		_, at, _ := mapOf(f.eventsOldest).PopMin()
		if o, found := mapOf(f.table(kinds.EventKind).rows).Delete(at); found {
			f.went(kinds.EventKind, o, nil, false)
		}
		f.droppedEvents++
	}
}

// exportTables calls visit with events from which an empty store can rebuild
// tables.
func exportTables(tables map[schema.GroupKind]*table, visit func(Event)) {
	for _, kind := range slices.SortedFunc(maps.Keys(tables), func(a, b schema.GroupKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind))
	}) {
		t := tables[kind]
		for _, namespace := range slices.Sorted(maps.Keys(t.listed)) {
			list := Listed{Kind: kind, Namespace: namespace}
			t.in(namespace, func(o kinds.Object) bool {
				list.Objects = append(list.Objects, o)
				return true
			})
			visit(list)
		}
		t.in("", func(o kinds.Object) bool {
			if !t.listed[""] && !t.listed[o.GetNamespace()] {
				visit(Set{Kind: kind, Object: o})
			}
			return true
		})
	}
}
