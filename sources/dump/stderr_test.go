package dump

import (
	"strings"
	"testing"
)

// Lines of kubectl's standard error in a dump are a problem of the dump, and
// affect no object.
func TestStandardErrorInADump(t *testing.T) {
	pod := func(name string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name + "\n  namespace: ml\n"
	}
	item := func(name string) string {
		return "- " + strings.ReplaceAll(strings.TrimSpace(pod(name)), "\n", "\n  ") + "\n"
	}
	const refused = `Error from server (Forbidden): nodes is forbidden: User "jane" cannot list resource "nodes"` + "\n"
	inJSON := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "ml"}}` + "\n"
	for name, f := range map[string]struct {
		text    string
		objects int
		want    string // "" for a remark that is no problem
	}{
		"behind a document":     {pod("a") + "error: You must be logged in to the server (Unauthorized)\n", 1, ":6: the dump itself says: error: You must be logged in"},
		"between documents":     {pod("a") + "---\n" + pod("b") + refused + "---\n" + pod("c"), 3, ":12: the dump itself says: Error from server (Forbidden)"},
		"behind a list":         {"apiVersion: v1\nitems:\n" + item("a") + item("b") + "kind: List\n" + refused, 2, "the dump itself says: Error from server"},
		"inside of a list":      {"apiVersion: v1\nitems:\n" + item("a") + "error: the server doesn't have a resource type \"pytorchjobs\"\n" + item("b") + "kind: List\n", 2, "the dump itself says: error: the server doesn't have"},
		"before a document":     {refused + pod("a"), 1, "the dump itself says: Error from server"},
		"klog before and after": {"E1123 10:11:12.123456   12345 memcache.go:265] couldn't get current server API group list\n" + pod("a") + "E1123 10:11:13.123456   12345 memcache.go:265] couldn't get resource list\n", 1, "the dump itself says: E1123"},
		"behind JSON":           {inJSON + refused, 1, ":2: the dump itself says: Error from server"},
		"a warning":             {pod("a") + "Warning: v1 Endpoints is deprecated in v1.33+\n", 1, ""},
	} {
		_, files, err := readAll(t, Options{}, write(t, "dump.txt", f.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s, problems := files.Summary(), ""
		for _, p := range s.Problems {
			problems += p.String() + "\n"
		}
		n := 0
		for _, count := range s.Objects {
			n += count
		}
		if n != f.objects || f.want == "" && (problems != "" || len(s.LeftOut) == 0) || !strings.Contains(problems, f.want) {
			t.Errorf("%s: %d objects, want %d; problems %q, want %q; left out %v", name, n, f.objects, problems, f.want, s.LeftOut)
		}
	}
}
