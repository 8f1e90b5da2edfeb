package kube

import (
	"maps"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// exporterTap passes all events to the sink and collects the exporters among
// the pods, so that finding them costs no request.
type exporterTap struct {
	sink    sources.Sink
	changed chan struct{} // of capacity one: signals a change

	mu    sync.Mutex
	found map[podName]exporter
	pods  podsKnown
}

// podName identifies a pod.
type podName struct{ namespace, name string }

// podsKnown records which pods have passed by.
type podsKnown struct {
	// listed is true once all pods of a scope were listed, refused if none may
	// be.
	listed, refused bool
	// unread is true while they are not listed and will be requested again;
	// the health of pods has the reason.
	unread bool
	// scope is their namespace, "" for all.
	scope string
}

func newExporterTap(sink sources.Sink) *exporterTap {
	return &exporterTap{sink: sink, changed: make(chan struct{}, 1), found: map[podName]exporter{}}
}

// Apply implements sources.Sink.
func (t *exporterTap) Apply(events ...store.Event) {
	t.sink.Apply(events...)
	changed := false
	t.mu.Lock()
	for _, event := range events {
		changed = t.note(event) || changed
	}
	t.mu.Unlock()
	if changed {
		select {
		case t.changed <- struct{}{}:
		default:
		}
	}
}

// note reports whether an event changed the exporters or podsKnown.
func (t *exporterTap) note(event store.Event) bool {
	switch e := event.(type) {
	case store.Set:
		return e.Kind == kinds.PodKind && t.set(e.Object)
	case store.Deleted:
		return e.Kind == kinds.PodKind && t.deleted(e)
	case store.Listed:
		return e.Kind == kinds.PodKind && t.list(e)
	case store.Unwatched:
		return e.Kind == kinds.PodKind && t.forget(e.Namespace)
	case store.HealthChanged:
		return e.Health.Source == client.SourceName+"/pods" && t.health(e.Health)
	}
	return false
}

func (t *exporterTap) set(o kinds.Object) bool {
	pod, isPod := o.(*corev1.Pod)
	if !isPod {
		return false
	}
	e, isExporter := exporterOf(pod)
	key := podName{pod.Namespace, pod.Name}
	before, known := t.found[key]
	switch {
	case !isExporter && !known, isExporter && known && e == before:
		return false
	case isExporter:
		t.found[key] = e
	default:
		delete(t.found, key)
	}
	return true
}

func (t *exporterTap) deleted(e store.Deleted) bool {
	key := podName{e.Namespace, e.Name}
	before, known := t.found[key]
	if !known || e.UID != "" && before.uid != e.UID {
		return false
	}
	delete(t.found, key)
	return true
}

func (t *exporterTap) list(e store.Listed) bool {
	t.forget(e.Namespace)
	for _, o := range e.Objects {
		t.set(o)
	}
	t.pods = podsKnown{listed: true, scope: e.Namespace}
	return true
}

// forget drops the exporters of a namespace, "" for all.
func (t *exporterTap) forget(namespace string) bool {
	before := len(t.found)
	maps.DeleteFunc(t.found, func(_ podName, e exporter) bool { return namespace == "" || e.namespace == namespace })
	t.pods = podsKnown{}
	return len(t.found) != before
}

func (t *exporterTap) health(h train.Health) bool {
	before := t.pods
	t.pods.refused = h.State == train.SourceForbidden
	t.pods.unread = h.State == train.SourceRetrying && !t.pods.listed
	return t.pods != before
}

// exporters returns the exporters known now.
func (t *exporterTap) exporters() (map[podName]exporter, podsKnown) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.found), t.pods
}
