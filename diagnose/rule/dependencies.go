package rule

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Dependencies are the objects, lists, events and nodes that the rules read
// for one job. While all of them are unchanged in a later snapshot, and Due
// has not come, the rules would return the same.
type Dependencies struct {
	Due     time.Time // zero: time alone changes nothing
	objects []objectDependency
	lists   []listDependency
	about   []eventsDependency
	filters []filterDependency
	Nodes   uint64 // Snapshot.NodesVersion where every pod on a node counts, else 0
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

// filterDependency is how the nodes were filtered for pods with the same
// requirements.
type filterDependency struct {
	requirements string
	verdict      *capacity.FilterResult
}

func (d *Dependencies) noteObject(kind schema.GroupKind, namespace, name string, o kinds.Object, p train.Presence) {
	for i := range d.objects {
		if was := &d.objects[i]; was.name == name && was.namespace == namespace && was.kind == kind {
			return
		}
	}
	d.objects = append(d.objects, objectDependency{kind, namespace, name, o, p})
}

func (d *Dependencies) noteList(kind schema.GroupKind, namespace string, list []kinds.Object) {
	d.lists = append(d.lists, listDependency{kind, namespace, list})
}

func (d *Dependencies) noteEvents(r train.Ref, events []*corev1.Event) {
	d.about = append(d.about, eventsDependency{r, events})
}

func (d *Dependencies) NoteFilter(requirements string, verdict *capacity.FilterResult) {
	d.filters = append(d.filters, filterDependency{requirements, verdict})
}

// NoteDue records an instant at which time changes the answer.
func (d *Dependencies) NoteDue(due time.Time) {
	if d.Due.IsZero() || due.Before(d.Due) {
		d.Due = due
	}
}

// Expired reports whether that instant has come.
func (d *Dependencies) Expired(now time.Time) bool { return !d.Due.IsZero() && !now.Before(d.Due) }

func (d *Dependencies) SameObjects(s *store.Snapshot) bool {
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

func (d *Dependencies) SameEvents(s *store.Snapshot) bool {
	for _, was := range d.about {
		if !slices.Equal(s.EventsAbout(was.ref), was.events) {
			return false
		}
	}
	return true
}

// SameNodes reports whether the nodes have room for the same pods as before.
func (d *Dependencies) SameNodes(w *ClusterContext) bool {
	if d.Nodes != 0 && d.Nodes != w.NodesVersion {
		return false
	}
	for _, was := range d.filters {
		if !w.Nodes.Unchanged(was.requirements, was.verdict) {
			return false
		}
	}
	return true
}
