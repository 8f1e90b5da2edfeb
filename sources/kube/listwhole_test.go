package kube

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

func jobOf(name string, change map[string]any) map[string]any {
	job := map[string]any{"kind": "PyTorchJob", "apiVersion": "kubeflow.org/v1", "metadata": map[string]any{
		"namespace": "ml", "name": name, "uid": "uid-" + name, "resourceVersion": "7",
	}}
	maps.Copy(job, change)
	asCreated(job)
	return job
}

func jobsPage(metadata map[string]any, items ...any) map[string]any {
	metadata["resourceVersion"] = "7"
	return map[string]any{"kind": "PyTorchJobList", "apiVersion": "kubeflow.org/v1", "metadata": metadata, "items": items}
}

// listThat answers lists of jobs by their continue token; watches wait.
func listThat(answer func(w http.ResponseWriter, token string, whole bool) map[string]any) misbehaviour {
	return func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if query.Get("watch") != "" {
			<-r.Context().Done()
			return
		}
		writeJSON(w, answer(w, query.Get("continue"), query.Get("limit") == ""))
	}
}

func gone(w http.ResponseWriter) map[string]any {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusGone)
	return map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Expired", "code": 410, "message": "the token expired"}
}

// An expired list is read again to its end, however many pages it has.
func TestAListThatExpiredIsReadAnewToItsEnd(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		s.intercept(at(jobsList, listThat(func(w http.ResponseWriter, token string, whole bool) map[string]any {
			switch {
			case token == "old":
				return gone(w)
			case token == "new":
				return jobsPage(map[string]any{}, jobOf("c", nil))
			case whole:
				return jobsPage(map[string]any{"continue": "new"}, jobOf("a", nil), jobOf("b", nil))
			}
			return jobsPage(map[string]any{"continue": "old"}, jobOf("a", nil))
		})))
		_, p := run(t, s, nil)
		pass(time.Second)
		wantState(t, p, "kube/pytorchjobs.kubeflow.org", train.SourceLive)
		if got := p.names("PyTorchJob.kubeflow.org"); fmt.Sprint(got) != "[ml/a ml/b ml/c]" {
			t.Errorf("jobs are %v", got)
		}
	})
}

// Where a page of a list expires each time, the list and the page are named, and no
// watch; what came is used.
func TestAListThatExpiresEachTimeIsNamed(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		s.intercept(at(jobsList, listThat(func(w http.ResponseWriter, token string, _ bool) map[string]any {
			if token != "" {
				return gone(w)
			}
			return jobsPage(map[string]any{"continue": "old"}, jobOf("a", nil))
		})))
		_, p := run(t, s, nil)
		pass(time.Minute)
		h := p.state("kube/pytorchjobs.kubeflow.org")
		const words = "reading pytorchjobs.kubeflow.org: page 2 of the list had expired before it was asked for, also when the list was read anew (the token expired); it is listed again; the 1 objects that came are used, others may be missing"
		if h.State != train.SourceRetrying || h.Text != words {
			t.Errorf("%s, %q", h.State, h.Text)
		}
		if got := p.names("PyTorchJob.kubeflow.org"); fmt.Sprint(got) != "[ml/a]" {
			t.Errorf("jobs are %v", got)
		}
	})
}

// A list with pages of different lists is incomplete: the received objects are
// used, and health reports that there may be more.
func TestAListThatIsNotWholeIsNamed(t *testing.T) {
	tests := map[string]struct {
		second map[string]any
		words  string
	}{
		"ends early":       {jobsPage(map[string]any{}, jobOf("b", nil)), "it ended after 2 objects, and the server had said that there are 501"},
		"repeats a page":   {jobsPage(map[string]any{}, jobOf("a", nil)), "page 2 repeats ml/a; the 1 objects that came in 2 pages are used"},
		"more on the last": {jobsPage(map[string]any{"remainingItemCount": 4}, jobOf("b", nil)), "it ended after 2 objects, and the server had said that there are 6"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.serve(servePyTorch, true)
				s.intercept(at(jobsList, listThat(func(_ http.ResponseWriter, token string, _ bool) map[string]any {
					if token == "" {
						return jobsPage(map[string]any{"continue": "t", "remainingItemCount": 500}, jobOf("a", nil))
					}
					return test.second
				})))
				_, p := run(t, s, nil)
				pass(time.Second)
				h := p.state("kube/pytorchjobs.kubeflow.org")
				if h.State != train.SourceRetrying || !strings.Contains(h.Text, test.words) || !strings.Contains(h.Text, "others may be missing") {
					t.Errorf("%s, %q, want %q", h.State, h.Text, test.words)
				}
				if len(p.names("PyTorchJob.kubeflow.org")) == 0 {
					t.Error("what came is not used")
				}
			})
		})
	}
}
