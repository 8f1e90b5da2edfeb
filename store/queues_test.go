package store_test

import (
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var workloadKind = schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "Workload"}

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

var batchKind = kinds.Jobs()[0].GroupKind

func parsed(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatal(err)
	}
	return o
}
