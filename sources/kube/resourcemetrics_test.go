package kube

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

const usagePath = "/apis/metrics.k8s.io/v1beta1/"

// metricsServer answers metrics.k8s.io with recorded answers of a
// metrics-server (sources/metrics/testdata), and everything else as before.
type metricsServer struct {
	code    map[string]int // by path below usagePath
	answers map[string]string
	asked   map[string]int
}

func usages(t *testing.T, s *apiServer) *metricsServer {
	m := &metricsServer{
		code: map[string]int{}, asked: map[string]int{},
		answers: map[string]string{"nodes": recorded(t, "nodemetrics.json"), "pods": recorded(t, "podmetrics-minikube.json")},
	}
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		path, isUsage := strings.CutPrefix(r.URL.Path, usagePath)
		if !isUsage {
			return false
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		m.asked[path]++
		switch m.code[path] {
		case 0, 200:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, m.answers[path])
		case 403:
			refuseWith(w, 403, "Forbidden", fmt.Sprintf(`%s.metrics.k8s.io is forbidden: User "ada" cannot list resource`, path))
		case 404:
			http.NotFound(w, r) // as kube-apiserver does for a group that is not served
		case 503:
			http.Error(w, "service unavailable", 503) // as kube-aggregator does
		}
		return true
	})
	return m
}

func (m *metricsServer) times(s *apiServer, path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return m.asked[path]
}

func (m *metricsServer) set(s *apiServer, path string, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m.code[path] = code
}

func withUsage(o *Options) { o.Usage, o.Exporters = 30*time.Second, 0 }

func TestUsageIsRead(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		server := usages(t, s)
		_, m := measure(t, s, withUsage)
		got := m.newestUse(t)
		if got.Source != "metrics.k8s.io" || !got.Complete || got.Every != 30*time.Second {
			t.Errorf("what is used is said as %s, complete %v, every %s", got.Source, got.Complete, got.Every)
		}
		nodes, pods := 0, 0
		for _, u := range got.Usage {
			cpu, known := u.Values.Get(train.UsedCPU)
			memory, _ := u.Values.Get(train.UsedMemory)
			if !known || cpu > 100 || u.At.IsZero() {
				t.Errorf("%+v", u)
			}
			if u.Node != "" && memory > 1<<20 {
				nodes++
			}
			if u.Pod != "" && u.Container != "" {
				pods++
			}
		}
		if nodes == 0 || pods == 0 {
			t.Errorf("%d nodes and %d containers", nodes, pods)
		}
		wantHealth(t, m, "metrics.k8s.io", train.SourceLive)
		pass(5 * time.Minute)
		if asked := server.times(s, "nodes"); asked < 10 || asked > 11 {
			t.Errorf("asked %d times in five minutes", asked)
		}
	})
}

func TestUsageIsAbsentThenThere(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		server := usages(t, s)
		server.set(s, "nodes", 404)
		server.set(s, "pods", 404)
		_, m := measure(t, s, withUsage)
		wantHealth(t, m, "metrics.k8s.io", train.SourceAbsent, "metrics-server is not installed")
		if !m.settled() {
			t.Error("not settled")
		}
		server.set(s, "nodes", 503)
		server.set(s, "pods", 503)
		pass(usageAbsent)
		if h := wantHealth(t, m, "metrics.k8s.io", train.SourceRetrying, "not ready", "503"); h.Retry.IsZero() {
			t.Error("no time of the next try")
		}
		server.set(s, "nodes", 200)
		server.set(s, "pods", 200)
		pass(2 * time.Minute)
		wantHealth(t, m, "metrics.k8s.io", train.SourceLive)
		if len(m.newestUse(t).Usage) == 0 {
			t.Error("nothing was read")
		}
	})
}

func TestUsageRefused(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		server := usages(t, s)
		server.answers["namespaces/ml/pods"] = server.answers["pods"]
		for _, path := range []string{"nodes", "pods", "namespaces/ml/pods"} {
			server.set(s, path, 403)
		}
		_, m := measure(t, s, withUsage)
		h := wantHealth(t, m, "metrics.k8s.io", train.SourceForbidden, "refused", `User "ada"`, "[metrics.k8s.io]", "[get, list]")
		if h.Verb != "list" || h.Group != "metrics.k8s.io" {
			t.Errorf("the refusal is %+v", h)
		}
		asked := server.times(s, "nodes")
		pass(30 * time.Minute)
		if again := server.times(s, "nodes") - asked; again > 7 {
			t.Errorf("a refusal was tried %d times in half an hour", again)
		}
		server.set(s, "namespaces/ml/pods", 200)
		pass(refusedInterval)
		h = wantHealth(t, m, "metrics.k8s.io", train.SourceLive)
		if h.Namespace != "ml" {
			t.Errorf("the namespace that is read is %q", h.Namespace)
		}
		wantHealth(t, m, "metrics.k8s.io/nodes", train.SourceForbidden, "ClusterRole")
		if u := m.newestUse(t); len(u.Usage) == 0 || u.Usage[0].Node != "" || !u.Complete {
			t.Errorf("read %+v", u)
		}
		server.set(s, "nodes", 200)
		server.set(s, "pods", 200)
		pass(time.Minute)
		wantHealth(t, m, "metrics.k8s.io/nodes", "")
		if h := wantHealth(t, m, "metrics.k8s.io", train.SourceLive); h.Namespace != "" {
			t.Errorf("still only %q is read", h.Namespace)
		}
	})
}

// TestUsageOfSeveralNamespaces holds that usage is read in each namespace whose
// pods are read, if reading all at once is refused.
func TestUsageOfSeveralNamespaces(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		serveNamespaces(s, "kube-system", "ml", "other", "third")
		server := usages(t, s)
		for _, name := range []string{"ml", "other"} {
			server.answers["namespaces/"+name+"/pods"] = strings.ReplaceAll(server.answers["pods"], `"namespace": "kube-system"`, `"namespace": "`+name+`"`)
		}
		server.set(s, "pods", 403)
		server.set(s, "namespaces/third/pods", 403)
		usage, refused := s.answer, mayListNamespaces("ml", "other", "third")
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			switch {
			case usage(w, r):
				return true
			case refused(r.URL.Path):
				refuseWith(w, 403, "Forbidden", "refused")
				return true
			}
			return false
		})
		_, m := measure(t, s, withUsage)
		pass(5 * time.Second)
		h := wantHealth(t, m, "metrics.k8s.io", train.SourceLive, "2 namespaces (ml, other)")
		if h.Namespace != "ml" {
			t.Errorf("the namespace in use is %q", h.Namespace)
		}
		read := map[string]int{}
		for _, u := range m.newestUse(t).Usage {
			read[u.Namespace]++
		}
		if read["ml"] == 0 || read["ml"] != read["other"] {
			t.Errorf("read %v", read)
		}
		server.set(s, "namespaces/other/pods", 503)
		pass(time.Minute)
		wantHealth(t, m, "metrics.k8s.io", train.SourceRetrying)
		if u := m.newestUse(t); u.Complete || len(u.Usage) == 0 {
			t.Errorf("what could not be read is said to be gone: %+v", u)
		}
	})
}

func TestUsageOfOnePartFails(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		server := usages(t, s)
		server.set(s, "pods", 503)
		_, m := measure(t, s, withUsage)
		wantHealth(t, m, "metrics.k8s.io", train.SourceRetrying)
		if u := m.newestUse(t); u.Complete || len(u.Usage) == 0 {
			t.Errorf("what could not be asked for is said to be gone: %+v", u)
		}
	})
}

func TestUsageThatIsNone(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		state  train.SourceState
		says   string
	}{
		"cut":     {`{"kind":"NodeMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":[{"metadata":{"name":"a"},"usage":{"cpu":"1","memory":"1Mi"}},{"meta`, train.SourceRetrying, "broke off"},
		"no JSON": {`<html>`, train.SourceRetrying, "metrics.k8s.io"},
		"amounts": {`{"kind":"NodeMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":[{"metadata":{"name":"a"},"usage":{"cpu":"lots","memory":"1Mi"}},{"metadata":{"name":"b"},"usage":{"cpu":"-1","memory":"1Mi"}},{"metadata":{"name":"c"},"timestamp":"2500-01-01T00:00:00Z","usage":{"cpu":"7338891n","memory":"1Mi"}}]}`, train.SourceLive, "2 amounts"},
		"nothing": {`{"kind":"NodeMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":null}`, train.SourceLive, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				server := usages(t, s)
				server.answers["nodes"] = c.answer
				_, m := measure(t, s, withUsage)
				wantHealth(t, m, "metrics.k8s.io", c.state, c.says)
				for _, u := range m.newestUse(t).Usage {
					if u.At.After(time.Now()) || u.Node == "a" || u.Node == "b" {
						t.Errorf("read %+v", u)
					}
				}
			})
		})
	}
}

func TestUsageOfAPinnedNamespace(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		server := usages(t, s)
		server.answers["namespaces/ml/pods"] = server.answers["pods"]
		_, _ = measure(t, s, func(o *Options) { withUsage(o); o.Namespace = "ml" })
		if everywhere, pinned := server.times(s, "pods"), server.times(s, "namespaces/ml/pods"); everywhere != 0 || pinned != 1 {
			t.Errorf("asked %d times everywhere and %d times in the namespace", everywhere, pinned)
		}
	})
}
