package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// The keys of actions that change something: delete, edit, suspend, scale,
// shell, attach, restart a rank, cordon and uncordon.
var (
	changingJobs  = []string{"\x04", "e", "z", "E", "s"}
	changingRanks = []string{"\x04", "e", "z", "E", "s", "a", "\x0b"}
	changingNodes = []string{"c", "u", "e"}
)

// askedFirst is in every question before a change.
const askedFirst = "Cancel"

// A read-only session, whatever made it one, has no keys that change something:
// not in the footer, not in the help, and pressed they do nothing. Only get,
// list and watch reach the API server.
func TestAReadOnlySessionOnlyReads(t *testing.T) {
	t.Parallel()
	const namespace = "readonly"
	namespaces(t, namespace)
	_, err := cluster.Apply(t.Context(), strings.NewReplacer("NAMESPACE", namespace, "NAME", "bert").Replace(elasticJob))
	must(t, err)
	before := pyTorchJobNow(t, namespace, "bert")
	for name, c := range map[string]struct {
		config string
		args   []string
		lead   func(e *emulated, r *requests)
	}{
		"by flag":          {"", []string{"--readonly"}, func(*emulated, *requests) {}},
		"by configuration": {"readonly: true\n", nil, func(*emulated, *requests) {}},
		"in one context":   {"contexts: {prod: {readonly: true}}\n", nil, fromOpenContext},
	} {
		t.Run(name, func(t *testing.T) {
			home := homeWith(t, c.config)
			r, kubeconfig := newRequests(t, namespace, "lab", "prod")
			e := openEmulated(t, home, kubeconfig, nil, c.args...)
			e.shows("kube live")
			e.goes("jobs "+namespace+" /bert", "▌ bert") // the first page may be full of other tests' jobs
			c.lead(e, r)
			e.shows("[R]")
			e.goes("jobs "+namespace+" /bert", "▌ bert")
			lookAround(e)
			read, other := r.taken()
			if read == 0 || len(other) > 0 {
				t.Errorf("%d requests that read, and these: %s", read, strings.Join(other, ", "))
			}
			if _, err := os.Stat(filepath.Join(home, "traintop", "audit.jsonl")); !os.IsNotExist(err) {
				t.Errorf("a record of changes was begun: %v", err)
			}
		})
	}
	if after := pyTorchJobNow(t, namespace, "bert"); after.GetDeletionTimestamp() != nil || after.GetResourceVersion() != before.GetResourceVersion() {
		t.Error("something was done all the same")
	}
}

func pyTorchJobNow(t *testing.T, namespace, name string) *unstructured.Unstructured {
	t.Helper()
	found, err := cluster.Objects().Resource(pyTorchJobs).Namespace(namespace).Get(t.Context(), name, metav1.GetOptions{})
	must(t, err)
	return found
}

// fromOpenContext checks that keys change something in the context at the
// start, and switches to the other one.
func fromOpenContext(e *emulated, r *requests) {
	e.t.Helper()
	e.hides("[R]")
	e.press("\x04")
	e.shows("Delete", askedFirst)
	e.pressedAll("\x1b")
	if _, other := r.taken(); len(other) == 0 || !strings.Contains(other[0], "selfsubjectaccessreviews") {
		e.t.Errorf("the rights to delete were reviewed by %v", other)
	}
	e.goes("ctx prod", "prod")
}

// lookAround visits screens and presses the keys of changes.
func lookAround(e *emulated) {
	e.t.Helper()
	e.pressedAll(changingJobs...)
	e.hides(askedFirst, "Edit")
	e.press("?")
	e.shows("Keys in jobs")
	e.hides("delete the marked objects", "edit the YAML", "suspend the job", "a shell in the rank", "how many ranks an elastic job has")
	e.press("\x1b")
	e.loses("Keys in jobs") // an escape and a key that arrive together are one key with alt
	e.press("\r")
	e.shows("Ranks 2", "diagnosis")
	e.hides("shell", "attach")
	e.pressedAll(changingRanks...)
	e.hides(askedFirst)
	e.goes("nodes", "Nodes ")
	e.pressedAll(changingNodes...)
	e.hides(askedFirst)
	e.press("?")
	e.shows("Keys in nodes")
	e.hides("take no new pods", "take pods on the node again")
	e.pressedAll("\x1b")
}

// homeWith is a home folder with a configuration.
func homeWith(t *testing.T, config string) string {
	t.Helper()
	home := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(home, "traintop"), 0o700))
	must(t, os.WriteFile(filepath.Join(home, "traintop", "config.yaml"), []byte(config), 0o600))
	return home
}
