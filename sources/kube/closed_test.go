package kube

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

func closes(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// TestClosedConnectionIsNamedSoon: a connection closed without an answer is
// reported within 10 s, while the other resources are there.
func TestClosedConnectionIsNamedSoon(t *testing.T) {
	for path, source := range map[string]string{
		"/api/v1/services": "kube/services", "/apis/kubeflow.org/v1/pytorchjobs": "kube/pytorchjobs.kubeflow.org", "/apis": "kube/apis",
	} {
		t.Run(source, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.serve(servePyTorch, true)
				s.put(podsPath+"a", pod())
				s.intercept(at(path, closes))
				_, p := run(t, s, nil)
				pass(10 * time.Second)
				h := p.state(source)
				if h.State != train.SourceRetrying || !strings.Contains(h.Text, "closed") {
					t.Errorf("it is %s, %q", h.State, h.Text)
				}
				wantNames(t, p, "Pod", "ml/a")
				if !p.settled() {
					t.Error("an answer would still be waited for")
				}
			})
		})
	}
}

// TestClosedOnceIsAskedAgain: one closed connection causes no failure.
func TestClosedOnceIsAskedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		var closed atomic.Bool
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/apis/kubeflow.org/v1/pytorchjobs" && !closed.Swap(true) {
				closes(w, r)
			}
			return false
		})
		s.serve(servePyTorch, true)
		_, p := run(t, s, nil)
		pass(5 * time.Second)
		wantState(t, p, "kube/pytorchjobs.kubeflow.org", train.SourceLive)
		for _, h := range p.said() {
			if h.State.Trouble() {
				t.Errorf("it says %+v", h)
			}
		}
	})
}
