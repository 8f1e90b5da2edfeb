package e2e

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/exporters"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// resourceMetrics answers like metrics-server, with lists of a real one
// (sources/metrics/testdata), behind the real aggregator of the API server.
type resourceMetrics struct {
	nodes, pods []byte
	unready     atomic.Bool
}

func (m *resourceMetrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if m.unready.Load() {
		http.Error(w, "Metrics server is not ready", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/apis/metrics.k8s.io/v1beta1":
		fmt.Fprint(w, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"metrics.k8s.io/v1beta1","resources":[`+
			`{"name":"nodes","singularName":"","namespaced":false,"kind":"NodeMetrics","verbs":["get","list"]},`+
			`{"name":"pods","singularName":"","namespaced":true,"kind":"PodMetrics","verbs":["get","list"]}]}`)
	case "/apis/metrics.k8s.io/v1beta1/nodes":
		_, _ = w.Write(m.nodes)
	case "/apis/metrics.k8s.io/v1beta1/pods", "/apis/metrics.k8s.io/v1beta1/namespaces/using/pods":
		_, _ = w.Write(m.pods)
	default:
		http.NotFound(w, r)
	}
}

// serve registers it with the aggregator, as metrics-server's manifest does.
func (m *resourceMetrics) serve(t *testing.T) {
	t.Helper()
	host, err := exporters.Address()
	must(t, err)
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	must(t, err)
	server := httptest.NewUnstartedServer(m)
	server.Listener = listener
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	objects, err := controlplane.Objects(strings.NewReplacer("HOST", host, "PORT", fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)).Replace(`
apiVersion: v1
kind: Service
metadata: {name: metrics-server, namespace: using}
spec: {ports: [{name: https, port: 443, targetPort: PORT}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: metrics-server-1, namespace: using, labels: {kubernetes.io/service-name: metrics-server}}
addressType: IPv4
endpoints: [{addresses: [HOST], conditions: {ready: true}}]
ports: [{name: https, port: PORT, protocol: TCP}]
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec:
  group: metrics.k8s.io
  version: v1beta1
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service: {name: metrics-server, namespace: using}
`))
	must(t, err)
	_, err = cluster.ApplyObjects(t.Context(), objects...)
	must(t, err)
	t.Cleanup(func() {
		if err := cluster.Delete(context.Background(), objects[2]); err != nil {
			t.Error(err)
		}
	})
	must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		return cluster.Clients().Discovery().RESTClient().Get().AbsPath("/apis/metrics.k8s.io/v1beta1/nodes").Do(ctx).Error()
	}))
}

var stamp = regexp.MustCompile(`"timestamp": *"[^"]*"`)

// recordedUsage is a recorded list, as of now.
func recordedUsage(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../sources/metrics/testdata/" + name)
	must(t, err)
	return stamp.ReplaceAll(text, fmt.Appendf(nil, `"timestamp": %q`, time.Now().UTC().Format(time.RFC3339)))
}

// TestUsageThroughTheAggregator: metrics.k8s.io is absent, appears, is not
// ready for a while, and may be refused; each is a state, and read data
// arrives.
func TestUsageThroughTheAggregator(t *testing.T) {
	t.Parallel()
	needsAddress(t)
	namespaces(t, "using")
	watched := followWith(t, cluster.Kubeconfig, kube.Options{Usage: time.Second})
	watched.until(30*time.Second, usageIs(train.SourceAbsent, "metrics-server is not installed"))

	served := &resourceMetrics{nodes: recordedUsage(t, "nodemetrics.json"), pods: recordedUsage(t, "podmetrics-minikube.json")}
	served.serve(t)
	// A reader that is there already checks again in some minutes; a new one
	// sees it.
	later := followWith(t, cluster.Kubeconfig, kube.Options{Usage: time.Second})
	live := later.until(time.Minute, usageIs(train.SourceLive, ""))
	if used := live.NodeUsage("gpu-node-1"); used == nil {
		t.Error("nothing is known of what gpu-node-1 uses")
	} else if cpu, _ := used.Values.Get(train.UsedCPU); cpu < 41.2 || cpu > 41.3 {
		t.Errorf("gpu-node-1 uses %v cores, want 41.24", cpu)
	}
	served.unready.Store(true)
	later.until(time.Minute, usageIs(train.SourceRetrying, "503"))
	served.unready.Store(false)
	later.until(time.Minute, usageIs(train.SourceLive, ""))

	refused := user(t, "no-usage", controlplane.Grant{Namespace: "using", Rules: []rbacv1.PolicyRule{may("", "pods")}})
	without := followWith(t, refused, kube.Options{Usage: time.Second})
	without.until(time.Minute, usageIs(train.SourceForbidden, `cannot list resource "pods" in API group "metrics.k8s.io"`))

	narrow := user(t, "own-usage", controlplane.Grant{Namespace: "using", Rules: []rbacv1.PolicyRule{may("", "pods"), may("metrics.k8s.io", "pods")}})
	own := followWith(t, narrow, kube.Options{Usage: time.Second})
	own.until(time.Minute, usageIs(train.SourceLive, ""))
	own.until(time.Minute, healthIs("metrics.k8s.io/nodes", train.SourceForbidden, "verbs: [get, list]"))
}

func usageIs(state train.SourceState, word string) func(*store.Snapshot) error {
	return healthIs("metrics.k8s.io", state, word)
}

func healthIs(source string, state train.SourceState, word string) func(*store.Snapshot) error {
	return func(s *store.Snapshot) error {
		for _, h := range s.Health() {
			if h.Source != source {
				continue
			}
			if h.State != state || !strings.Contains(h.Text, word) {
				return fmt.Errorf("%s is %s: %s; want %s with %q", source, h.State, h.Text, state, word)
			}
			return nil
		}
		return errors.New(source + " has not been asked")
	}
}
