package kube

import (
	corev1 "k8s.io/api/core/v1"

	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

func TestReadsAndFollows(t *testing.T) {
	for _, minor := range []string{"30", "36+"} {
		t.Run("1."+minor, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.minor = minor
				s.serve(servePyTorch, true)
				s.put(podsPath+"a", pod())
				s.put(jobsPath+"bert", job())
				_, p := run(t, s, nil)
				wantNames(t, p, "Pod", "ml/a")
				wantNames(t, p, "PyTorchJob.kubeflow.org", "ml/bert")
				wantState(t, p, "kube", train.SourceLive)
				wantState(t, p, "kube/pods", train.SourceLive)
				wantState(t, p, "kube/pytorchjobs.kubeflow.org", train.SourceLive)
				wantState(t, p, "kube/mpijobs.kubeflow.org", train.SourceAbsent)
				if !p.settled() {
					t.Errorf("not all sources are settled: %v", p.said())
				}

				s.put(podsPath+"b", pod())
				s.put(podsPath+"a", pod("changed"))
				s.remove(jobsPath + "bert")
				pass(0)
				wantNames(t, p, "Pod", "ml/a", "ml/b")
				wantNames(t, p, "PyTorchJob.kubeflow.org")
				if p.object("Pod ml/a").GetLabels()["changed"] == "" {
					t.Error("a change of a pod did not arrive")
				}
			})
		})
	}
}

// TestAnnouncesBeforeLive checks what one-shot commands rely on: once "kube"
// has left connecting, every resource to be read is known.
func TestAnnouncesBeforeLive(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		_, p := run(t, s, nil)
		known := map[string]bool{}
		for _, h := range p.said() {
			if h.Source == "kube" && h.State == train.SourceLive {
				break
			}
			known[h.Source] = true
		}
		for _, source := range []string{"kube/pods", "kube/secrets", "kube/pytorchjobs.kubeflow.org", "kube/mpijobs.kubeflow.org"} {
			if !known[source] {
				t.Errorf("%s was not announced before kube was live", source)
			}
		}
	})
}

func TestExpiredWatchListsAgain(t *testing.T) {
	for _, minor := range []string{"30", "36"} {
		inBubble(t, func(t *testing.T, s *apiServer) {
			s.minor = minor
			s.put(podsPath+"stays", pod())
			s.put(podsPath+"goes", pod())
			_, p := run(t, s, nil)
			// Close the stream, and delete the later events from the history.
			s.stop()
			s.remove(podsPath + "goes")
			s.put(podsPath+"new", pod())
			s.compact()
			s.skip(10)
			s.compact()
			s.start()
			pass(time.Minute)
			wantNames(t, p, "Pod", "ml/new", "ml/stays")
			wantState(t, p, "kube/pods", train.SourceLive)
		})
	}
}

func TestServerAwayAndBack(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(podsPath+"a", pod())
		s.stop()
		_, p := run(t, s, nil)
		h := p.state("kube")
		if h.State != train.SourceRetrying || h.Retry.IsZero() {
			t.Errorf("health is %+v, want retrying with a time", h)
		}
		for _, want := range []string{"http://cluster.example:6443", "connection refused"} {
			if !strings.Contains(h.Text, want) {
				t.Errorf("health says %q, want %q in it", h.Text, want)
			}
		}
		since := h.Since
		pass(5 * time.Minute)
		if again := p.state("kube"); !again.Since.Equal(since) || !again.Retry.After(since) {
			t.Errorf("Since moved from %v to %v during one outage (retry %v)", since, again.Since, again.Retry)
		}
		s.start()
		pass(15 * time.Second)
		wantState(t, p, "kube", train.SourceLive)
		wantNames(t, p, "Pod", "ml/a")

		s.stop()
		pass(time.Second)
		wantState(t, p, "kube", train.SourceRetrying)
		wantNames(t, p, "Pod", "ml/a") // as of Since
		s.put(podsPath+"b", pod())
		s.remove(podsPath + "a")
		s.start()
		pass(30 * time.Second)
		wantState(t, p, "kube", train.SourceLive)
		wantNames(t, p, "Pod", "ml/b")
	})
}

func TestExpiredCredentials(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(podsPath+"a", pod())
		flags := s.flags()
		var token atomic.Value
		token.Store("old")
		dialOnly := flags.WrapConfigFn
		// clientcmd sends no tokens over plain HTTP, so set one here.
		flags.WithWrapConfigFn(func(c *rest.Config) *rest.Config {
			c.BearerToken = token.Load().(string)
			return dialOnly(c)
		})
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") == "Bearer new" {
				return false
			}
			refuseWith(w, 401, "Unauthorized", "Unauthorized")
			return true
		})
		_, p := run(t, s, func(o *Options) { o.Flags = flags })
		h := p.state("kube")
		if h.State != train.SourceRetrying || !strings.Contains(h.Text, "log in again") {
			t.Errorf("health is %+v, want retrying and a hint to log in again", h)
		}
		token.Store("new") // as if the kubeconfig had been rewritten
		pass(20 * time.Second)
		wantState(t, p, "kube", train.SourceLive)
		wantNames(t, p, "Pod", "ml/a")
	})
}

func TestSecretsArriveAsMetadataOnly(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put("/api/v1/namespaces/ml/secrets/hf-token", map[string]any{
			"kind": "Secret", "apiVersion": "v1", "data": map[string]any{"token": "aGY="},
			"metadata": map[string]any{"annotations": map[string]any{corev1.LastAppliedConfigAnnotation: `{"data":{"token":"aGY="}}`}},
		})
		_, p := run(t, s, nil)
		wantNames(t, p, "Secret", "ml/hf-token")
		if annotations := p.object("Secret ml/hf-token").GetAnnotations(); len(annotations) > 0 {
			t.Errorf("annotations of a Secret were kept: %v", annotations)
		}
		asked := 0
		for _, r := range s.seen() {
			if !strings.HasSuffix(r.path, "/secrets") && !strings.HasSuffix(r.path, "/configmaps") {
				continue
			}
			asked++
			for _, form := range strings.Split(r.accept, ",") {
				if !strings.Contains(form, "as=PartialObjectMetadata") {
					t.Errorf("%s accepts %q, which lets the server send data", r.path, form)
				}
			}
		}
		if asked < 4 { // list and watch of both
			t.Errorf("only %d requests for secrets and configmaps were seen", asked)
		}
	})
}

func TestBigListsOfUnstructuredObjectsArePaged(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		const jobs = 2*pageSize + 1
		for i := range jobs {
			s.put(jobsPath+strings.Repeat("p", 1+i%50)+"-"+time.Duration(i).String(), job())
		}
		_, p := run(t, s, nil)
		if got := len(p.names("PyTorchJob.kubeflow.org")); got != jobs {
			t.Errorf("%d jobs arrived, want %d", got, jobs)
		}
		pages := 0
		for _, r := range s.seen() {
			if strings.HasSuffix(r.path, "/pytorchjobs") && !r.watch {
				pages++
				if !strings.Contains(r.query, "limit=500") || strings.Contains(r.query, "resourceVersion=0") {
					t.Errorf("a page was asked for with %q", r.query)
				}
			}
		}
		if pages != 3 {
			t.Errorf("%d pages were read, want 3", pages)
		}
	})
}

func TestTypedListsAreOneRequest(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		const pods = 2*pageSize + 1
		for i := range pods {
			s.put(podsPath+strings.Repeat("p", 1+i%50)+"-"+time.Duration(i).String(), pod())
		}
		_, p := run(t, s, nil)
		if got := len(p.names("Pod")); got != pods {
			t.Errorf("%d pods arrived, want %d", got, pods)
		}
		for _, r := range s.seen() {
			if r.path == "/api/v1/pods" && !r.watch && strings.Contains(r.query, "limit=") {
				t.Errorf("pods were asked for with %q", r.query)
			}
		}
	})
}

func wantNames(t *testing.T, p *picture, kind string, want ...string) {
	t.Helper()
	if want == nil {
		want = []string{}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, p.names(kind)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", kind, diff)
	}
}

func wantState(t *testing.T, p *picture, source string, want train.SourceState) {
	t.Helper()
	if h := p.state(source); h.State != want {
		t.Errorf("%s is %q (%s), want %q", source, h.State, h.Text, want)
	}
}

// A login page instead of every answer is not an empty cluster.
func TestALoginPageIsNoCluster(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.intercept(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "\n<!DOCTYPE html><title>Sign in</title>")
			return true
		})
		_, p := run(t, s, nil)
		if h := p.state("kube"); h.State != train.SourceRetrying || !strings.Contains(h.Text, "answers with a web page") || !strings.Contains(h.Text, "log in there") {
			t.Errorf("%s, %q", h.State, h.Text)
		}
	})
}

// A server that knows neither the version nor pods is a wrong address, not an
// empty cluster. Behind a proxy that hides only the version there is a
// cluster.
func TestAServerOfSomethingElse(t *testing.T) {
	for name, hidden := range map[string]bool{"all": true, "the version": false} {
		inBubble(t, func(t *testing.T, s *apiServer) {

			s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if hidden || r.URL.Path == "/version" {
					refuseWith(w, 404, "NotFound", "page not found")
					return true
				}
				return false
			})
			defer s.stop()
			c, err := New(Options{Flags: s.flags(), Kinds: []kinds.Kind{}})
			if err != nil {
				t.Fatal(err)
			}
			err = (&link{connection: c.connection}).probe(t.Context())
			if hidden == (err == nil) || err != nil && !strings.Contains(err.Error(), "is no Kubernetes API server") {
				t.Errorf("404 on %s: %v", name, err)
			}
		})
	}
}
