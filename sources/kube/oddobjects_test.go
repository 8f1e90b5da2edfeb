package kube

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// oddMetadata has the metadata of objects that no API server creates.
var oddMetadata = map[string]any{
	"no name":                    map[string]any{"namespace": "ml", "uid": "u"},
	"no namespace":               map[string]any{"name": "x", "uid": "u"},
	"a text":                     "x",
	"nothing":                    nil,
	"a number as its time":       map[string]any{"name": "x", "namespace": "ml", "creationTimestamp": 5},
	"a list as its labels":       map[string]any{"name": "x", "namespace": "ml", "labels": []any{"a"}},
	"a text as its owners":       map[string]any{"name": "x", "namespace": "ml", "ownerReferences": "a"},
	"a number as its annotation": map[string]any{"name": "x", "namespace": "ml", "annotations": map[string]any{"a": 1}},
}

// One unusable object, in a list or a watch, is reported and affects no other.
func TestOddObjectsAreLeftOutAndNamed(t *testing.T) {
	for _, list := range []struct{ path, source, kind, apiVersion, key string }{
		{"/api/v1/pods", "pods", "Pod", "v1", "Pod"},
		{jobsList, "pytorchjobs.kubeflow.org", "PyTorchJob", "kubeflow.org/v1", "PyTorchJob.kubeflow.org"},
	} {
		for name, metadata := range oddMetadata {
			t.Run(name+" of "+list.source, func(t *testing.T) {
				inBubble(t, func(t *testing.T, s *apiServer) {
					s.serve(servePyTorch, true)
					odd := map[string]any{"kind": list.kind, "apiVersion": list.apiVersion, "metadata": metadata}
					good := func(name string) map[string]any {
						return jobOf(name, map[string]any{"kind": list.kind, "apiVersion": list.apiVersion})
					}
					s.intercept(at(list.path, listThat(func(http.ResponseWriter, string, bool) map[string]any {
						return map[string]any{"kind": list.kind + "List", "apiVersion": list.apiVersion, "metadata": map[string]any{"resourceVersion": "7"}, "items": []any{good("a"), odd, good("b")}}
					})))
					_, p := run(t, s, nil)
					pass(time.Second)
					wantState(t, p, "kube/"+list.source, train.SourceLive)
					if got := fmt.Sprint(p.names(list.key)); got != "[ml/a ml/b]" {
						t.Errorf("there are %s", got)
					}
					h := p.state("kube/" + list.source + "/left-out")
					if h.State != train.SourceFailed || !strings.Contains(h.Text, "1 object of "+list.source+" cannot be used and is left out: object 2 of the list: ") {
						t.Errorf("%s, %q", h.State, h.Text)
					}
				})
			})
		}
	}
}

// A job with an unreadable status is not a job without one.
func TestAJobWhoseStatusIsNoObjectIsLeftOut(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		s.intercept(at(jobsList, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("watch") == "" {
				writeJSON(w, jobsPage(map[string]any{}, jobOf("a", map[string]any{"status": "oops"}), jobOf("b", nil)))
			}
		}))
		_, p := run(t, s, nil)
		pass(time.Second)
		if h := p.state("kube/pytorchjobs.kubeflow.org/left-out"); h.State != train.SourceFailed || !strings.Contains(h.Text, "its status is text, not an object") {
			t.Errorf("it is %q: %s", h.State, h.Text)
		}
		if got := fmt.Sprint(p.names("PyTorchJob.kubeflow.org")); got != "[ml/b]" {
			t.Errorf("there are %s", got)
		}
	})
}

// The rest of a pod is not a pod that has nothing wrong, and its deletion is
// still one.
func TestAPodWithoutSpecOrStatusIsLeftOut(t *testing.T) {
	for name, part := range map[string]string{"spec": "ml/p: its spec has no containers", "status": "ml/p: its status has no phase"} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				const path = "/api/v1/namespaces/ml/pods/p"
				s.put(path, map[string]any{"kind": "Pod", "apiVersion": "v1"})
				s.put("/api/v1/namespaces/ml/pods/q", map[string]any{"kind": "Pod", "apiVersion": "v1"})
				s.mu.Lock()
				delete(s.objects[path], name)
				s.mu.Unlock()
				_, p := run(t, s, nil)
				pass(time.Second)
				if h := p.state("kube/pods/left-out"); h.State != train.SourceFailed || !strings.Contains(h.Text, part) {
					t.Errorf("%s, %q", h.State, h.Text)
				}
				if got := fmt.Sprint(p.names("Pod")); got != "[ml/q]" {
					t.Errorf("there are %s", got)
				}
			})
		})
	}
}

// Of two jobs with one UID the second is named, since the store can keep one.
func TestTwoJobsWithOneUIDAreNamed(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		s.intercept(at(jobsList, listThat(func(http.ResponseWriter, string, bool) map[string]any {
			second := jobOf("b", nil)
			second["metadata"].(map[string]any)["uid"] = "uid-a"
			return jobsPage(map[string]any{}, jobOf("a", nil), second, jobOf("c", nil))
		})))
		_, p := run(t, s, nil)
		pass(time.Second)
		if h := p.state("kube/pytorchjobs.kubeflow.org/left-out"); h.State != train.SourceFailed || !strings.Contains(h.Text, "ml/b has the UID of ml/a") {
			t.Errorf("%s, %q", h.State, h.Text)
		}
		if got := fmt.Sprint(p.names("PyTorchJob.kubeflow.org")); got != "[ml/a ml/c]" {
			t.Errorf("there are %s", got)
		}
	})
}

// A server may report a deletion with less than the whole object.
func TestADeletedPodWithoutStatusIsGone(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		const path = "/api/v1/namespaces/ml/pods/p"
		s.put(path, map[string]any{"kind": "Pod", "apiVersion": "v1"})
		_, p := run(t, s, nil)
		pass(time.Second)
		s.mu.Lock()
		object := maps.Clone(s.objects[path])
		delete(object, "status")
		s.objects[path] = object
		s.mu.Unlock()
		s.remove(path)
		pass(time.Second)
		if got := fmt.Sprint(p.names("Pod")); got != "[]" {
			t.Errorf("there are %s", got)
		}
	})
}

// The report disappears with the unusable object, and unknown content of a job
// kind is no problem.
func TestAListWithoutOddObjectsTakesTheWordBack(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		var items atomic.Value
		items.Store([]any{jobOf("a", map[string]any{"metadata": "x"})})
		s.intercept(at(jobsList, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("watch") == "" {
				writeJSON(w, jobsPage(map[string]any{}, items.Load().([]any)...))
			}
		}))
		_, p := run(t, s, nil)
		pass(100 * time.Millisecond)
		if h := p.state("kube/pytorchjobs.kubeflow.org/left-out"); h.State != train.SourceFailed {
			t.Errorf("it is %q", h.State)
		}
		items.Store([]any{jobOf("a", map[string]any{"status": map[string]any{"x": []any{"x"}}, "spec": map[string]any{"containers": nil}})})
		pass(time.Minute)
		if h := p.state("kube/pytorchjobs.kubeflow.org/left-out"); h.State != "" {
			t.Errorf("it is still %q: %s", h.State, h.Text)
		}
		if got := fmt.Sprint(p.names("PyTorchJob.kubeflow.org")); got != "[ml/a]" {
			t.Errorf("there are %s", got)
		}
	})
}

// Where namespaces are read one by one, what is left out of one stays reported
// when another is listed well.
func TestOddObjectsOfSeveralNamespaces(t *testing.T) {
	said := map[string]train.Health{}
	sink := sinkFunc(func(events ...store.Event) {
		event := events[0]
		h := event.(store.HealthChanged).Health
		said[h.Source] = h
	})
	r := newReporter(sink, time.Now, "https://cluster")
	res := client.Resource{Gvr: schema.GroupVersionResource{Group: "kubeflow.org", Version: "v1", Resource: "pytorchjobs"}}
	source := res.Source() + train.LeftOut
	r.leftOut(res, "ml", "two of ml")
	r.leftOut(res, "speech", "one of speech")
	r.leftOut(res, "vision", "")
	if got := said[source].Text; got != "two of ml, one of speech" {
		t.Errorf("it says %q", got)
	}
	r.leftOut(res, "ml", "")
	if got := said[source]; got.Text != "one of speech" || got.Namespace != "speech" {
		t.Errorf("then %q of namespace %q", got.Text, got.Namespace)
	}
	r.leftOut(res, "speech", "")
	if got := said[source].State; got != "" {
		t.Errorf("at last it is %q", got)
	}
}
