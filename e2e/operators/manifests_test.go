package operators

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const someWebhooks = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: mutating-webhook-configuration}
webhooks:
- {name: jobs, clientConfig: {service: {name: s, namespace: n, path: /mutate-batch-v1-job}}}
- {name: pods, clientConfig: {service: {name: s, namespace: n, path: /mutate--v1-pod}}}
- {name: others, clientConfig: {service: {name: s, namespace: n, path: /mutate-example-com-v1-other}}}
`

// Webhooks lead to the operator's port, and those that it does not answer are left
// out: with failurePolicy Fail they would refuse objects of other tests.
func TestWebhooksLeadToTheOperator(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "webhooks.yaml"), []byte(someWebhooks), 0o600); err != nil {
		t.Fatal(err)
	}
	o := JobSet()
	o.Webhooks, o.Answers = []string{"*.yaml"}, []string{"-batch-v1-", "--v1-pod"}
	all, err := manifests{files: folder, port: 1234, authority: []byte("PEM")}.webhooks(o)
	if err != nil {
		t.Fatal(err)
	}
	hooks, _, err := unstructured.NestedSlice(all[0].Object, "webhooks")
	if err != nil || len(hooks) != 2 {
		t.Fatalf("%d webhooks (%v), want 2: %v", len(hooks), err, hooks)
	}
	for i, path := range []string{"/mutate-batch-v1-job", "/mutate--v1-pod"} {
		hook := hooks[i].(map[string]any)
		url, _, _ := unstructured.NestedString(hook, "clientConfig", "url")
		if want := "https://localhost:1234" + path; url != want {
			t.Errorf("a webhook leads to %s, want %s", url, want)
		}
		if _, still, _ := unstructured.NestedMap(hook, "clientConfig", "service"); still {
			t.Errorf("%s still leads to a Service", path)
		}
		if _, narrowed := hook["objectSelector"]; narrowed != (path == "/mutate--v1-pod") {
			t.Errorf("%s is narrowed by a label: %v", path, narrowed)
		}
	}
}
