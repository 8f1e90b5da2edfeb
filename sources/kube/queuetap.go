package kube

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// queueName identifies a LocalQueue of Kueue, or with namespace "" a ClusterQueue.
type queueName struct{ namespace, name string }

func (a queueName) compare(b queueName) int {
	return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
}

// queueTap passes all events to the sink and collects the queues of Kueue in which
// Workloads wait, so that finding them costs no request.
type queueTap struct {
	sink    sources.Sink
	changed chan struct{} // of capacity one: signals a change

	mu sync.Mutex
	// pending are the queues with waiting Workloads, and how many.
	pending map[queueName]int
	// states are those of the two lists.
	states map[string]train.SourceState
}

// queueLists are the sources, in health, of the kinds of queues.
var queueLists = []string{listName(kinds.LocalQueueKind), listName(kinds.ClusterQueueKind)}

func listName(kind schema.GroupKind) string {
	return client.SourceName + "/" + kinds.Plural(kind) + "." + kind.Group
}

func newQueueTap(sink sources.Sink) *queueTap {
	return &queueTap{sink: sink, changed: make(chan struct{}, 1), pending: map[queueName]int{}, states: map[string]train.SourceState{}}
}

// Apply implements sources.Sink.
func (t *queueTap) Apply(events ...store.Event) {
	t.sink.Apply(events...)
	changed := false
	for _, event := range events {
		changed = t.note(event) || changed
	}
	if changed {
		t.signal()
	}
}

func (t *queueTap) signal() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

func isQueue(kind schema.GroupKind) bool {
	return kind == kinds.LocalQueueKind || kind == kinds.ClusterQueueKind
}

// note reports whether an event changed the queues in which Workloads wait, or
// whether they are known.
func (t *queueTap) note(event store.Event) (changed bool) {
	switch e := event.(type) {
	case store.Set:
		if isQueue(e.Kind) {
			t.locked(func() { changed = t.set(e.Object) })
		}
	case store.Deleted:
		if isQueue(e.Kind) {
			t.locked(func() { changed = t.put(queueName{e.Namespace, e.Name}, 0) })
		}
	case store.Listed:
		if isQueue(e.Kind) {
			t.locked(func() { changed = t.list(e) })
		}
	case store.Unwatched:
		if isQueue(e.Kind) {
			t.locked(func() { changed = t.forget(e.Kind, e.Namespace) })
		}
	case store.HealthChanged:
		if slices.Contains(queueLists, e.Health.Source) {
			t.locked(func() { changed = t.health(e.Health) })
		}
	}
	return changed
}

func (t *queueTap) locked(change func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change()
}

func (t *queueTap) set(o kinds.Object) bool {
	return t.put(queueName{o.GetNamespace(), o.GetName()}, kinds.QueuePending(o))
}

func (t *queueTap) put(queue queueName, pending int) bool {
	before := t.pending[queue]
	if pending <= 0 {
		delete(t.pending, queue)
	} else {
		t.pending[queue] = pending
	}
	return before != max(pending, 0)
}

func (t *queueTap) list(e store.Listed) bool {
	before := maps.Clone(t.pending)
	t.forget(e.Kind, e.Namespace)
	for _, o := range e.Objects {
		t.set(o)
	}
	return !maps.Equal(before, t.pending)
}

// forget drops the queues of a kind, in a namespace or ("") in all.
func (t *queueTap) forget(kind schema.GroupKind, namespace string) bool {
	before := len(t.pending)
	maps.DeleteFunc(t.pending, func(queue queueName, _ int) bool {
		isCluster := queue.namespace == ""
		return isCluster == (kind == kinds.ClusterQueueKind) && (isCluster || namespace == "" || queue.namespace == namespace)
	})
	return len(t.pending) != before
}

func (t *queueTap) health(h train.Health) bool {
	before := t.states[h.Source]
	t.states[h.Source] = h.State
	return before != h.State
}

// waiting returns the LocalQueues and the ClusterQueues in which Workloads wait,
// known while neither list waits for its first answer.
func (t *queueTap) waiting() (local, cluster []queueName, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for queue := range t.pending {
		if queue.namespace == "" {
			cluster = append(cluster, queue)
		} else {
			local = append(local, queue)
		}
	}
	slices.SortFunc(local, queueName.compare)
	slices.SortFunc(cluster, queueName.compare)
	for _, list := range queueLists {
		if state, said := t.states[list]; said && !state.Settled() {
			return local, cluster, false
		}
	}
	return local, cluster, true
}
