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

// TestRepeatedKeysOfJSONAreReported holds that repeated keys of JSON are reported
// as those of YAML are.
func TestRepeatedKeysOfJSONAreReported(t *testing.T) {
	const pod = `"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "ml", "annotations": {"a:\\": ":\"", "b": "{\"x\": 1}"}}`
	for name, c := range map[string]struct {
		text string
		line int // 0 where no key is repeated
		key  string
	}{
		"none":     {"{" + pod + `, "spec": {"nodeName": "n", "containers": [{"name": "a"}, {"name": "b"}]}}`, 0, ""},
		"document": {"{" + pod + ",\n\"spec\": {},\n\"spec\": {\"nodeName\": \"last\"}}", 3, "spec"},
		"below":    {"{" + pod + ",\n\"spec\": {\"nodeName\": \"first\",\n\n\"nodeName\": \"last\"}}", 4, "nodeName"},
		"item":     {"{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n{" + pod + ",\n\"spec\": {},\n\"spec\": {}}]}", 4, "spec"},
		"log":      {"{" + pod + "}\n{\"level\": \"info\", \"level\": \"warn\"}\n", 0, ""},
		"list":     {"[{" + pod + ",\n\"spec\": {},\n\"spec\": {}}]", 3, "spec"},
	} {
		path := write(t, "x.json", c.text)
		h, files, err := readAll(t, Options{}, path)
		if err != nil || name != "list" && h.objects["ml/Pod/a"] == nil {
			t.Fatalf("%s: error %v, problems %v", name, err, files.Summary().Problems)
		}
		left := files.Summary().LeftOut
		if is := func(p Problem) bool {
			return p.File == path && p.Line == c.line && strings.Contains(p.Text, "key "+c.key+" occurs twice")
		}; c.line > 0 && !slices.ContainsFunc(left, is) || c.line == 0 && len(left) > 0 {
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

// TestTwoListsWithoutAMark holds that two lists in one document are named: with what
// is lost where the second replaces the first, else that both are read.
func TestTwoListsWithoutAMark(t *testing.T) {
	list := func(name string) string {
		return "apiVersion: v1\nitems:\n- " + indent(podNamed(name)) + "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	}
	const pods = `items: [{apiVersion: v1, kind: Pod, metadata: {name: NAME, namespace: ml}}]`
	flow := "apiVersion: v1\nkind: List\n" + strings.Replace(pods, "NAME", "a", 1) + "\n" + strings.Replace(pods, "NAME", "b", 1) + "\n"
	for name, c := range map[string]struct {
		text          string
		lost          bool
		problem, left string
	}{
		"block style":   {list("a") + list("b"), false, "", ""},
		"items twice":   {"items:\n- " + indent(podNamed("a")) + "items:\n- " + indent(podNamed("b")), false, "", "a second list begins here without --- before it; the objects of both are read"},
		"flow style":    {flow, true, "so the objects of the list above it are not read", ""},
		"with the mark": {list("a") + "---\n" + list("b"), false, "", ""},
	} {
		h, files, err := readAll(t, Options{}, write(t, "x.yaml", c.text))
		if err != nil || h.objects["ml/Pod/b"] == nil || (h.objects["ml/Pod/a"] == nil) != c.lost {
			t.Errorf("%s: error %v, objects %v", name, err, h.objects)
		}
		check := func(what string, got []Problem, want string) {
			if len(got) > 1 || len(got) == 1 != (want != "") || want != "" && (!strings.Contains(got[0].Text, want) || got[0].Line == 0) {
				t.Errorf("%s: %s %v, want %q", name, what, got, want)
			}
		}
		check("problems", files.Summary().Problems, c.problem)
		check("left out", files.Summary().LeftOut, c.left)
	}
}

// Calls of kubectl that print an object each leave them in one file without a marker:
// each is read, whichever key it begins with, and a list among them too.
func TestObjectsWithoutAMark(t *testing.T) {
	kindFirst := func(name string) string {
		return "kind: Pod\napiVersion: v1\nmetadata:\n  namespace: ml\n  name: " + name + "\n"
	}
	list := "apiVersion: v1\nitems:\n- " + indent(podNamed("c")) + "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	for name, text := range map[string]string{
		"as kubectl prints":  podNamed("a") + podNamed("b") + podNamed("c"),
		"kind before":        kindFirst("a") + kindFirst("b") + kindFirst("c"),
		"either":             kindFirst("a") + podNamed("b") + kindFirst("c"),
		"a list behind them": podNamed("a") + podNamed("b") + list,
		"a list before them": list + podNamed("a") + podNamed("b"),
	} {
		h, files, err := readAll(t, Options{}, write(t, "x.yaml", text))
		if err != nil || len(files.Summary().Problems) > 0 || len(files.Summary().LeftOut) > 0 {
			t.Errorf("%s: error %v, %v, %v", name, err, files.Summary().Problems, files.Summary().LeftOut)
		}
		for _, pod := range []string{"a", "b", "c"} {
			if h.objects["ml/Pod/"+pod] == nil {
				t.Errorf("%s: pod %s is not read", name, pod)
			}
		}
	}
}
