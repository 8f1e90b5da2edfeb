package kube

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// forbid refuses every request whose path matches.
func (s *apiServer) forbid(refused func(path string) bool) {
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if !refused(r.URL.Path) {
			return false
		}
		refuseWith(w, 403, "Forbidden", "User \"ada\" cannot list resource\x1b[2J")
		return true
	})
}

func onlyIn(namespaces ...string) func(string) bool {
	return func(path string) bool {
		if path == "/version" || path == "/apis" {
			return false
		}
		for _, n := range namespaces {
			if strings.Contains(path, "/namespaces/"+n+"/") {
				return false
			}
		}
		return true
	}
}

func TestFallsBackToTheNamespaceInUse(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		s.put(podsPath+"mine", pod())
		s.put("/api/v1/namespaces/other/pods/theirs", pod())
		s.put(jobsPath+"bert", job())
		s.put("/api/v1/nodes/gpu-0", map[string]any{"kind": "Node", "apiVersion": "v1"})
		s.forbid(onlyIn("ml", "other"))
		c, p := run(t, s, nil)

		wantNames(t, p, "Pod", "ml/mine")
		wantNames(t, p, "PyTorchJob.kubeflow.org", "ml/bert")
		wantState(t, p, "kube", train.SourceLive)
		if h := p.state("kube/pods"); h.State != train.SourceLive || h.Namespace != "ml" {
			t.Errorf("kube/pods is %+v, want live in ml", h)
		}
		wide := p.state("kube/pods/all-namespaces")
		if wide.State != train.SourceForbidden || wide.Verb != "list" || wide.Resource != "pods" || wide.Namespace != "" {
			t.Errorf("the refusal is %+v", wide)
		}
		nodes := p.state("kube/nodes")
		if nodes.State != train.SourceForbidden || nodes.Retry.IsZero() {
			t.Errorf("kube/nodes is %+v, want forbidden", nodes)
		}
		for _, want := range []string{"listing nodes was refused", `User "ada" cannot list`, "ClusterRole", "kubectl auth can-i list nodes"} {
			if !strings.Contains(nodes.Text, want) {
				t.Errorf("the refusal says %q, want %q in it", nodes.Text, want)
			}
		}
		if strings.Contains(nodes.Text, "\x1b") {
			t.Error("the server's escape sequence reached the text")
		}
		if !p.settled() {
			t.Errorf("not settled: %v", p.said())
		}

		c.UseNamespace("other")
		pass(time.Second)
		wantNames(t, p, "Pod", "other/theirs")
		wantNames(t, p, "PyTorchJob.kubeflow.org")

		s.forbid(func(path string) bool { return path == "/api/v1/nodes" })
		pass(2*rightsInterval + time.Second)
		wantNames(t, p, "Pod", "ml/mine", "other/theirs")
		wantNames(t, p, "PyTorchJob.kubeflow.org", "ml/bert")
		wantState(t, p, "kube/pods/all-namespaces", "")
		wantState(t, p, "kube/nodes", train.SourceForbidden)

		s.intercept(nil)
		pass(rightsInterval + time.Second)
		wantNames(t, p, "Node", "gpu-0")
		wantState(t, p, "kube/nodes", train.SourceLive)
	})
}

// Checking whether all namespaces may be read requests one object, not a list
// of all.
func TestRightsAreAskedForWithOneObject(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		s.put(podsPath+"mine", pod())
		s.forbid(onlyIn("ml"))
		run(t, s, nil)
		var mu sync.Mutex // requests are concurrent
		refused, asked := onlyIn("ml"), map[string]int{}
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if !refused(r.URL.Path) {
				return false
			}
			if r.URL.Path == "/api/v1/pods" || strings.HasSuffix(r.URL.Path, "/pytorchjobs") {
				mu.Lock()
				asked[r.URL.Path]++
				mu.Unlock()
				if r.URL.Query().Get("limit") != "1" {
					t.Errorf("asked for %s", r.URL)
				}
			}
			refuseWith(w, 403, "Forbidden", "User \"ada\" cannot list resource")
			return true
		})
		pass(3*rightsInterval + time.Second)
		mu.Lock()
		defer mu.Unlock()
		if len(asked) != 2 || asked["/api/v1/pods"] != 3 {
			t.Errorf("asked %v times for all", asked)
		}
	})
}

func TestRefusedEvenInTheNamespace(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(podsPath+"a", pod())
		s.forbid(func(path string) bool { return strings.HasSuffix(path, "/events") })
		_, p := run(t, s, nil)
		h := p.state("kube/events")
		if h.State != train.SourceForbidden || h.Namespace != "ml" || !strings.Contains(h.Text, "a Role ") {
			t.Errorf("kube/events is %+v, want forbidden in ml", h)
		}
		if !p.settled() {
			t.Errorf("not settled: %v", p.said())
		}
		said := len(p.said())
		pass(10 * rightsInterval)
		for _, h := range p.said()[said:] {
			if h.State == train.SourceListing {
				t.Fatalf("a standing refusal was unsettled by a retry: %+v", h)
			}
		}
	})
}

func TestLostRightsLeaveNothingBehind(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put("/api/v1/nodes/gpu-0", map[string]any{"kind": "Node", "apiVersion": "v1"})
		_, p := run(t, s, nil)
		wantNames(t, p, "Node", "gpu-0")
		s.forbid(func(path string) bool { return path == "/api/v1/nodes" })
		s.stop() // rights are checked when a watch opens
		s.start()
		pass(time.Minute)
		wantNames(t, p, "Node")
		wantState(t, p, "kube/nodes", train.SourceForbidden)
	})
}

func TestListedWhereWatchingIsRefused(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(podsPath+"a", pod())
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("watch") != "true" || r.URL.Path != "/api/v1/pods" {
				return false
			}
			refuseWith(w, 403, "Forbidden", "cannot watch")
			return true
		})
		_, p := run(t, s, nil)
		wantNames(t, p, "Pod", "ml/a")
		wantState(t, p, "kube/pods", train.SourceLive)
		s.put(podsPath+"b", pod())
		pass(relistInterval + time.Second)
		wantNames(t, p, "Pod", "ml/a", "ml/b")
	})
}

func TestPinnedToOneNamespace(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(podsPath+"mine", pod())
		s.put("/api/v1/namespaces/other/pods/theirs", pod())
		c, p := run(t, s, func(o *Options) { o.Namespace = "ml" })
		wantNames(t, p, "Pod", "ml/mine")
		c.UseNamespace("other")
		pass(2 * time.Minute)
		wantNames(t, p, "Pod", "ml/mine")
		for _, r := range s.seen() {
			if r.path == "/api/v1/pods" || strings.Contains(r.path, "/other/") {
				t.Errorf("a pinned reader asked for %s", r.path)
			}
		}
	})
}

func serveNamespaces(s *apiServer, names ...string) {
	for _, name := range names {
		s.put("/api/v1/namespaces/"+name, map[string]any{"kind": "Namespace", "apiVersion": "v1"})
	}
}

// mayListNamespaces refuses all but some namespaces, and their list.
func mayListNamespaces(namespaces ...string) func(string) bool {
	refused := onlyIn(namespaces...)
	return func(path string) bool { return path != "/api/v1/namespaces" && refused(path) }
}

func TestReadsOtherNamespacesOneByOne(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		serveNamespaces(s, "kube-system", "ml", "other", "third")
		s.put(podsPath+"mine", pod())
		s.put("/api/v1/namespaces/other/pods/theirs", pod())
		s.put("/api/v1/namespaces/third/pods/too", pod())
		s.put("/apis/kubeflow.org/v1/namespaces/other/pytorchjobs/gpt", job())
		s.forbid(mayListNamespaces("ml", "other", "third"))
		c, p := run(t, s, nil)

		wantNames(t, p, "Pod", "ml/mine", "other/theirs", "third/too")
		wantNames(t, p, "PyTorchJob.kubeflow.org", "other/gpt")
		if !p.settled() {
			t.Errorf("not settled: %v", p.said())
		}
		if h := p.state("kube/pods/other"); h.State != train.SourceLive || h.Namespace != "other" || h.Resource != "pods" {
			t.Errorf("kube/pods/other is %+v", h)
		}
		if h := p.state("kube/other-namespaces"); h.State != train.SourceLive || !strings.Contains(h.Text, "2 namespaces can be read one by one (other, third), 1 refused") {
			t.Errorf("the search says %+v", h)
		}
		if h := p.state("kube/pods/all-namespaces"); !strings.Contains(h.Text, "read 3 namespaces (other, third), refused 0") {
			t.Errorf("the refusal says %q", h.Text)
		}

		s.put("/api/v1/namespaces/other/pods/new", pod())
		c.UseNamespace("other")
		pass(time.Second)
		wantNames(t, p, "Pod", "ml/mine", "other/new", "other/theirs", "third/too")

		s.intercept(nil)
		pass(rightsInterval + time.Second)
		wantState(t, p, "kube/pods/third", "")
		wantState(t, p, "kube/pods/all-namespaces", "")
		wantNames(t, p, "Pod", "ml/mine", "other/new", "other/theirs", "third/too")
	})
}

// No answer may be printed between the refusal and the fallback.
func TestOtherNamespacesAreAwaited(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		serveNamespaces(s, "ml", "other")
		refused := mayListNamespaces("ml", "other")
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if strings.HasPrefix(r.URL.Path, "/api/v1/namespaces/other/") {
				time.Sleep(3 * time.Second)
			}
			if !refused(r.URL.Path) {
				return false
			}
			refuseWith(w, 403, "Forbidden", "no")
			return true
		})
		_, p := run(t, s, nil)
		for range 50 {
			if p.settled() && p.state("kube/pods/other").State != train.SourceLive {
				t.Fatalf("settled before pods of the other namespace came: %v", p.said())
			}
			pass(200 * time.Millisecond)
		}
		wantState(t, p, "kube/pods/other", train.SourceLive)
	})
}

func TestNamedNamespacesAreReadWithoutTheirList(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put("/api/v1/namespaces/other/pods/theirs", pod())
		s.forbid(onlyIn("ml", "other"))
		_, p := run(t, s, func(o *Options) { o.Named = []string{"other", "ml"} })
		wantNames(t, p, "Pod", "other/theirs")
	})
}

func TestNoMoreThanSomeNamespacesAreRead(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		for i := range mostOthers + 3 {
			serveNamespaces(s, fmt.Sprintf("team-%02d", i))
		}
		s.forbid(func(path string) bool {
			return path != "/version" && path != "/apis" && path != "/api/v1/namespaces" && !strings.Contains(path, "/namespaces/")
		})
		_, p := run(t, s, nil)
		h := p.state("kube/other-namespaces")
		if h.State != train.SourceRetrying || !strings.Contains(h.Text, "what is in 3 more is not known") {
			t.Errorf("the search says %+v", h)
		}
	})
}

// A role without one resource is no reason to search for namespaces.
func TestOtherNamespacesAreLookedForWherePodsAreRefused(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		serveNamespaces(s, "ml", "other")
		s.forbid(func(path string) bool { return strings.HasSuffix(path, "/secrets") })
		_, p := run(t, s, nil)
		wantState(t, p, "kube/other-namespaces", "")
		for _, r := range s.seen() {
			if strings.Contains(r.path, "/namespaces/other/") {
				t.Errorf("asked for %s", r.path)
			}
		}
	})
}
