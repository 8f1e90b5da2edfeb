package dump

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train/kinds"
)

func show(t *testing.T, object any) string {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestManifest(t *testing.T) {
	wide := "spec:\n  nodeName: gpu-0\n  futureField: {kept: true}\n"
	f := func(name, text string) {
		t.Helper()
		for _, body := range []string{text, gzipped(t, text)} {
			_, files, err := readAll(t, Options{}, write(t, "x", body))
			if err != nil {
				t.Fatal(err)
			}
			manifest, err := files.Manifest(kinds.PodKind, "ml", "b")
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for _, want := range []string{"kind: Pod", "name: b", "nodeName: gpu-0", "kept: true"} {
				if !strings.Contains(string(manifest), want) {
					t.Errorf("%s: no %q in\n%s", name, want, manifest)
				}
			}
			if strings.Contains(string(manifest), "managedFields") {
				t.Errorf("%s: managedFields are shown", name)
			}
		}
	}
	managed := "  managedFields: [{manager: kubelet, time: \"2026-11-20T09:00:00Z\"}]\n"
	a, b := podNamed("a"), podNamed("b")+managed+wide
	f("documents", "\ufeff"+a+"---\n"+b)
	f("List", "apiVersion: v1\nitems:\n- "+indent(a)+"- "+indent(b)+"kind: List\n")
	f("List in a List", "items:\n- kind: List\n  items:\n  - "+strings.ReplaceAll(indent(a), "\n  ", "\n    ")+"\n  - "+strings.ReplaceAll(indent(b), "\n  ", "\n    ")+"\nkind: List\n")
	wideJSON := strings.TrimSuffix(jsonPod("b"), "}") + `,"spec":{"nodeName":"gpu-0","futureField":{"kept":true}}}`
	f("JSON List", `{"items":[`+jsonPod("a")+", \n"+wideJSON+`],"kind":"List"}`)
	f("JSON PodList, kind last", strings.ReplaceAll(`{"apiVersion":"v1","items":[`+jsonPod("a")+", \n"+wideJSON+`],"kind":"PodList"}`, `"apiVersion":"v1","kind":"Pod",`, ""))
}

func TestManifestOfStandardInput(t *testing.T) {
	_, files, err := readAll(t, Options{Stdin: strings.NewReader(podNamed("a") + "---\n" + podNamed("b"))}, "-")
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := files.Manifest(kinds.PodKind, "ml", "b")
	if err != nil || !strings.Contains(string(manifest), "name: b") {
		t.Errorf("%v\n%s", err, manifest)
	}
}

func TestManifestThatIsGone(t *testing.T) {
	path := write(t, "x.yaml", podNamed("a"))
	_, files, err := readAll(t, Options{}, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := files.Manifest(schema.GroupKind{Kind: "Node"}, "", "x"); err == nil || !strings.Contains(err.Error(), "not in the files") {
		t.Errorf("an object that was never there: %v", err)
	}
	if err := os.WriteFile(path, []byte(podNamed("z")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Manifest(kinds.PodKind, "ml", "a"); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("a file that has changed: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Manifest(kinds.PodKind, "ml", "a"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a file that is gone: %v", err)
	}
}
