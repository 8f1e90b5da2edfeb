package kube

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/traintop/traintop/sources/kube/client"
)

// manyPodsInJSON is a list of pods of 12 KiB each.
func manyPodsInJSON(pods int) io.Reader {
	text := `{"metadata":{"name":"bert"},"status":{"message":"` + strings.Repeat("x", 12<<10) + `"}},`
	return io.MultiReader(strings.NewReader(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"42"},"items":[`),
		io.LimitReader(&endless{text: text}, int64(pods*len(text)-1)), strings.NewReader(`]}`))
}

// endless repeats a text.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		read := copy(p[n:], e.text[e.at:])
		n, e.at = n+read, (e.at+read)%len(e.text)
	}
	return n, nil
}

// A large JSON list is decoded as it arrives: slimmed parts are not kept.
func TestALargeJSONListIsNotHeldAsText(t *testing.T) {
	drop := func(o kruntime.Object) { *o.(*corev1.Pod) = corev1.Pod{} }
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	list, err := readList(manyPodsInJSON(5000), podResource, drop)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if err != nil || len(list.Items) != 5000 || list.ResourceVersion != "42" {
		t.Fatalf("%v, %d items, version %q", err, len(list.Items), list.ResourceVersion)
	}
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 48<<20 {
		t.Errorf("the heap grew by %d MiB for a text of 60 MiB", grown>>20)
	}
}

// A truncated JSON list must never pass for a shorter one.
func TestAJSONListCutAnywhereIsAnError(t *testing.T) {
	whole := strings.TrimSpace(string(encoded(t, podList(3), "application/json")))
	for at := range len(whole) {
		if _, err := readList(strings.NewReader(whole[:at]), podResource, nothing); err == nil {
			t.Fatalf("cut at byte %d of %d: no error", at, len(whole))
		}
	}
}

// One object over the limit fails the list.
func TestAJSONObjectIsBounded(t *testing.T) {
	for _, begin := range []string{`{"kind":"PodList","items":[{"a":"`, `{"kind":"PodList","metadata":{"a":"`} {
		_, err := readList(io.MultiReader(strings.NewReader(begin), &endless{text: "a"}), podResource, nothing)
		if large := (*client.TooLargeError)(nil); !errors.As(err, &large) || !strings.Contains(err.Error(), "8 MiB") {
			t.Errorf("%s: %v", begin, err)
		}
	}
}

func TestWhatIsNoListIsSaid(t *testing.T) {
	for _, text := range []string{`<html>`, `{"kind":"Status"}`, `[]`, `{"kind":"PodList","items":{}}`, `{"kind":3}`} {
		if _, err := readList(strings.NewReader(text), podResource, nothing); err == nil || !strings.Contains(err.Error(), "is no list") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A loss that would stay silent is reported.
func TestAJSONListIsOneListAlone(t *testing.T) {
	whole := strings.TrimSpace(string(encoded(t, podList(3), "application/json")))
	empty := `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}`
	for name, c := range map[string]struct{ text, says string }{
		"a list behind an empty one":  {empty + "\n" + whole, "behind the end"},
		"a page of a proxy behind it": {whole + "<html>upstream cut</html>", "behind the end"},
		"items twice":                 {strings.TrimSuffix(whole, "}") + `,"items":[]}`, "items twice"},
		"no items":                    {`{"kind":"PodList","apiVersion":"v1","metadata":{}}`, "no items"},
		"a blank line behind it":      {whole + "\r\n \n", ""},
		"null items":                  {`{"kind":"PodList","apiVersion":"v1","metadata":{},"items":null}`, ""},
	} {
		_, err := readList(strings.NewReader(c.text), podResource, nothing)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
