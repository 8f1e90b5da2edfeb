package dump

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/traintop/traintop/train"
)

const podText = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: NAME\n  namespace: ml\n"

func podNamed(name string) string { return strings.Replace(podText, "NAME", name, 1) }

// A broken object is reported with its line, and the others are read.
func TestBrokenObjectsCostOnlyThemselves(t *testing.T) {
	f := func(name, file, text string, line int, cause string, read ...string) {
		t.Helper()
		path := write(t, file, text)
		h, files, err := readAll(t, Options{}, path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, pod := range read {
			if h.objects["ml/Pod/"+pod] == nil {
				t.Errorf("%s: pod %s is not read; %v", name, pod, files.Summary().Problems)
			}
		}
		if len(h.objects) != len(read) {
			t.Errorf("%s: %d objects read, want %d", name, len(h.objects), len(read))
		}
		problems := files.Summary().Problems
		if len(problems) == 0 {
			t.Fatalf("%s: nothing is reported", name)
		}
		if p := problems[0]; p.File != path || p.Line != line || !strings.Contains(p.Text, cause) {
			t.Errorf("%s: reported as %v, want line %d: ...%s...", name, p, line, cause)
		}
		if health := h.health["file "+path]; health.State != train.SourceFailed || !strings.Contains(health.Text, cause) {
			t.Errorf("%s: health is %+v", name, health)
		}
	}
	f("YAML document", "x.yaml", podNamed("a")+"---\nkind: [\n---\n"+podNamed("b"), 7, "not valid YAML", "a", "b")
	f("YAML list item", "x.yaml", "apiVersion: v1\nitems:\n- "+indent(podNamed("a"))+"- kind: Pod\n  x: 'y\n- "+indent(podNamed("b"))+"kind: List\n", 9, "not valid YAML", "a", "b")
	f("wrong type", "x.yaml", podNamed("a")+"---\n"+podNamed("b")+"spec:\n  containers: many\n", 7, "spec", "a")
	f("wrong metadata", "x.yaml", podNamed("a")+"---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: b\n  labels: [x]\n", 7, "labels", "a")
	f("no name", "x.yaml", podNamed("a")+"---\napiVersion: v1\nkind: Pod\nmetadata: {}\n", 7, "metadata.name", "a")
	f("an anchor from elsewhere", "x.yaml", "items:\n- &p\n  "+indent(podNamed("a"))+"- *p\nkind: List\n", 8, "anchors are not followed", "a")
	f("JSON text between", "x.json", jsonPod("a")+"\n{\"kind\": nonsense}\n"+jsonPod("b"), 2, "not valid JSON", "a", "b")
	f("JSON bracket missing", "x.json", "{\n  \"items\": [\n"+
		"    {\n      \"kind\": \"Pod\", \"metadata\": {\n    },\n"+
		"    {\n      "+jsonPod("b")[1:]+"\n  ],\n  \"kind\": \"List\"\n}\n", 3, "bracket", "b")
	f("JSON string not closed", "x.json", "{\n  \"items\": [\n    {\n      \"kind\": \"Pod\n    },\n    {"+jsonPod("b")[1:]+",\n    {"+jsonPod("c")[1:]+"\n  ]\n}\n", 3, "closing quote", "b", "c")
	f("JSON cut off", "x.json", "{\"items\": [\n    "+jsonPod("a")+",\n    {\"kind\": \"Pod\", \"meta", 3, "ends before its last bracket", "a")
	page := func(metadata string) string {
		return `{"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"` + metadata + `}, "items": [` + jsonPod("a") + "]}"
	}
	f("the first page of a list", "x.json", page(`, "continue": "eyJ2Ijoi", "remainingItemCount": 500`), 1, "the list goes on: 500 more pods are not in it", "a")
	f("a page of an unknown rest", "x.json", page(`, "continue": "eyJ2Ijoi"`), 1, "the list goes on, and what follows is not in it", "a")
	f("a page within a list", "x.json", `{"kind": "List", "apiVersion": "v1", "items": [`+page(`, "remainingItemCount": 1`)+"]}", 1, "the list goes on: 1 more pod is not in it", "a")
	f("a page in YAML", "x.yaml", "apiVersion: v1\nitems:\n- "+indent(podNamed("a"))+"kind: List\nmetadata:\n  continue: abc\n", 1, "the list goes on", "a")
	f("invalid UTF-8", "x.yaml", podNamed("a")+"---\n"+podNamed("b")+"x: \xff\xfe\n", 7, "not valid YAML", "a")
}

func indent(text string) string {
	return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

func jsonPod(name string) string {
	return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `","namespace":"ml"}}`
}

// Files without objects are reported with their type.
// A directive before the mark of a document is no object that is broken.
func TestDirectivesOfYAML(t *testing.T) {
	text := "%YAML 1.2\n%TAG ! tag:example.com,2026:\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml}\n"
	s := snapshotOf(t, Options{}, write(t, "pods.yaml", text))
	for _, h := range s.Health() {
		if strings.Contains(h.Text, "not read") || h.State.Trouble() {
			t.Errorf("%s is said of %s", h.Text, h.Source)
		}
	}
	if text := fmt.Sprint(s.Health()); !strings.Contains(text, "1 object") {
		t.Errorf("the pod was not read: %s", text)
	}
}

func TestFilesOfSomethingElse(t *testing.T) {
	f := func(text, says string) {
		t.Helper()
		path := write(t, "file", text)
		h, _, err := readAll(t, Options{}, path)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.20q: error is %v, want %q in it", text, err, says)
		}
		if health := h.health["file "+path]; health.State != train.SourceFailed || !strings.Contains(health.Text, says) {
			t.Errorf("%.20q: health is %+v", text, health)
		}
	}
	f("", "empty file")
	f("\n \n", "empty file")
	f("\x7fELF\x02\x01\x01\x00\x00", "binary data")
	f("\x80\x02}q\x00(X\x07\x00\x00\x00versionq\x01X\x03\x00\x00\x002.4q\x02X\x09\x00\x00\x00pg_configq\x03}q\x04", "cut off or damaged")
	f("\x80\x02}q\x00(X\x07\x00\x00\x00weightsq\x01", "binary data")
	f("\x28\xb5\x2f\xfd\x04\x00", "zstd")
	f("\x1f\x8bxxxxxxxxxx", "none")
	f("NAME     READY   STATUS\nbert-0   1/1     Running\n", "kubectl get -o yaml")
	f("Name:             bert-worker-0\nNamespace:        ml\n", "kubectl describe")
	f("image: {repository: x}\nkind: chart\n", "without apiVersion")
	f(strings.Repeat("replicas: 3\n---\n", 1000)+"kind: chart\n", "YAML without apiVersion and kind")
	f("{\n  \"replicas\": 3\n}\n", "JSON without apiVersion and kind")
	f(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods is forbidden"}`, "pods is forbidden")
	f("apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\x1b]0;title\x07\n", "not valid YAML")
}

// A file's text cannot send control sequences to the terminal.
func TestHealthIsPlainText(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "evil\x1b[2J.yaml")
	if err := os.WriteFile(path, []byte("apiVersion: v1\nkind: \"Pod\\e[31m\"\nmetadata: 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h, files, err := readAll(t, Options{}, path)
	texts := []string{err.Error()}
	for name, health := range h.health {
		texts = append(texts, name, health.Text)
	}
	for _, problem := range files.Summary().Problems {
		texts = append(texts, problem.String())
	}
	for _, text := range texts {
		if strings.ContainsRune(text, '\x1b') {
			t.Errorf("an escape sequence is in %q", text)
		}
	}
}

// Objects beyond the limit are refused, the ones around them are read, and
// their memory is released.
func TestObjectsBeyondTheLimit(t *testing.T) {
	big := strings.Repeat("x", 3000)
	f := func(name, text string, cut func(*bufio.Reader) cutter) {
		t.Helper()
		var good, refused int
		err := cut(bufio.NewReader(iotest.OneByteReader(strings.NewReader(text)))).cut(func(p piece) bool {
			switch {
			case p.err == nil:
				good++
			case errors.Is(p.err, errTooLarge) && len(p.text) == 0:
				refused++
			}
			return true
		})
		if err != nil || good < 2 || refused != 1 {
			t.Errorf("%s: %d read, %d refused, %v", name, good, refused, err)
		}
	}
	const limit = 1000
	yamlCut := func(in *bufio.Reader) cutter { return newYAMLCutter(in, limit) }
	jsonCut := func(in *bufio.Reader) cutter { return smallJSONCutter(in, limit) }
	f("YAML documents", podNamed("a")+"---\n"+podNamed("b")+"x: "+big+"\n---\n"+podNamed("c"), yamlCut)
	f("YAML items", "items:\n- a: 1\n- a: "+big+"\n- a: 2\nkind: List\n", yamlCut)
	f("JSON documents", jsonPod("a")+`{"x":"`+big+`"}`+jsonPod("b"), jsonCut)
	f("JSON items", `{"items":[{"a":1},{"a":"`+big+`"},{"a":2}]}`, jsonCut)
}

// smallJSONCutter reads in small steps, so that the window moves often.
func smallJSONCutter(in io.Reader, limit int) cutter {
	return newJSONCutter(iotest.OneByteReader(in), limit)
}

// The pieces do not depend on how a stream is split into reads.
func TestCuttingDoesNotDependOnReads(t *testing.T) {
	text, err := os.ReadFile("testdata/pytorch-crashloop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cut := func(c cutter) (pieces []string) {
		if err := c.cut(func(p piece) bool { pieces = append(pieces, string(p.text)); return true }); err != nil {
			t.Fatal(err)
		}
		return pieces
	}
	all := cut(newYAMLCutter(bufio.NewReaderSize(bytes.NewReader(text), 1<<20), maxPiece))
	small := cut(newYAMLCutter(bufio.NewReaderSize(bytes.NewReader(text), 16), maxPiece))
	if strings.Join(all, "\x00") != strings.Join(small, "\x00") {
		t.Error("a small buffer cuts YAML differently")
	}
}

// A run that waits for standard input ends with its context.
func TestStandardInputCanBeLeft(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, cancel := context.WithCancel(t.Context())
	h := newHeard()
	done := make(chan error)
	go func() { done <- New([]string{"-"}, Options{Stdin: in}).Run(ctx, h) }()
	if _, err := io.WriteString(out, podNamed("a")+"---\n"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("leaving is an error: %v", err)
	}
}
