package kube

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

const (
	systemNamespace = "/api/v1/namespaces/kube-system"
	restarted       = time.Minute // a server is back after an outage, and all is read
)

// replace switches to another state behind the address: objects by path, and
// the newest resource version.
func (s *apiServer) replace(revision int, objects map[string]map[string]any) {
	s.stop()
	s.mu.Lock()
	s.revision, s.compacted, s.log = revision-len(objects), 0, nil
	s.objects = map[string]map[string]any{}
	s.mu.Unlock()
	for path, object := range objects {
		s.put(path, object)
	}
	s.start()
}

func namespaceWith(uid string) map[string]any {
	return map[string]any{"kind": "Namespace", "apiVersion": "v1", "metadata": map[string]any{"uid": uid}}
}

// TestAnotherClusterBehindTheAddress: the first cluster's objects go, the
// other's come, and health reports it.
func TestAnotherClusterBehindTheAddress(t *testing.T) {
	forbidden := at("/api/v1/namespaces", func(w http.ResponseWriter, _ *http.Request) {
		refuseWith(w, http.StatusForbidden, "Forbidden", "namespaces is forbidden")
	})
	tests := []struct {
		name     string
		uid      string
		revision int
		refused  bool
		says     string
	}{
		{"another cluster with newer versions", "other", 900, false, "its namespace kube-system is another one"},
		{"another cluster with older versions", "other", 50, false, "its namespace kube-system is another one"},
		{"restored from a backup", "same", 50, false, "its resource version went back from "},
		{"restored, and namespaces may not be listed", "same", 50, true, "its resource version went back from "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.put(systemNamespace, namespaceWith("same"))
				s.put(podsPath+"old", pod())
				if test.refused {
					s.intercept(forbidden)
				}
				_, p := run(t, s, nil)
				wantNames(t, p, "Pod", "ml/old")
				s.replace(test.revision, map[string]map[string]any{systemNamespace: namespaceWith(test.uid), podsPath + "new": pod()})
				pass(restarted)
				wantNames(t, p, "Pod", "ml/new")
				if h := p.state(train.ClusterSource); h.State != train.SourceRetrying || !strings.Contains(h.Text, test.says) || !strings.Contains(h.Text, "cluster.example") {
					t.Errorf("%s, %q", h.State, h.Text)
				}
				pass(changedShown)
				wantState(t, p, train.ClusterSource, "")
				wantState(t, p, "kube/pods", train.SourceLive)
			})
		})
	}
}

// Where the first cluster could not be looked at, versions of what was read from it
// still identify the other one.
func TestAnotherClusterAfterALookThatFailed(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(systemNamespace, namespaceWith("same"))
		s.put(podsPath+"old", pod())
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("fieldSelector") != "metadata.name=kube-system" {
				return false
			}
			refuseWith(w, http.StatusInternalServerError, "InternalError", "etcd has no leader")
			return true
		})
		_, p := run(t, s, nil)
		wantNames(t, p, "Pod", "ml/old")
		s.intercept(nil)
		s.replace(50, map[string]map[string]any{systemNamespace: namespaceWith("same"), podsPath + "new": pod()})
		pass(restarted)
		wantNames(t, p, "Pod", "ml/new")
		if h := p.state(train.ClusterSource); h.State != train.SourceRetrying || !strings.Contains(h.Text, "its resource version went back from ") {
			t.Errorf("%s, %q", h.State, h.Text)
		}
	})
}

// Where neither the namespace nor a list shows which cluster answers, that is
// reported: what is shown may be of another one.
func TestAClusterThatCannotBeLookedAt(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(systemNamespace, namespaceWith("same"))
		s.put(podsPath+"a", pod())
		refused := false
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			query := r.URL.Query()
			if query.Get("fieldSelector") != "metadata.name=kube-system" && (!refused || query.Get("limit") != "1") {
				return false
			}
			refuseWith(w, http.StatusForbidden, "Forbidden", "no \x1b[2J access")
			return true
		})
		_, p := run(t, s, nil)
		wantNames(t, p, "Pod", "ml/a")
		wantState(t, p, train.ClusterSource, "")
		s.stop()
		refused = true
		s.start()
		pass(restarted)
		h := p.state(train.ClusterSource)
		if want := "whether the same cluster still answers at http://cluster.example:6443 is not known"; h.State != train.SourceRetrying || !strings.Contains(h.Text, want) || !strings.Contains(h.Text, "access; reading its version: no ") || strings.Contains(h.Text, "\x1b") {
			t.Errorf("%s, %q", h.State, h.Text)
		}
	})
}

// A check that a busy server did not answer is made again: what it left open is known
// soon after the server answers, and reported no longer.
func TestACheckThatFailedIsMadeAgain(t *testing.T) {
	for uid, want := range map[string]string{"same": "", "other": "its namespace kube-system is another one"} {
		t.Run(uid, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.put(systemNamespace, namespaceWith("same"))
				s.put(podsPath+"a", pod())
				var busy atomic.Bool
				s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
					if !busy.Load() || r.URL.Query().Get("limit") != "1" {
						return false
					}
					refuseWith(w, http.StatusInternalServerError, "InternalError", "etcd has no leader")
					return true
				})
				_, p := run(t, s, nil)
				wantNames(t, p, "Pod", "ml/a")
				s.stop()
				busy.Store(true)
				s.start()
				pass(restarted)
				if h := p.state(train.ClusterSource); !strings.Contains(h.Text, "is not known") {
					t.Fatalf("%s, %q", h.State, h.Text)
				}
				s.put(systemNamespace, namespaceWith(uid))
				busy.Store(false)
				pass(2 * doubtRetry)
				if h := p.state(train.ClusterSource); !strings.Contains(h.Text, want) || (want == "") != (h.State == "") {
					t.Errorf("%s, %q", h.State, h.Text)
				}
			})
		})
	}
}

// Server restarts and ended watches are common.
func TestTheSameClusterIsNoOther(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(systemNamespace, namespaceWith("same"))
		s.put(podsPath+"a", pod())
		_, p := run(t, s, nil)
		for range 3 {
			s.stop()
			s.put(podsPath+"b", pod())
			s.start()
			pass(restarted)
		}
		wantNames(t, p, "Pod", "ml/a", "ml/b")
		for _, h := range p.said() {
			if h.Source == train.ClusterSource {
				t.Errorf("it said %q", h.Text)
			}
		}
	})
}
