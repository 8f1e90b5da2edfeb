package lastlook_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/lastlook"
	"github.com/traintop/traintop/train"
)

var kind = schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}

func set(name, condition string) store.Event {
	return store.Set{Kind: kind, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"namespace": "ml", "name": name, "uid": "uid-" + name},
		"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(1)}}},
		"status":   map[string]any{"conditions": []any{map[string]any{"type": condition, "status": "True", "lastTransitionTime": "2026-11-20T12:00:00Z"}}},
	}}}
}

func deleted(name string) store.Event {
	return store.Deleted{Kind: kind, Namespace: "ml", Name: name}
}

// Of jobs that are deleted those are looked at that failed since the last look, once; the
// store has what came before their deletion and not what comes after.
func TestJobsThatFailUnseenAreLookedAt(t *testing.T) {
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) })
	queue := &lastlook.Queue{}
	sink := &lastlook.Sink{Store: s, Unseen: queue.Unseen, Look: queue.Add}
	sink.Apply(set("early", "Failed"), deleted("early"))
	sink.Apply(set("old", "Failed"), set("flash", "Running"), set("well", "Running"))
	queue.Seen(s.Snapshot())
	sink.Apply(set("flash", "Failed"), deleted("old"), deleted("well"), deleted("flash"), set("later", "Running"), deleted("none"))
	looks := queue.Take()
	if len(looks) != 1 {
		t.Fatalf("there are %d looks, want one", len(looks))
	}
	phases := map[string]train.Phase{}
	for _, job := range looks[0].Jobs() {
		phases[job.Ref.Name] = job.Phase
	}
	if len(phases) != 1 || phases["flash"] != train.Failed {
		t.Errorf("the look has %v, want flash alone", phases)
	}
	if now := s.Snapshot().Jobs(); len(now) != 1 || now[0].Ref.Name != "later" {
		t.Errorf("the store holds %v, want later", now)
	}
	if again := queue.Take(); len(again) != 0 {
		t.Errorf("%d looks are taken twice", len(again))
	}
}
