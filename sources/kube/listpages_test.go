package kube

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

const jobsList = "/apis/kubeflow.org/v1/pytorchjobs"

// pages answers a list with pages of that many objects; token returns the
// continue token of page n, "" for none.
func pages(kind, apiVersion string, size int, token func(n int) string) misbehaviour {
	n := 0
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") != "" {
			<-r.Context().Done()
			return
		}
		n++
		items := make([]any, 0, size)
		for i := range size {
			item := map[string]any{"kind": kind, "apiVersion": apiVersion, "metadata": map[string]any{
				"namespace": "ml", "name": fmt.Sprintf("p%d-%d", n, i), "uid": fmt.Sprintf("u%d-%d", n, i), "resourceVersion": "7",
			}}
			asCreated(item)
			items = append(items, item)
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"kind": kind + "List", "apiVersion": apiVersion,
			"metadata": map[string]any{"resourceVersion": "7", "continue": token(n)}, "items": items})
	}
}

func another(n int) string { return "t" + strconv.Itoa(n) }

// TestListsThatDoNotEnd: such a list is abandoned and reported, and the
// received part is used.
func TestListsThatDoNotEnd(t *testing.T) {
	slow := func(how misbehaviour) misbehaviour {
		return func(w http.ResponseWriter, r *http.Request) {
			client.Sleep(r.Context(), 11*time.Second)
			how(w, r)
		}
	}
	tests := []struct {
		name    string
		how     func(kind, apiVersion string) misbehaviour
		once    bool
		within  time.Duration
		objects int
		words   string
		came    string
	}{
		{"repeated token", func(k, v string) misbehaviour { return pages(k, v, 3, func(int) string { return "t" }) }, false, 0, 6,
			"the list does not end: page 2 leads to a page that was read before", "; the 6 objects that came in 2 pages are used, others may be missing"},
		{"tokens in a ring", func(k, v string) misbehaviour { return pages(k, v, 3, func(n int) string { return another(n % 3) }) }, false, 0, 12,
			"page 4 leads to a page that was read before", "the 12 objects"},
		{"empty pages", func(k, v string) misbehaviour { return pages(k, v, 0, another) }, false, 0, 0,
			"the last 10 pages were empty", ""},
		{"one object a page", func(k, v string) misbehaviour { return pages(k, v, 1, another) }, false, 0, mostPages,
			"it goes on after 2000 objects in 2000 pages", "the 2000 objects"},
		{"slow pages, once", func(k, v string) misbehaviour { return slow(pages(k, v, 5, another)) }, true, onceListLimit, 50,
			"no complete answer in 2m0s", "the 50 objects that came in 10 pages are used"},
		{"slow pages", func(k, v string) misbehaviour { return slow(pages(k, v, 5, another)) }, false, listLimit, 270,
			"no complete answer in 10m0s", "the 270 objects that came in 54 pages are used"},
	}
	for _, test := range tests {
		for _, list := range []struct{ path, source, kind, apiVersion, key string }{
			{"/api/v1/pods", "pods", "Pod", "v1", "Pod"},
			{jobsList, "pytorchjobs.kubeflow.org", "PyTorchJob", "kubeflow.org/v1", "PyTorchJob.kubeflow.org"},
		} {
			t.Run(test.name+" of "+list.source, func(t *testing.T) {
				inBubble(t, func(t *testing.T, s *apiServer) {
					s.serve(servePyTorch, true)
					s.intercept(at(list.path, test.how(list.kind, list.apiVersion)))
					_, p := run(t, s, func(o *Options) { o.Once = test.once })
					pass(test.within + 100*time.Millisecond)
					h := p.state("kube/" + list.source)
					if h.State != train.SourceRetrying || !strings.Contains(h.Text, "reading "+list.source+": ") || !strings.Contains(h.Text, test.words) || !strings.Contains(h.Text, test.came) {
						t.Errorf("%s are %s, %q, want %q and %q", list.source, h.State, h.Text, test.words, test.came)
					}
					if got := len(p.names(list.key)); got != test.objects {
						t.Errorf("%d objects are there, want %d", got, test.objects)
					}
					if !p.settled() {
						t.Error("an answer would still be waited for")
					}
				})
			})
		}
	}
}

// TestManyHonestPages: 30,000 jobs over a slow link are all read.
func TestManyHonestPages(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		honest := pages("PyTorchJob", "kubeflow.org/v1", pageSize, func(n int) string {
			if n == 60 {
				return ""
			}
			return another(n)
		})
		s.intercept(at(jobsList, func(w http.ResponseWriter, r *http.Request) {
			client.Sleep(r.Context(), 1500*time.Millisecond)
			honest(w, r)
		}))
		_, p := run(t, s, func(o *Options) { o.Once = true })
		pass(onceListLimit)
		wantState(t, p, "kube/pytorchjobs.kubeflow.org", train.SourceLive)
		if got := len(p.names("PyTorchJob.kubeflow.org")); got != 60*pageSize {
			t.Errorf("%d jobs are there", got)
		}
	})
}

// With --request-timeout=0 a list may take longer than its limit.
func TestEndlessPatienceBoundsNoList(t *testing.T) {
	for _, p := range []struct {
		patience client.Timeouts
		want     time.Duration
	}{
		{client.Timeouts{Once: true}, onceListLimit}, {client.Timeouts{}, listLimit},
		{client.Timeouts{Once: true, Endless: true}, 0}, {client.Timeouts{Once: true, Timeout: time.Hour}, time.Hour},
	} {
		if got := ofList(p.patience); got != p.want {
			t.Errorf("%+v: %s, want %s", p.patience, got, p.want)
		}
	}
}

func TestNamespacesThatDoNotEnd(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		c, _ := run(t, s, nil)
		s.intercept(at("/api/v1/namespaces", pages("Namespace", "v1", 2, func(int) string { return "t" })))
		names, err := c.Namespaces(t.Context())
		if err == nil || !strings.Contains(err.Error(), "listing namespaces: the list does not end") || len(names) != 4 {
			t.Errorf("%q, %v", names, err)
		}
		began := time.Now()
		s.intercept(at("/api/v1/namespaces", func(w http.ResponseWriter, r *http.Request) {
			client.Sleep(r.Context(), 3*time.Second)
			pages("Namespace", "v1", 1, func(int) string { return time.Since(began).String() })(w, r)
		}))
		if _, err = c.Namespaces(t.Context()); err == nil || time.Since(began) > namespacesLimit {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}

// A printed answer is there in its time with a part of lists that never end, and
// no list is read anew on top.
func TestEndlessListsLeaveTimeForTheAnswer(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		slowly := func(how misbehaviour) misbehaviour {
			return func(w http.ResponseWriter, r *http.Request) {
				client.Sleep(r.Context(), 500*time.Millisecond)
				how(w, r)
			}
		}
		s.intercept(at(jobsList, slowly(pages("PyTorchJob", "kubeflow.org/v1", pageSize, another))))
		const whole = 20 * time.Second
		until := time.Now().Add(whole)
		_, p := run(t, s, func(o *Options) { o.Once, o.Until = true, until })
		pass(whole - 5*time.Second)
		h := p.state("kube/pytorchjobs.kubeflow.org")
		if h.State != train.SourceRetrying || !strings.Contains(h.Text, "and the time that is left is needed to answer with them") || !p.settled() {
			t.Fatalf("%s, %q", h.State, h.Text)
		}
		came := len(p.names("PyTorchJob.kubeflow.org"))
		pass(whole)
		if now := len(p.names("PyTorchJob.kubeflow.org")); now != came || came < 5000 {
			t.Errorf("%d jobs came, then %d", came, now)
		}
	})
}

// Under a screen, tries of a list that never ends do not pile up.
func TestEndlessListsDoNotPileUp(t *testing.T) {
	var dropped int
	var kept int
	sink := sinkFunc(func(events ...store.Event) {
		for _, event := range events {
			switch event.(type) {
			case store.Unwatched:
				dropped, kept = dropped+1, 0
			case store.Set:
				kept++
			}
		}
	})
	f := &follower{resource: podResource, sink: sink}
	r := &round{follower: f, lister: &lister{}, feed: &feed{sink: sink}}
	objects := make([]kinds.Object, client.MostObjects/2+1)
	for i := range objects {
		objects[i] = &corev1.Pod{}
	}
	for range 5 {
		r.useWhatCame(&client.PartialListError{Why: errGoesOn, Objects: objects})
	}
	if dropped == 0 || kept > client.MostObjects {
		t.Errorf("%d objects are kept, and what came before was dropped %d times", kept, dropped)
	}
}
