package diagnose

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// dependencies are the objects, lists, events and nodes that the rules read
// for one job. While all of them are unchanged in a later snapshot, and due
// has not come, the rules would answer the same.
type dependencies struct {
	due     time.Time // zero: time alone changes nothing
	objects []objectDependency
	lists   []listDependency
	about   []eventsDependency
	shapes  []filterDependency
	nodes   uint64 // Snapshot.NodesVersion where every pod on a node counts, else 0
}

type objectDependency struct {
	kind            schema.GroupKind
	namespace, name string
	o               kinds.Object
	presence        train.Presence
}

type listDependency struct {
	kind      schema.GroupKind
	namespace string
	list      []kinds.Object
}

type eventsDependency struct {
	ref    train.Ref
	events []*corev1.Event
}

// filterDependency is how the nodes were filtered for pods of one shape.
type filterDependency struct {
	shape   string
	verdict *filterResult
}

func (d *dependencies) object(kind schema.GroupKind, namespace, name string, o kinds.Object, p train.Presence) {
	for i := range d.objects {
		if was := &d.objects[i]; was.name == name && was.namespace == namespace && was.kind == kind {
			return
		}
	}
	d.objects = append(d.objects, objectDependency{kind, namespace, name, o, p})
}

func (d *dependencies) list(kind schema.GroupKind, namespace string, list []kinds.Object) {
	d.lists = append(d.lists, listDependency{kind, namespace, list})
}

func (d *dependencies) events(r train.Ref, events []*corev1.Event) {
	d.about = append(d.about, eventsDependency{r, events})
}

func (d *dependencies) shape(shape string, verdict *filterResult) {
	d.shapes = append(d.shapes, filterDependency{shape, verdict})
}

// until notes that time changes the answer at an instant.
func (d *dependencies) until(due time.Time) {
	if d.due.IsZero() || due.Before(d.due) {
		d.due = due
	}
}

// expired reports whether the instant has come at which time changes the answer.
func (d *dependencies) expired(now time.Time) bool { return !d.due.IsZero() && !now.Before(d.due) }

func (d *dependencies) sameObjects(s *store.Snapshot) bool {
	for _, was := range d.objects {
		if o, presence := s.Object(was.kind, was.namespace, was.name); presence != was.presence || o != was.o {
			return false
		}
	}
	for _, was := range d.lists {
		if !slices.Equal(listed(s, was.kind, was.namespace), was.list) {
			return false
		}
	}
	return true
}

func (d *dependencies) sameEvents(s *store.Snapshot) bool {
	for _, was := range d.about {
		if !slices.Equal(s.EventsAbout(was.ref), was.events) {
			return false
		}
	}
	return true
}

// sameNodes reports whether the nodes have room for the same pods as before.
func (d *dependencies) sameNodes(w *clusterContext) bool {
	if d.nodes != 0 && d.nodes != w.NodesVersion {
		return false
	}
	for _, was := range d.shapes {
		if !w.nodes.unchanged(was.shape, was.verdict) {
			return false
		}
	}
	return true
}
