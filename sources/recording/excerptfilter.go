package recording

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// excerptFilter keeps the events about one job, and of other jobs only the
// resources they hold.
type excerptFilter struct {
	family *family
	// passed contains the objects that passed the filter and still exist.
	passed map[member]bool
}

func newExcerptFilter(own *family) *excerptFilter {
	return &excerptFilter{family: own, passed: map[member]bool{}}
}

// begin forgets the objects, since the following events restate them.
func (f *excerptFilter) begin() { clear(f.passed) }

// of returns the events that the filter keeps.
func (f *excerptFilter) of(events []store.Event) []store.Event {
	var kept []store.Event
	for _, event := range events {
		if event = f.one(event); event != nil {
			kept = append(kept, event)
		}
	}
	return kept
}

// one returns the part of an event that the filter keeps, nil for none.
func (f *excerptFilter) one(event store.Event) store.Event {
	switch e := event.(type) {
	case store.Set:
		if e.Object = f.object(e.Kind, e.Object); e.Object == nil {
			return nil
		}
		return e
	case store.Deleted:
		at := member{e.Kind, e.Namespace, e.Name}
		if !f.passed[at] {
			return nil
		}
		delete(f.passed, at)
	case store.Listed:
		e.Objects = f.objects(e.Kind, e.Objects)
		return e
	case listPartOf:
		e.Objects = f.objects(e.Kind, e.Objects)
		return e
	case store.Logged:
		if !f.family.hasLog(e.Stream) {
			return nil
		}
	case store.StreamChanged:
		if !f.family.hasLog(e.Stream) {
			return nil
		}
	case store.Placed:
		e.Waiting = keep(e.Waiting, func(w *store.WaitingPlace) bool {
			return f.passed[member{kinds.KueueWorkloadKind, w.Namespace, w.Workload}]
		})
		return e
	case store.Measured, store.Backfilled, store.Used:
		return f.measured(event)
	}
	return event
}

// measured keeps the measurements of the job's nodes and pods.
func (f *excerptFilter) measured(event store.Event) store.Event {
	switch e := event.(type) {
	case store.Measured:
		if e.Node != "" && !f.family.hosts[e.Node] {
			return nil
		}
		e.Readings = keep(e.Readings, func(r *train.GPUReading) bool { return f.family.hasGPU(e.Node, &r.GPU) })
		return e
	case store.Backfilled:
		if e.Past = keep(e.Past, func(p *train.GPUPast) bool { return f.family.hasGPU("", &p.GPU) }); len(e.Past) == 0 {
			return nil
		}
		return e
	case store.Used:
		e.Usage = keep(e.Usage, func(u *train.Usage) bool {
			return f.family.nodes[u.Node] || u.Pod != "" && f.family.hasPod(u.Namespace, u.Pod)
		})
		return e
	}
	return event
}

// keep returns a copy of the wanted items.
func keep[T any](all []T, wanted func(*T) bool) []T {
	var kept []T
	for i := range all {
		if wanted(&all[i]) {
			kept = append(kept, all[i])
		}
	}
	return kept
}

func (f *excerptFilter) objects(kind schema.GroupKind, all []kinds.Object) []kinds.Object {
	kept := make([]kinds.Object, 0, len(all))
	for _, o := range all {
		if o = f.object(kind, o); o != nil {
			kept = append(kept, o)
		}
	}
	return kept
}

// object returns the part of an object that the filter keeps, nil for none.
func (f *excerptFilter) object(kind schema.GroupKind, o kinds.Object) kinds.Object {
	switch f.shareOf(kind, o) {
	case nothing:
		return nil
	case outline:
		if o = kinds.Outline(o); o == nil {
			return nil
		}
	}
	f.passed[member{kind, o.GetNamespace(), o.GetName()}] = true
	return o
}

// share is how much of an object the filter keeps.
type share int

const (
	nothing share = iota
	outline       // only the resources it holds
	whole
)

// shareOf keeps whole what belongs to the job, and unowned objects that may
// affect it. Of other jobs and their pods it keeps the outline.
func (f *excerptFilter) shareOf(kind schema.GroupKind, o kinds.Object) share {
	own := f.family.namespace
	switch namespace := o.GetNamespace(); {
	case f.family.objects[member{kind, namespace, o.GetName()}]:
		return whole
	case kind == kinds.EventKind:
		return f.shareOfEvent(o)
	case namespace == "":
		return f.shareOfCluster(kind, o)
	case holds(kind):
		return outline
	case namespace == own && !f.family.isOthers(ownersOf(o)):
		return whole
	}
	return nothing
}

// shareOfEvent keeps events about the job, and about unowned objects that are
// kept whole (nodes, claims, quotas).
func (f *excerptFilter) shareOfEvent(o kinds.Object) share {
	about, has := kinds.Parent(kinds.EventKind, o)
	at := member{about.GroupKind(), about.Ref.Namespace, about.Ref.Name}
	switch {
	case !has:
		return nothing
	case f.family.objects[at]:
		return whole
	case about.Ref.Namespace == "" || at.kind == kinds.NodeKind:
		return whole
	case at.namespace == f.family.namespace && !holds(at.kind) && !f.family.isOthers(f.family.owners[at]):
		return whole
	}
	return nothing
}

// shareOfCluster keeps cluster-scoped objects, except those of another
// namespace.
func (f *excerptFilter) shareOfCluster(kind schema.GroupKind, o kinds.Object) share {
	if kind == namespaceKind && o.GetName() != f.family.namespace {
		return nothing
	}
	if volume, is := o.(*corev1.PersistentVolume); is {
		if claim := volume.Spec.ClaimRef; claim != nil && claim.Namespace != f.family.namespace {
			return nothing
		}
	}
	if tree, is := o.(*unstructured.Unstructured); is && kind == volumeKind {
		if claimed, has, _ := unstructured.NestedString(tree.Object, "spec", "claimRef", "namespace"); has && claimed != f.family.namespace {
			return nothing
		}
	}
	return whole
}

var (
	namespaceKind = corev1.SchemeGroupVersion.WithKind("Namespace").GroupKind()
	volumeKind    = corev1.SchemeGroupVersion.WithKind("PersistentVolume").GroupKind()
)

// holds reports whether objects of a kind hold resources that a job may wait
// for, or link such an object to its pods.
func holds(kind schema.GroupKind) bool {
	return kind == kinds.PodKind || kinds.IsJob(kind) || slices.ContainsFunc(kinds.Related(), func(k kinds.Kind) bool {
		return k.GroupKind == kind && slices.Contains(holdingKinds, kind.Kind)
	})
}

// holdingKinds are the kinds of kinds.Related that do: gangs, queued
// workloads, devices.
var holdingKinds = []string{"Workload", "PodGroup", "ResourceClaim", "LocalQueue"}
