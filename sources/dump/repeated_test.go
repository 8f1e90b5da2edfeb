package dump

import (
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/train/kinds"
)

// TestRepeatedKeysAreReported holds that a key that a mapping has twice is named
// with its file and line, and that the last value counts, as for kubectl.
func TestRepeatedKeysAreReported(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line int
		key  string
	}{
		"document":              {podNamed("z") + "---\n" + podNamed("a") + "  labels: {x: z}\nspec:\n  nodeName: first\n  nodeName: last\n", 15, "nodeName"},
		"mapping below":         {podNamed("a") + "spec:\n  nodeName: first\nspec:\n  nodeName: last\n", 8, "spec"},
		"quoted":                {podNamed("a") + "spec:\n  nodeName: first\n  \"nodeName\": last\n", 8, "nodeName"},
		"flow style":            {podNamed("a") + "spec: {nodeName: first, nodeName: last}\n", 6, "nodeName"},
		"item":                  {"apiVersion: v1\nkind: List\nitems:\n- " + indent(podNamed("a")) + "  spec:\n    nodeName: first\n    nodeName: last\n", 11, "nodeName"},
		"item, kind at the end": {"apiVersion: v1\nitems:\n- " + indent(podNamed("a")) + "  spec:\n    nodeName: first\n    nodeName: last\nkind: List\n", 10, "nodeName"},
	} {
		path := write(t, "x.yaml", c.text)
		h, files, err := readAll(t, Options{}, path)
		if err != nil || h.objects["ml/Pod/a"] == nil {
			t.Fatalf("%s: error %v, problems %v", name, err, files.Summary().Problems)
		}
		manifest, err := files.Manifest(kinds.PodKind, "ml", "a")
		if err != nil || !strings.Contains(string(manifest), "nodeName: last") {
			t.Errorf("%s: error %v, manifest\n%s", name, err, manifest)
		}
		left := files.Summary().LeftOut
		if !slices.ContainsFunc(left, func(p Problem) bool {
			return p.File == path && p.Line == c.line && strings.Contains(p.Text, "key "+c.key+" occurs twice")
		}) {
			t.Errorf("%s: line %d, key %s is not reported: %v", name, c.line, c.key, left)
		}
	}
}

// TestKeysThatAreNotRepeated holds that equal keys of different mappings, and keys
// that replace merged ones, are not reported.
func TestKeysThatAreNotRepeated(t *testing.T) {
	for _, text := range []string{
		podNamed("a") + "spec:\n  containers:\n  - name: a\n  - name: b\n",
		podNamed("a") + "x: &x\n  nodeName: first\nspec:\n  <<: *x\n  nodeName: last\n",
		podNamed("a") + "---\n" + podNamed("b"),
	} {
		_, files, err := readAll(t, Options{}, write(t, "x.yaml", text))
		if left := files.Summary().LeftOut; err != nil || len(left) > 0 {
			t.Errorf("%q: error %v, reported %v", text, err, left)
		}
	}
}

// TestTwoListsWithoutAMark holds that the objects of a list that another one in the
// same document replaces are reported as not read.
func TestTwoListsWithoutAMark(t *testing.T) {
	list := func(name string) string {
		return "apiVersion: v1\nitems:\n- " + indent(podNamed(name)) + "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	}
	h, files, err := readAll(t, Options{}, write(t, "x.yaml", list("a")+list("b")))
	if err != nil || h.objects["ml/Pod/b"] == nil {
		t.Fatalf("error %v, problems %v", err, files.Summary().Problems)
	}
	problems := files.Summary().Problems
	if h.objects["ml/Pod/a"] == nil && (len(problems) != 1 || problems[0].Line == 0 || !strings.Contains(problems[0].Text, "put --- between the two")) {
		t.Errorf("pod a is lost, and the problems are %v", problems)
	}
	_, files, err = readAll(t, Options{}, write(t, "x.yaml", list("a")+"---\n"+list("b")))
	if problems := files.Summary().Problems; err != nil || len(problems) > 0 {
		t.Errorf("with a mark: error %v, problems %v", err, problems)
	}
}
