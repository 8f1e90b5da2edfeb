package dump

import (
	"io"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// Text pasted around objects is not part of them: the objects are read.
func TestWrappedObjects(t *testing.T) {
	object := "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n  annotations:\n    note: |\n      $ kubectl get nodes\n      ```\n"
	other := strings.Replace(object, "name: a", "name: b", 1)
	list := "apiVersion: v1\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(object), "\n", "\n  ") + "\nkind: List\n"
	json := `{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}}`
	otherJSON := strings.Replace(json, `"a"`, `"b"`, 1)
	indented := "    " + strings.ReplaceAll(strings.TrimSpace(list), "\n", "\n    ") + "\n"
	for what, f := range map[string]struct {
		text    string
		objects int
	}{
		"a prompt":               {"$ kubectl get nodes -o yaml\n" + list, 1},
		"a prompt with a name":   {"jane@host:~/run$ kubectl get nodes -o yaml\n" + list + "jane@host:~/run$ \n", 1},
		"root's prompt":          {"[root@host ~]# kubectl get nodes -o yaml\n" + list + "[root@host ~]# exit\n", 1},
		"PowerShell":             {"PS C:\\run> kubectl get nodes -o yaml\r\n" + strings.ReplaceAll(list, "\n", "\r\n"), 1},
		"two commands":           {"$ kubectl get node a -o yaml\n" + object + "$ kubectl get node b -o yaml\n" + other + "$ exit\n", 2},
		"fences and prose":       {"Here is the dump:\n\n```yaml\n" + list + "```\n\nWhat is wrong?\n", 1},
		"two fences":             {"One:\n```\n" + object + "```\nTwo:\n~~~yaml\n" + other + "~~~\n", 2},
		"fences and prompts":     {"```console\n$ kubectl get nodes -o yaml\n" + list + "$ exit\n```\n", 1},
		"indented":               {indented, 1},
		"indented, with prose":   {"$ kubectl get nodes -o yaml\n" + indented, 1},
		"fences in an indent":    {"  ```yaml\n" + indented + "  ```\n", 1},
		"a warning, then JSON":   {"Warning: v1 ComponentStatus is deprecated in v1.19+\n" + json, 1},
		"a warning, then YAML":   {"Warning: v1 ComponentStatus is deprecated in v1.19+\n" + list, 1},
		"klog, then JSON":        {"W1120 10:00:00.123456   12345 loader.go:221] Config not found\n" + json + "\n", 1},
		"a mark, then JSON":      {"---\n" + json + "\n", 1},
		"a mark with a comment":  {"\n\n   \n---   # first\n" + object, 1},
		"marks between JSON":     {"# my dump\n" + json + "\n---\n" + otherJSON + "\n...\n", 2},
		"marks, comments, CRLF":  {"---\r\n" + json + "\r\n---  # second\r\n# of two\r\n" + otherJSON + "\r\n", 2},
		"JSON, no mark":          {"# my dump\n" + json + "\n" + otherJSON + "\n", 2},
		"JSON with // comments":  {"// exported\n" + json + "\n// and\n" + otherJSON + "\n", 2},
		"YAML with // comments":  {"// exported\n" + object, 1},
		"JSON, then YAML":        {"---\n" + json + "\n---\n" + other, 2},
		"flow without quotes":    {"---\n{apiVersion: v1, kind: Node,\n  metadata: {name: a}}\n", 1},
		"a long list in a fence": {"```\napiVersion: v1\nitems:\n" + strings.Repeat("- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n", 3000) + "kind: List\n```\n", 3000},
	} {
		path := write(t, "dump.txt", f.text)
		files := New([]string{path}, Options{})
		h := newHeard()
		if err := files.Run(t.Context(), h); err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if health := h.health["file "+path]; health.State != train.SourceRead || files.reportOf(path).objects != f.objects {
			t.Errorf("%s: %d objects, health is %+v", what, files.reportOf(path).objects, health)
		}
	}
}

// A text whose rest is no object stays unchanged.
func TestWhatIsNoWrapping(t *testing.T) {
	for _, text := range []string{
		"apiVersion: v1\nkind: Node\nnote: >\n  folded\nmetadata:\n  name: a\n",
		"Warning: apiVersion is old\nstep 1 loss 2.5\n",
		"$ kubectl apply -f job.yaml\napiVersion: wrong\nstep 1 loss 2.5\n",
		"```\nTraceback (most recent call last):\n```\napiVersion: v1\nkind: Node\nmetadata: [\n",
	} {
		o, err := unpack(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(o.text); err != nil || string(got) != text || o.packed {
			t.Errorf("%q: read as %q, %v", text, got, err)
		}
	}
}
