package kube

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/sources/redact/eventmask"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// TestSecretsAreKnownOncePodsWereListed: in every scope in which they are read, or
// refused; a scope that was listed once and breaks off stays known.
func TestSecretsAreKnownOncePodsWereListed(t *testing.T) {
	secrets := &declared.Values{}
	var newest string
	p := &podSecrets{}
	sink := p.masking(eventmask.NewLate(sinkFunc(func(events ...store.Event) {
		for _, event := range events {
			if set, is := event.(store.Set); is {
				newest = set.Object.(*corev1.Event).Message
			}
		}
	}), secrets))
	event := &corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "e"}, Message: "no login with correct-horse"}
	sink.Apply(store.Set{Kind: kinds.EventKind, Object: event})
	secrets.In("ml").Declare("DB_PASSWORD", "correct-horse")
	pods := func(source string, state train.SourceState) {
		sink.Apply(store.HealthChanged{Health: train.Health{Source: source, State: state, Resource: "pods"}})
	}
	for _, step := range []struct {
		source string
		state  train.SourceState
		known  bool
	}{
		{"pods", train.SourceListing, false}, {"pods", train.SourceRetrying, false}, {"pods everywhere", train.SourceForbidden, false},
		{"pods in web", train.SourceListing, false}, {"pods", train.SourceLive, false}, {"pods in web", train.SourceForbidden, true},
		{"pods", train.SourceRetrying, true}, {"pods in new", train.SourceListing, false}, {"pods in new", "", true},
	} {
		if pods(step.source, step.state); p.known.Load() != step.known {
			t.Fatalf("%s is %s: known is %t", step.source, step.state, !step.known)
		}
		if masked := newest == "no login with <redacted:password>"; step.known && !masked {
			t.Fatalf("%s is %s: the message is %q", step.source, step.state, newest)
		}
	}
}

// TestConditionsOfJobsHaveNoDeclaredSecrets: the values of a job's own template
// are among them.
func TestConditionsOfJobsHaveNoDeclaredSecrets(t *testing.T) {
	job := &unstructured.Unstructured{Object: map[string]any{
		"kind": "PyTorchJob", "metadata": map[string]any{"namespace": "ml", "name": "bert"},
		"spec": map[string]any{"template": map[string]any{"containers": []any{map[string]any{
			"env": []any{map[string]any{"name": "DB_PASSWORD", "value": "correct-horse"}},
		}}}},
		"status": map[string]any{"conditions": []any{map[string]any{"message": "no login with correct-horse"}}},
	}}
	slimmer(client.Resource{Form: client.DynamicForm}, &declared.Values{})(job)
	conditions, _, _ := unstructured.NestedSlice(job.Object, "status", "conditions")
	if message := conditions[0].(map[string]any)["message"]; message != "no login with <redacted:password>" {
		t.Errorf("the message is %q", message)
	}
}
