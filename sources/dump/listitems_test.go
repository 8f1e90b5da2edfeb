package dump

import (
	"strings"
	"testing"
)

// An entry of a list that is no object is named, and the objects beside it are
// read.
func TestItemsThatAreNoObjects(t *testing.T) {
	const (
		podA     = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "ml"}}`
		document = "apiVersion: v1\nkind: Pod\nmetadata: {name: b, namespace: ml}\n"
	)
	for text, want := range map[string]string{
		document + "---\napiVersion: v1\nkind: List\nitems:\n  a:\n    kind: Pod\n":                        "the items of the List are a mapping, not a list",
		document + "---\n" + `{"apiVersion": "v1", "kind": "PodList", "items": {"a": ` + podA + "}}\n":     "the items of the PodList are a mapping, not a list",
		document + "---\n" + `{"apiVersion": "v1", "kind": "List", "items": [` + podA + `, "lost", null]}`: "an item of the List is text, not an object",
	} {
		h, files, err := readAll(t, Options{}, write(t, "dump.yaml", text))
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, p := range files.Summary().Problems {
			said += p.String() + "\n"
		}
		if !strings.Contains(said, want) || h.objects["ml/Pod/b"] == nil || strings.Contains(text, "lost") && h.objects["ml/Pod/a"] == nil {
			t.Errorf("%s:\nproblems %q, want %q", text, said, want)
		}
	}
}

// `kubectl cluster-info dump` (1.32) writes null as the items of an empty list.
func TestAListOfNothingIsRead(t *testing.T) {
	for name, text := range map[string]string{
		"daemonsets.json": `{"kind":"DaemonSetList","apiVersion":"apps/v1","metadata":{"resourceVersion":"1947"},"items":null}`,
		"bare.json":       `{"kind":"PodList","apiVersion":"v1","items":null}`,
		"pods.yaml":       "apiVersion: v1\nkind: PodList\nmetadata: {}\nitems:\n",
	} {
		if _, files, err := readAll(t, Options{}, write(t, name, text)); err != nil || len(files.Summary().Problems) > 0 {
			t.Errorf("%s: %v %v", name, err, files.Summary().Problems)
		}
	}
}
