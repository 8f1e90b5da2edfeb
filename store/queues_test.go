package store_test

import (
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var workloadKind = kinds.KueueWorkloadKind

// A place in a queue is known only where the list of everything that may wait
// there is complete (Kueue 0.15 objects, trimmed).
func TestPlaceInAQueueThatWasNotReadWhole(t *testing.T) {
	health := func(source, group, resource, namespace string, state train.SourceState) store.Event {
		return store.HealthChanged{Health: train.Health{Source: source, Group: group, Resource: resource, Namespace: namespace, State: state}}
	}
	of := func(resource string, state train.SourceState) store.Event {
		return health("kube/"+resource+".kueue.x-k8s.io", "kueue.x-k8s.io", resource, "", state)
	}
	for _, f := range []struct {
		lists []store.Event
		place int
	}{
		{nil, 2}, // files
		{[]store.Event{of("workloads", train.SourceLive), of("localqueues", train.SourceLive)}, 2},
		{[]store.Event{of("workloads", train.SourceForbidden)}, 0},
		{[]store.Event{of("workloads", train.SourceRetrying)}, 0},
		{[]store.Event{of("workloads", train.SourceListing)}, 0},
		{[]store.Event{of("localqueues", train.SourceForbidden)}, 0},
		{[]store.Event{health("kube/rayjobs.ray.io", "ray.io", "rayjobs", "", train.SourceRetrying)}, 0},
		{[]store.Event{health("kube/rayjobs.ray.io", "ray.io", "rayjobs", "", train.SourceAbsent)}, 2},
		{[]store.Event{health("kube/workloads.kueue.x-k8s.io", "kueue.x-k8s.io", "workloads", "ml", train.SourceLive)}, 2}, // a LocalQueue belongs to one namespace
	} {
		s := store.New(func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) })
		for i, name := range []string{"first", "second"} {
			s.Apply(
				store.Set{Kind: batchKind, Object: parsed(t, fmt.Sprintf(`{apiVersion: batch/v1, kind: Job, metadata: {name: %s, namespace: ml, uid: %s, labels: {kueue.x-k8s.io/queue-name: team}, creationTimestamp: "2026-11-20T0%d:00:00Z"}, spec: {suspend: true, template: {}}}`, name, name, i+1))},
				store.Set{Kind: workloadKind, Object: parsed(t, fmt.Sprintf(`{apiVersion: kueue.x-k8s.io/v1beta1, kind: Workload, metadata: {name: w-%s, namespace: ml, uid: w-%s, creationTimestamp: "2026-11-20T0%d:00:00Z", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: %s, uid: %s, controller: true}]}, spec: {queueName: team}}`, name, name, i+1, name, name))},
			)
		}
		if job := s.Snapshot().JobOf(batchKind, "ml", "second"); job == nil || job.Queue == nil || job.Queue.Place != 2 {
			t.Fatalf("before: %+v", job)
		}
		s.Apply(f.lists...) // a change of health alone numbers the jobs again
		if job := s.Snapshot().JobOf(batchKind, "ml", "second"); job.Queue.Place != f.place {
			t.Errorf("%+v: place %d, want %d", f.lists, job.Queue.Place, f.place)
		}
		if len(f.lists) > 0 {
			s.Apply(store.HealthChanged{Health: train.Health{Source: f.lists[0].(store.HealthChanged).Health.Source}})
			if job := s.Snapshot().JobOf(batchKind, "ml", "second"); len(f.lists) == 1 && job.Queue.Place != 2 {
				t.Errorf("%+v, taken back: place %d", f.lists, job.Queue.Place)
			}
		}
	}
}

// queue is a store with Jobs that wait in the LocalQueue team of the ClusterQueue
// gpus, each an hour after the one before (Kueue 0.19 objects, trimmed).
type queue struct {
	*store.Store
	t   *testing.T
	now time.Time
}

func newQueue(t *testing.T, jobs ...string) *queue {
	q := &queue{t: t, now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	q.Store = store.New(func() time.Time { return q.now })
	q.Apply(store.Set{Kind: kinds.LocalQueueKind, Object: parsed(t, `{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: team, namespace: ml}, spec: {clusterQueue: gpus}}`)})
	for i, name := range jobs {
		q.Apply(store.Set{Kind: batchKind, Object: parsed(t, fmt.Sprintf(`{apiVersion: batch/v1, kind: Job, metadata: {name: %s, namespace: ml, uid: %s, labels: {kueue.x-k8s.io/queue-name: team}, creationTimestamp: "2026-11-20T0%d:00:00Z"}, spec: {suspend: true, template: {}}}`, name, name, i+1))})
		q.workload(name, i+1, 0, fmt.Sprintf("ownerReferences: [{apiVersion: batch/v1, kind: Job, name: %s, uid: %s, controller: true}]", name, name), "")
	}
	return q
}

// workload sets a Workload of an hour and a priority.
func (q *queue) workload(name string, hour, priority int, metadata, conditions string) {
	q.Apply(store.Set{Kind: workloadKind, Object: parsed(q.t, fmt.Sprintf(`{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w-%s, namespace: ml, uid: w-%s, creationTimestamp: "2026-11-20T0%d:00:00Z", %s}, spec: {queueName: team, priority: %d}, status: {conditions: [%s]}}`, name, name, hour, metadata, priority, conditions))})
}

func (q *queue) places(what string, want map[string]int) {
	q.t.Helper()
	s := q.Snapshot()
	for name, place := range want {
		if job := s.JobOf(batchKind, "ml", name); job == nil || job.Queue == nil || job.Queue.Place != place {
			q.t.Errorf("%s: %s is at place %+v, want %d", what, name, job.Queue, place)
		}
	}
}

// Workloads that represent no job wait in the same line.
func TestWorkloadsOfOthersCount(t *testing.T) {
	q := newQueue(t, "first", "second")
	q.places("alone", map[string]int{"first": 1, "second": 2})
	q.workload("deployment", 9, 0, "labels: {}", "")
	q.places("one behind", map[string]int{"first": 1, "second": 2})
	q.workload("deployment", 9, 1, "labels: {}", "")
	q.places("one of a higher priority", map[string]int{"first": 2, "second": 3})
	q.workload("deployment", 9, 1, "labels: {}", `{type: QuotaReserved, status: "True"}`)
	q.places("it has quota", map[string]int{"first": 1, "second": 2})
	q.workload("deployment", 9, 1, "labels: {}", `{type: QuotaReserved, status: "False"}`)
	q.places("it has lost it", map[string]int{"first": 2, "second": 3})
	q.Apply(store.Set{Kind: kinds.LocalQueueKind, Object: parsed(t, `{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: other, namespace: ml}, spec: {clusterQueue: elsewhere}}`)})
	q.Apply(store.Set{Kind: workloadKind, Object: parsed(t, `{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w-deployment, namespace: ml, uid: w-deployment}, spec: {queueName: other, priority: 1}}`)})
	q.places("it waits elsewhere", map[string]int{"first": 1, "second": 2})
	q.Apply(store.Set{Kind: kinds.LocalQueueKind, Object: parsed(t, `{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: other, namespace: ml}, spec: {clusterQueue: gpus}}`)})
	q.places("its queue leads here", map[string]int{"first": 2, "second": 3})
	q.Apply(store.Deleted{Kind: workloadKind, Namespace: "ml", Name: "w-deployment"})
	q.places("it is gone", map[string]int{"first": 1, "second": 2})
}

// Kueue's report about its queue is better than a count, while it is
// fresh.
func TestPlacesThatKueueGives(t *testing.T) {
	waiting := []store.WaitingPlace{
		{Namespace: "ml", Workload: "w-second", Owner: "second", Place: 3},
		{Namespace: "other", Workload: "w-first", Owner: "another", Place: 1},
		{Namespace: "ml", Workload: "w-renamed", Owner: "first", Place: 7},
	}
	for _, of := range []struct{ namespace, queue string }{{"ml", "team"}, {"", "gpus"}} {
		q := newQueue(t, "first", "second", "third")
		counted := map[string]int{"first": 1, "second": 2, "third": 3}
		given := map[string]int{"first": 7, "second": 3, "third": 0}
		answer := store.Placed{Namespace: of.namespace, Queue: of.queue, At: q.now, Every: 20 * time.Second, Waiting: waiting}
		q.places("counted", counted)
		q.Apply(answer)
		q.places("given", given)
		q.workload("deployment", 9, 1, "labels: {}", "")
		q.places("a Workload came", given)

		again := &queue{t: t, now: q.now}
		again.Store = store.New(func() time.Time { return again.now })
		s := q.Snapshot()
		s.Export(s.JobOf(batchKind, "ml", "first"), func(e store.Event) { again.Apply(e) })
		again.places("exported", given)

		q.now = q.now.Add(70 * time.Second)
		q.places("still fresh", given)
		q.now = q.now.Add(20 * time.Second)
		q.places("too old", map[string]int{"first": 2, "second": 3, "third": 4})

		answer.At = q.now
		q.Apply(answer)
		q.places("given again", given)
		q.Apply(store.Placed{Namespace: of.namespace, Queue: of.queue})
		q.places("taken back", map[string]int{"first": 2, "second": 3, "third": 4})
		q.Apply(store.Placed{Namespace: of.namespace, Queue: "another", At: q.now, Every: 20 * time.Second, Waiting: waiting})
		q.places("of another queue", map[string]int{"first": 2, "second": 3, "third": 4})
	}
}

// The newer of two answers holds: that of the ClusterQueue, or of a LocalQueue.
func TestTheNewerPlaceHolds(t *testing.T) {
	q := newQueue(t, "first")
	give := func(namespace, name string, at time.Duration, place int) {
		q.Apply(store.Placed{Namespace: namespace, Queue: name, At: q.now.Add(at), Every: time.Minute, Waiting: []store.WaitingPlace{{Namespace: "ml", Workload: "w-first", Place: place}}})
	}
	give("", "gpus", -2*time.Second, 8)
	give("ml", "team", -time.Second, 5)
	q.places("LocalQueue", map[string]int{"first": 5})
	give("", "gpus", 0, 4)
	q.places("ClusterQueue", map[string]int{"first": 4})
}

var batchKind = kinds.Jobs()[0].GroupKind

func parsed(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatal(err)
	}
	return o
}
