package kinds

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A field of a wrong type is named, because readers would read it as missing.
func TestUnusableObjects(t *testing.T) {
	pyTorch := schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}
	other := schema.GroupKind{Group: "example.com", Kind: "Thing"}
	object := func(metadata, spec, status any) map[string]any {
		return map[string]any{"metadata": metadata, "spec": spec, "status": status}
	}
	named := map[string]any{"name": "a", "namespace": "ml"}
	of := func(field string, value any) map[string]any { return map[string]any{field: value} }
	for _, test := range []struct {
		name string
		kind schema.GroupKind
		tree map[string]any
		why  string
	}{
		{"well formed", pyTorch, object(named, of("pytorchReplicaSpecs", of("Worker", of("replicas", int64(2)))), of("conditions", []any{of("type", "Created")})), ""},
		{"nothing but a name", pyTorch, object(named, nil, nil), ""},
		{"metadata", other, object("x", nil, nil), "its metadata is no object"},
		{"labels", other, object(map[string]any{"name": "a", "labels": []any{"x"}}, nil, nil), "its metadata cannot be read: "},
		{"spec", pyTorch, object(named, []any{}, nil), "its spec is a list, not an object"},
		{"status", pyTorch, object(named, nil, "oops"), "its status is text, not an object"},
		{"status of a kind that nobody reads", other, object(named, nil, "oops"), ""},
		{"conditions", pyTorch, object(named, nil, of("conditions", "oops")), "its status.conditions is text, not a list"},
		{"a condition", pyTorch, object(named, nil, of("conditions", []any{of("type", "Created"), true})), "its status.conditions[1] is true or false, not an object"},
		{"replicas", pyTorch, object(named, of("pytorchReplicaSpecs", int64(3)), nil), "its spec.pytorchReplicaSpecs is a number, not an object"},
		{"a role", pyTorch, object(named, of("pytorchReplicaSpecs", of("Worker", "two")), nil), "its spec.pytorchReplicaSpecs.Worker is text, not an object"},
		{"a count in words", pyTorch, object(named, of("pytorchReplicaSpecs", of("Worker", of("replicas", "three"))), nil), "its spec.pytorchReplicaSpecs.Worker.replicas is text, not a number"},
		{"a count below 0", pyTorch, object(named, of("pytorchReplicaSpecs", of("Worker", of("replicas", int64(-1)))), nil), "its spec.pytorchReplicaSpecs.Worker.replicas is -1, not a whole number"},
		{"half a rank", pyTorch, object(named, of("groups", []any{of("replicas", 1.5)}), nil), "its spec.groups[0].replicas is 1.5, not a whole number"},
		{"a count in a pod", pyTorch, object(named, of("template", of("spec", map[string]any{"containers": []any{}, "replicas": "x"})), nil), ""},
		{"a role without a value", pyTorch, object(named, of("pytorchReplicaSpecs", of("Worker", nil)), nil), ""},
	} {
		if why := Unusable(test.kind, test.tree); (test.why == "") != (why == "") || !strings.HasPrefix(why, test.why) {
			t.Errorf("%s: %q, want %q", test.name, why, test.why)
		}
	}
}
