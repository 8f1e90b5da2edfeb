package watchloop

import (
	"context"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// steps are a recording, two seconds for each step.
type steps struct {
	began time.Time
	sink  sources.Sink
	each  [][]store.Event
}

func (r *steps) Span() (from, to time.Time) {
	return r.began, r.began.Add(time.Duration(len(r.each)-1) * replayStep)
}

func (r *steps) Begin(_ context.Context, sink sources.Sink, at time.Time) error {
	r.sink = sink
	return r.Next(context.Background(), at)
}

func (r *steps) Next(_ context.Context, at time.Time) error {
	r.sink.Apply(store.Clock{Now: at})
	r.sink.Apply(r.each[at.Sub(r.began)/replayStep]...)
	return nil
}

// outlet collects notices.
type outlet struct{ opened []string }

func (o *outlet) Name() string { return "test" }

func (o *outlet) Queue(n alerts.Notice) {
	if n.Change == alerts.Opened {
		for _, job := range n.Incident.Jobs {
			o.opened = append(o.opened, job.Name)
		}
	}
}

// A job that fails and is deleted between two looks is reported; one that ends well,
// or that was deleted while it ran, is not.
func TestAJobDeletedAsItFailsIsSeen(t *testing.T) {
	kind := schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}
	set := func(name, condition string) store.Event {
		return store.Set{Kind: kind, Object: &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
			"metadata": map[string]any{"namespace": "ml", "name": name, "uid": name, "creationTimestamp": "2026-11-20T09:00:00Z"},
			"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(1)}}},
			"status":   map[string]any{"conditions": []any{map[string]any{"type": condition, "status": "True", "lastTransitionTime": "2026-11-20T09:00:02Z"}}},
		}}}
	}
	deleted := func(name string) store.Event {
		return store.Deleted{Kind: kind, Namespace: "ml", Name: name, UID: name}
	}
	began := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	recording := &steps{began: began, each: [][]store.Event{
		{set("fails", "Running"), set("stopped", "Running"), set("ends", "Running")},
		{set("fails", "Failed"), deleted("fails"), deleted("stopped"), set("ends", "Succeeded"), deleted("ends"), set("new", "Failed"), deleted("new")},
		nil,
	}}
	to := &outlet{}
	watcher := alerts.NewWatcher("test", alerts.Presets(), func(string) {})
	if err := watcher.Begin("", []alerts.Outlet{to}); err != nil {
		t.Fatal(err)
	}
	loop := &Loop{
		Store: store.New(func() time.Time { return began }), Recording: recording, From: began, Watcher: watcher, Say: func(string) {},
		Diagnose: func(s *store.Snapshot, before *diagnose.Report) *diagnose.Report {
			return diagnose.Run(s, diagnose.Options{}, before)
		},
		Ours: func(s *store.Snapshot) []*train.Job { return s.Jobs() },
	}
	if err := loop.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"fails", "new"}; !slices.Equal(to.opened, want) {
		t.Errorf("notices of %q, want %q", to.opened, want)
	}
}
