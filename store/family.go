package store

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// family collects the objects of the job at ref; nil when ref is no row.
func (d *derivation) family(ref train.Ref) (*kinds.Family, *members) {
	kind := schema.GroupKind{Group: ref.Group, Kind: ref.Kind}
	o, presence := d.Object(kind, ref.Namespace, ref.Name)
	if kind == kinds.PodGroupRow {
		o, presence = nil, train.Unknown
	}
	f := &kinds.Family{Ref: ref, NodeReady: d.nodeReady, PodsListed: d.Complete(kinds.PodKind, ref.Namespace)}
	f.Find = d.finder(ref.JobID())
	switch {
	case presence == train.Present && differ(string(o.GetUID()), ref.UID), presence == train.Absent:
		return nil, nil
	case presence == train.Present:
		if top, has := kinds.Top(kind, o, d.Object); !has || (ownership{d.Snapshot}).unambiguous(top).JobID() != ref.JobID() {
			return nil, nil
		}
		f.Top, _ = o.(*unstructured.Unstructured)
	default:
		if maker, made := (ownership{d.Snapshot}).creatorOf(ref); made {
			d.mark(maker)
			return nil, nil
		}
	}
	m := ownership{d.Snapshot}.collect(ref)
	if f.Top == nil && len(m.paths) == 0 && len(m.events) == 0 {
		return nil, nil
	}
	f.Below, f.Pods, f.Events = m.below, m.pods, m.events
	if f.Top != nil {
		f.Gone = d.gone.ofController(f.Top.GetUID())
	}
	for _, below := range f.Below {
		f.Gone = append(f.Gone, d.gone.ofController(below.GetUID())...)
	}
	f.EventsAbout = func(pod *corev1.Pod) []*corev1.Event {
		return ownership{d.Snapshot}.eventsAbout(path(kinds.PodKind, keyOf(pod.Namespace, pod.Name)), string(pod.UID))
	}
	return f, m
}

func (d *derivation) nodeReady(name string) (bool, train.Presence) {
	if node := d.Node(name); node != nil {
		return node.Ready, train.Present
	}
	if d.Complete(kinds.NodeKind, "") {
		return false, train.Absent
	}
	return false, train.Unknown
}

// finder returns a lookup function for a job that records what it looked up.
func (d *derivation) finder(id train.JobID) func(schema.GroupKind, string, string) (*unstructured.Unstructured, train.Presence) {
	noted, _ := mapOf(d.usedBy).Get(id)
	return func(kind schema.GroupKind, namespace, name string) (*unstructured.Unstructured, train.Presence) {
		at := path(kind, keyOf(namespace, name))
		if !slices.Contains(noted, at) {
			noted = append(slices.Clip(noted), at)
			mapOf(d.usedBy).Set(id, noted)
			d.uses.add(at, string(id))
		}
		o, presence := d.Object(kind, namespace, name)
		u, isUnstructured := o.(*unstructured.Unstructured)
		if presence == train.Present && !isUnstructured {
			return nil, train.Unknown
		}
		return u, presence
	}
}
