package kube

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/traintop/traintop/train"
)

// Whatever invalid events a watch sends, afterwards the objects of the cluster
// are there, and unusable ones are reported.
func TestWatchesThatSayNonsense(t *testing.T) {
	versioned := func(name, version string) map[string]any {
		return jobOf(name, map[string]any{"metadata": map[string]any{"namespace": "ml", "name": name, "uid": "uid-" + name, "resourceVersion": version}})
	}
	event := func(verb string, object any) map[string]any { return map[string]any{"type": verb, "object": object} }
	bookmark := map[string]any{"kind": "PyTorchJob", "apiVersion": "kubeflow.org/v1", "metadata": map[string]any{}}
	initialEnd := func(version string) map[string]any {
		return map[string]any{"kind": "PyTorchJob", "apiVersion": "kubeflow.org/v1", "metadata": map[string]any{
			"resourceVersion": version, "annotations": map[string]any{"k8s.io/initial-events-end": "true"},
		}}
	}
	tests := map[string]struct {
		says []any
		jobs string
		odd  string
	}{
		"bookmark without a version": {[]any{event("BOOKMARK", bookmark), event("ADDED", versioned("b", "9"))}, "[ml/a ml/b]", ""},
		"end of initial events":      {[]any{event("ADDED", versioned("b", "9")), event("BOOKMARK", initialEnd("3")), event("MODIFIED", versioned("a", "10"))}, "[ml/a ml/b]", ""},
		"change of an unknown job":   {[]any{event("MODIFIED", versioned("b", "8"))}, "[ml/a ml/b]", ""},
		"no name":                    {[]any{event("ADDED", jobOf("b", map[string]any{"metadata": map[string]any{"resourceVersion": "8"}})), event("ADDED", versioned("c", "9"))}, "[ml/a ml/c]", "the object of an event ADDED: it has no name"},
		"another kind":               {[]any{event("ADDED", jobOf("b", map[string]any{"kind": "TFJob"})), event("ADDED", versioned("c", "9"))}, "[ml/a ml/c]", "it is a TFJob of kubeflow.org/v1"},
		"metadata is a text":         {[]any{event("DELETED", jobOf("b", map[string]any{"metadata": "x"})), event("ADDED", versioned("c", "9"))}, "[ml/a ml/c]", "its metadata is no object"},
		"no version":                 {[]any{event("ADDED", versioned("b", ""))}, "[ml/a ml/listed]", ""},
		"older version":              {[]any{event("ADDED", versioned("b", "9")), event("MODIFIED", versioned("a", "8"))}, "[ml/a ml/listed]", ""},
		"error of code 200":          {[]any{event("ERROR", map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 200})}, "[ml/a ml/listed]", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.serve(servePyTorch, true)
				lists, watches := 0, 0
				s.intercept(at(jobsList, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Query().Get("watch") == "" {
						items := []any{jobOf("a", nil)}
						if lists++; lists > 1 {
							items = append(items, jobOf("listed", nil))
						}
						writeJSON(w, jobsPage(map[string]any{}, items...))
						return
					}
					w.Header().Set("Content-Type", "application/json")
					if watches++; watches == 1 {
						for _, e := range test.says {
							_ = json.NewEncoder(w).Encode(e)
						}
					}
					w.(http.Flusher).Flush()
					<-r.Context().Done()
				}))
				_, p := run(t, s, nil)
				pass(10 * time.Second)
				if got := fmt.Sprint(p.names("PyTorchJob.kubeflow.org")); got != test.jobs {
					t.Errorf("jobs are %s, want %s", got, test.jobs)
				}
				if h := p.state("kube/pytorchjobs.kubeflow.org/left-out"); (h.State != "") != (test.odd != "") || !strings.Contains(h.Text, test.odd) {
					t.Errorf("%q, want %q", h.Text, test.odd)
				}
			})
		})
	}
}

// A list without a version was read, and is read again: a watch without a start
// version would not report earlier deletions.
func TestAListWithoutAVersionIsNotWatched(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		var items atomic.Value
		var watches atomic.Int32
		items.Store([]any{jobOf("a", nil), jobOf("b", nil)})
		s.intercept(at(jobsList, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("watch") != "" {
				watches.Add(1)
				return
			}
			list := jobsPage(map[string]any{}, items.Load().([]any)...)
			list["metadata"] = map[string]any{}
			writeJSON(w, list)
		}))
		_, p := run(t, s, nil)
		pass(100 * time.Millisecond)
		items.Store([]any{jobOf("a", nil)})
		pass(time.Minute)
		if got := fmt.Sprint(p.names("PyTorchJob.kubeflow.org")); got != "[ml/a]" || watches.Load() != 0 {
			t.Errorf("jobs are %s after %d watches", got, watches.Load())
		}
		if h := p.state("kube/pytorchjobs.kubeflow.org"); h.State != train.SourceLive || !strings.Contains(h.Text, "may be listed and not watched, so it is read every 30s only: the list has no resourceVersion") {
			t.Errorf("%s, %q", h.State, h.Text)
		}
	})
}

// A bookmark does not take a watch back: it would resume where it was before.
func TestABookmarkDoesNotGoBack(t *testing.T) {
	usable := func(runtime.Object) string { return "" }
	c := &checkedWatch{newest: 7, wrongWith: usable, wrongIdentity: usable}
	about := func(version string) *metav1.PartialObjectMetadata {
		return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{ResourceVersion: version, Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}}}
	}
	for _, step := range []struct {
		version string
		passes  bool
	}{{"3", false}, {"9", true}, {"8", false}, {"9", true}, {"", false}, {"opaque", true}} {
		if _, passes := c.check(watch.Event{Type: watch.Bookmark, Object: about(step.version)}); passes != step.passes {
			t.Errorf("bookmark %q after version %d passes: %v", step.version, c.newest, passes)
		}
	}
}

// An event whose version goes back is the newest word on its object: it counts, the
// resource is listed anew, and the person is notified.
func TestAChangeOfAnOlderVersionCounts(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		versioned := func(version, phase string) map[string]any {
			return jobOf("a", map[string]any{
				"metadata": map[string]any{"namespace": "ml", "name": "a", "uid": "uid-a", "resourceVersion": version},
				"status":   map[string]any{"conditions": []any{map[string]any{"type": phase, "status": "True"}}},
			})
		}
		watches, lists := 0, 0
		s.intercept(at(jobsList, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("watch") == "" {
				if lists++; lists > 1 { // what the events brought stays until this list comes
					<-r.Context().Done()
					return
				}
				writeJSON(w, jobsPage(map[string]any{}, versioned("7", "Running")))
				return
			}
			w.Header().Set("Content-Type", "application/json")
			if watches++; watches == 1 {
				_ = json.NewEncoder(w).Encode(map[string]any{"type": "MODIFIED", "object": versioned("5", "Succeeded")})
			}
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}))
		_, p := run(t, s, nil)
		pass(5 * time.Second)
		got, err := json.Marshal(p.object("PyTorchJob.kubeflow.org ml/a"))
		if err != nil || !strings.Contains(string(got), "Succeeded") {
			t.Errorf("the job is %s (%v), and the watch said Succeeded", got, err)
		}
		if lists < 2 {
			t.Errorf("the list was read %d times", lists)
		}
		const says = "told of version 5 of pytorchjobs.kubeflow.org after 7"
		if h := p.state(train.ClusterSource); h.State != train.SourceRetrying || !strings.Contains(h.Text, says) {
			t.Errorf("%s, %q", h.State, h.Text)
		}
	})
}
