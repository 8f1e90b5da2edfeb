package dump

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train/kinds"
)

const endedPod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: NAME\n  namespace: ml\n  uid: u-NAME\nstatus:\n  phase: Running\n  reason: Evicted\n"

// A truncated list lacks more than the later objects: the end of its last
// object is unknown.
func TestTheLastObjectOfACutListIsLeftOut(t *testing.T) {
	item := func(name string) string { return "- " + indent(strings.ReplaceAll(endedPod, "NAME", name)) }
	list := "apiVersion: v1\nitems:\n" + item("a") + item("b")
	for name, text := range map[string]string{
		"behind an object": list, "inside a value": list[:len(list)-5], "inside a status": list[:len(list)-len("    reason: Evicted\n")],
	} {
		h, files, err := readAll(t, Options{}, write(t, "x.yaml", text))
		if err != nil {
			t.Fatal(err)
		}
		problems := files.Summary().Problems
		if h.objects["ml/Pod/a"] == nil || h.objects["ml/Pod/b"] != nil {
			t.Errorf("%s: read are %v", name, h.objects)
		}
		if said := fmt.Sprint(problems); len(problems) != 2 || !strings.Contains(said, "Pod ml/b, which is left out") || !strings.Contains(said, "ends before its kind") {
			t.Errorf("%s: problems are %v", name, problems)
		}
	}
	whole := list + "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	if h, files, err := readAll(t, Options{}, write(t, "x.yaml", whole)); err != nil || len(h.objects) != 2 || len(files.Summary().Problems) > 0 {
		t.Errorf("a whole list: %v %v %v", h.objects, files.Summary().Problems, err)
	}
}

// A value at the end of the file may be the beginning of a longer one.
func TestAValueThatEndsWithTheFileIsNotRead(t *testing.T) {
	pod := strings.ReplaceAll(endedPod, "NAME", "a")
	second := strings.ReplaceAll(endedPod, "NAME", "b")
	for name, text := range map[string]string{
		"one object": pod[:len(pod)-3], "the last of several": second + "---\n" + pod[:len(pod)-1], "of a list whose kind is first": "apiVersion: v1\nkind: List\nitems:\n- " + indent(second) + "- " + strings.TrimSuffix(indent(pod), "ted\n"),
	} {
		h, files, err := readAll(t, Options{}, write(t, "x.yaml", text))
		if err != nil {
			t.Fatal(err)
		}
		got, _ := h.objects["ml/Pod/a"].(*corev1.Pod)
		if got == nil || got.Status.Phase != corev1.PodRunning || got.Status.Reason != "" {
			t.Errorf("%s: the pod is %+v", name, got)
		}
		problems := files.Summary().Problems
		if len(problems) != 1 || !strings.Contains(problems[0].Text, "(reason: Evic") || problems[0].Line != strings.Count(text, "\n")+1 {
			t.Errorf("%s: problems are %v", name, problems)
		}
	}
}

// Of a list without its beginning the whole objects are read.
func TestAListWithoutItsBeginning(t *testing.T) {
	item := func(name string) string { return "- " + indent(strings.ReplaceAll(endedPod, "NAME", name)) }
	list := item("a") + item("b") + item("c") + item("d") + item("e")
	path := write(t, "x.yaml", list[len("- apiVersion: v1\n"):]+"kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	h, files, err := readAll(t, Options{}, path)
	if err != nil {
		t.Fatal(err)
	}
	problems := files.Summary().Problems
	if len(h.objects) != 4 || h.objects["ml/Pod/a"] != nil || len(problems) != 1 || problems[0].Line != 1 || !strings.Contains(problems[0].Text, "the beginning of the file is missing: the object that its first 8 lines are of") {
		t.Errorf("read are %d, problems %v", len(h.objects), problems)
	}
	text, err := files.Manifest(kinds.PodKind, "ml", "c")
	if err != nil || !strings.Contains(string(text), "uid: u-c") {
		t.Errorf("the manifest of c is %q, %v", text, err)
	}
}

// The last object of a truncated JSON list is reported too.
func TestTheLastObjectOfACutListInJSONIsNamed(t *testing.T) {
	list := "{\"items\": [\n    " + jsonPod("a") + ",\n    " + `{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"name":"x"},"name":"b","namespace":"ml"},"status":{"phase":"Runn`
	h, files, err := readAll(t, Options{}, write(t, "x.json", list))
	if err != nil {
		t.Fatal(err)
	}
	problems := fmt.Sprint(files.Summary().Problems)
	if len(h.objects) != 1 || !strings.Contains(problems, "; Pod ml/b, of which the end is missing, is left out") {
		t.Errorf("%d objects, problems %s", len(h.objects), problems)
	}
}

// Texts of people and other tools need not end in a line break.
func TestEndsThatAreNoCuts(t *testing.T) {
	for name, text := range map[string]string{
		"written by a person": podNamed("a") + "spec:\n  nodeName: node",
		"a quoted value":      endedPod + "  startTime: \"2026-11-20T09:00:00Z\"",
		"an empty map":        endedPod + "  x: {}",
		"a whole word":        endedPod + "  x: true",
		"blanks behind it":    endedPod + "  ",
	} {
		if _, files, err := readAll(t, Options{}, write(t, "x.yaml", text)); err != nil || len(files.Summary().Problems) > 0 {
			t.Errorf("%s: %v %v", name, err, files.Summary().Problems)
		}
	}
}

// The end of a dump without its beginning is reported, however large it is.
func TestTheEndOfADumpIsNamed(t *testing.T) {
	text, err := os.ReadFile("testdata/pytorch-crashloop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []int{2, 3, 5, 9} {
		path := write(t, "x.yaml", string(text[len(text)/part:]))
		_, files, err := readAll(t, Options{}, path)
		if len(files.Summary().Problems) == 0 {
			t.Errorf("of the last %d bytes: nothing is said, %v", len(text)-len(text)/part, err)
		}
	}
}

// A run of brackets that is never closed takes no memory by its depth.
func TestBracketsWithoutAnEnd(t *testing.T) {
	for _, text := range []string{"[", `{"a":`, `[{"kind":`} {
		path := filepath.Join(t.TempDir(), "deep.json")
		if err := os.WriteFile(path, []byte(strings.Repeat(text, 200_000)), 0o600); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := readAll(t, Options{}, path)
		runtime.ReadMemStats(&after)
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || taken > 400 {
			t.Errorf("%s: %d MiB were taken; %v", text, taken, err)
		}
	}
}
