package e2e

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/exporters"
	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/sources/prometheus"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// The recorded answers of exporters; see the first line of each.
var (
	//go:embed testdata/prometheus/dcgm.prom
	dcgmText string
	//go:embed testdata/prometheus/node.prom
	nodeText string
)

const (
	promNamespace = "prom"
	heldGPU       = "GPU-7a2e92f2-be71-d37e-a744-541600ffc722"
	freeGPU       = "GPU-5f587dd4-6505-0873-c6db-8324dbfe5ba9"
	// pastMinutes is how far back the exporter's first samples are, and
	// pastScrapes in how many scrapes they are served. Prometheus 3.7 accepts
	// nothing older than half of its head block, an hour, behind the newest.
	pastMinutes, pastScrapes = 54, 27
)

// gpusJSON is the output of `traintop gpus -o json`, as far as tests read it.
type gpusJSON struct {
	GPUs []struct {
		Node, UUID, Namespace, Pod, Job string
		Free                            bool
		Utilization, MemoryTotalMiB     *float64
		TemperatureC                    *float64
		Sources                         []string
		At                              time.Time
	}
	Problems []struct{ Source, Text string }
}

func (a gpusJSON) problem(source string) string {
	for _, p := range a.Problems {
		if p.Source == source {
			return p.Text
		}
	}
	return ""
}

func gpus(ctx context.Context, kubeconfig string, args ...string) (gpusJSON, error) {
	out, complaints, err := run(ctx, kubeconfig, append([]string{"gpus", "-o", "json"}, args...)...)
	if err != nil {
		return gpusJSON{}, fmt.Errorf("traintop gpus: %w\n%s", err, complaints)
	}
	var a gpusJSON
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		return a, fmt.Errorf("read the answer of traintop gpus: %w\n%s", err, out)
	}
	return a, nil
}

// measured reports whether an answer has both GPUs of the exporter: the one
// that the job's pod holds, and the free one.
func (a gpusJSON) measured(node string) error {
	found := map[string]bool{}
	for _, g := range a.GPUs {
		if g.UUID != heldGPU && g.UUID != freeGPU {
			continue
		}
		found[g.UUID] = true
		switch held := g.UUID == heldGPU; {
		case g.Node != node || !slices.Contains(g.Sources, "Prometheus"):
			return fmt.Errorf("%s is on %q, from %q", g.UUID, g.Node, g.Sources)
		case g.Utilization == nil || g.MemoryTotalMiB == nil || *g.MemoryTotalMiB < 14900 || g.TemperatureC == nil:
			return fmt.Errorf("%s lacks numbers: %+v", g.UUID, g)
		case held && (g.Pod != "watched-worker-0" || g.Namespace != promNamespace || !strings.Contains(g.Job, "watched")):
			return fmt.Errorf("the held GPU is %+v", g)
		case !held && g.Pod != "":
			return fmt.Errorf("the free GPU is held by %s/%s", g.Namespace, g.Pod)
		case time.Since(g.At) > time.Minute:
			return fmt.Errorf("measured at %s", g.At)
		}
	}
	if len(found) != 2 {
		return fmt.Errorf("%d of the two GPUs, among %d; problems: %+v", len(found), len(a.GPUs), a.Problems)
	}
	return nil
}

// gpuExporter serves the recorded text for a pod of the control plane: first
// with times of the past, then as it is.
type gpuExporter struct {
	node    string
	scrapes atomic.Int64
}

func (e *gpuExporter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	n := int(e.scrapes.Add(1))
	text := strings.NewReplacer(
		`Hostname="nvidia-dcgm-exporter-s228n"`, `Hostname="`+e.node+`"`,
		`container="runai-reservation",namespace="runai-reservation",pod="runai-reservation-gpu-qa-mig-worker-gpu-1-kvltw"`, `container="pytorch",namespace="`+promNamespace+`",pod="watched-worker-0"`,
	).Replace(dcgmText)
	stamp := ""
	if n <= pastScrapes {
		ago := time.Duration(pastMinutes-2*(n-1)) * time.Minute
		stamp = " " + strconv.FormatInt(time.Now().Add(-ago).UnixMilli(), 10)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, `DCGM_FI_DEV_GPU_UTIL{gpu="0"`) {
			line = line[:strings.LastIndexByte(line, ' ')+1] + strconv.Itoa(50+n%40)
		}
		if !strings.HasPrefix(line, "#") && line != "" {
			line += stamp
		}
		_, _ = io.WriteString(w, line+"\n")
	}
}

// nodeExporter serves the metrics of node_exporter and cAdvisor.
func nodeExporter(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, nodeText)
	_, _ = io.WriteString(w, "# TYPE container_memory_working_set_bytes gauge\n"+
		`container_memory_working_set_bytes{container="pytorch",id="/kubepods.slice/a",image="registry.example/train",name="a",namespace="`+promNamespace+`",pod="watched-worker-0"} 4.294967296e+09`+"\n")
}

// serve answers at an address that the API server and Prometheus can reach.
func serve(t *testing.T, address string, handler http.Handler) (hostPort string) {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	must(t, err)
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return listener.Addr().String()
}

// scrapes is a configuration as the ServiceMonitors of dcgm-exporter's chart
// and of kube-prometheus make it: honorLabels false for the one, so that the
// holder of a GPU is in exported_pod, and the node's name as the instance of
// the other.
const scrapes = `
global: {scrape_interval: 400ms, scrape_timeout: 400ms}
scrape_configs:
- job_name: nvidia-dcgm-exporter
  honor_labels: false
  static_configs:
  - targets: [EXPORTER]
    labels: {namespace: gpu-operator, pod: nvidia-dcgm-exporter-s228n, container: nvidia-dcgm-exporter, service: nvidia-dcgm-exporter, endpoint: gpu-metrics}
- job_name: node-exporter
  honor_labels: true
  static_configs:
  - targets: [NODES]
    labels: {instance: NODENAME}
`

// The real Prometheus: named by a URL, found in the cluster and reached
// through the API server; its past; its restart; refusals.
func TestPrometheus(t *testing.T) {
	t.Parallel()
	address, err := exporters.Address()
	if err != nil {
		t.Skip(err)
	}
	namespaces(t, promNamespace)
	plays := operator.Operator{Cluster: cluster, Namespace: promNamespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("watched", `{containers: [{name: pytorch, image: registry.example/train, resources: {limits: {nvidia.com/gpu: "1"}}}]}`)))
	node := nodeOfPod(t, promNamespace, "watched-worker-0")
	exporter := &gpuExporter{node: node}
	configuration := strings.NewReplacer("EXPORTER", serve(t, address, exporter), "NODES", serve(t, address, http.HandlerFunc(nodeExporter)), "NODENAME", node).Replace(scrapes)
	server, err := controlplane.StartPrometheus(t.Context(), address, t.TempDir(), configuration, func(text string) { t.Log(text) })
	must(t, err)
	t.Cleanup(server.Stop)
	must(t, cluster.Wait(t.Context(), time.Minute, func(context.Context) error {
		if n := exporter.scrapes.Load(); n < pastScrapes+10 {
			return fmt.Errorf("the exporter was scraped %d times", n)
		}
		return nil
	}))

	t.Run("by URL", func(t *testing.T) {
		measuredBy(t, cluster.Kubeconfig, node, "--prometheus", server.URL())
	})
	t.Run("nobody there", func(t *testing.T) {
		a, err := gpus(t.Context(), cluster.Kubeconfig, "--prometheus", "http://"+net.JoinHostPort(address, "1"))
		must(t, err)
		if text := a.problem("prometheus"); !strings.Contains(text, "connection refused") || !strings.Contains(text, address) {
			t.Errorf("the problem is %q", text)
		}
	})
	t.Run("credentials", func(t *testing.T) { wrongCredentials(t, address, configuration, node) })
	t.Run("found in the cluster", func(t *testing.T) { foundInCluster(t, server, node) })
	t.Run("history and restart", func(t *testing.T) { historyAndRestart(t, server, node) })
}

func nodeOfPod(t *testing.T, namespace, name string) (node string) {
	t.Helper()
	must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		pod, err := cluster.Clients().CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
		if err == nil && pod.Spec.NodeName == "" {
			err = errors.New("the pod has no node yet")
		}
		if err == nil {
			node = pod.Spec.NodeName
		}
		return err
	}))
	return node
}

// measuredBy waits until `traintop gpus` lists both GPUs.
func measuredBy(t *testing.T, kubeconfig, node string, args ...string) {
	t.Helper()
	wrong := errors.New("traintop gpus never answered")
	if cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		a, err := gpus(ctx, kubeconfig, args...)
		if ctx.Err() != nil {
			return wrong // cut off by the deadline, which proves nothing
		}
		if err == nil {
			err = a.measured(node)
		}
		wrong = err
		return err
	}) != nil {
		t.Fatal(wrong)
	}
}

// wrongCredentials queries a server that wants a password. The hash is that of
// "test" in Prometheus' guide to basic authentication.
func wrongCredentials(t *testing.T, address, configuration, node string) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "web.yml"), []byte("basic_auth_users:\n  admin: $2b$12$hNf2lSsxfm0.i4a.1kVpSOVyBCfIB51VRjgBUyv6kdnyTlgWj81Ay\n"), 0o600))
	server, err := controlplane.StartPrometheus(t.Context(), address, dir, configuration, func(string) {}, "--web.config.file=web.yml")
	must(t, err)
	defer server.Stop()
	for _, password := range []string{"", "admin:wrong@"} {
		a, err := gpus(t.Context(), cluster.Kubeconfig, "--prometheus", strings.Replace(server.URL(), "://", "://"+password, 1))
		must(t, err)
		if text := a.problem("prometheus"); !strings.Contains(text, "401") || !strings.Contains(text, "passwordFile") || strings.Contains(text, "wrong") {
			t.Errorf("the problem is %q", text)
		}
	}
	measuredBy(t, cluster.Kubeconfig, node, "--prometheus", strings.Replace(server.URL(), "://", "://admin:test@", 1))
}

// foundInCluster reaches the server through a Service, with and without the
// right to do so.
func foundInCluster(t *testing.T, server *controlplane.Prometheus, node string) {
	_, err := cluster.Apply(t.Context(), strings.NewReplacer("PORT", strconv.Itoa(server.Port)).Replace(`
apiVersion: v1
kind: Service
metadata:
  name: prometheus-server
  namespace: prom
  labels: {app.kubernetes.io/name: prometheus, app.kubernetes.io/component: server}
spec: {selector: {app.kubernetes.io/name: prometheus}, ports: [{name: http, port: 80, targetPort: PORT}]}
---
apiVersion: v1
kind: Pod
metadata: {name: prometheus-server-0, namespace: prom, labels: {app.kubernetes.io/name: prometheus}}
spec: {containers: [{name: prometheus-server, image: quay.io/prometheus/prometheus, ports: [{containerPort: PORT}]}]}
`))
	must(t, err)
	at(t, promNamespace, "prometheus-server-0", server.Address)
	t.Cleanup(func() {
		_ = cluster.Clients().CoreV1().Services(promNamespace).Delete(context.Background(), "prometheus-server", metav1.DeleteOptions{})
	})
	measuredBy(t, cluster.Kubeconfig, node)

	reads := []rbacv1.PolicyRule{may("", "pods", "nodes", "services", "events"), may("kubeflow.org", "*")}
	kubeconfig := user(t, "no-proxy", controlplane.Grant{Rules: reads})
	a, err := gpus(t.Context(), kubeconfig)
	must(t, err)
	text := a.problem("prometheus")
	for _, part := range []string{"forbidden", "verb get on services/proxy", "namespace prom", "--prometheus URL"} {
		if !strings.Contains(text, part) {
			t.Errorf("the problem is %q; want %q in it", text, part)
		}
	}
	must(t, cluster.Grant(t.Context(), "no-proxy", "no-proxy-more", controlplane.Grant{
		Namespace: promNamespace, Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"services/proxy"}, Verbs: []string{"get"}}},
	}))
	measuredBy(t, kubeconfig, node)
}

// historyAndRestart follows the server as the screen does.
func historyAndRestart(t *testing.T, server *controlplane.Prometheus, node string) {
	settings := prometheus.Settings{URL: server.URL()}
	endpoint, err := settings.Endpoint()
	must(t, err)
	source := prometheus.New(prometheus.Options{
		Endpoint: endpoint, Past: store.GPUHistory, Every: time.Second, Now: time.Now,
		Pods: func() []prometheus.Pod { return []prometheus.Pod{{Namespace: promNamespace, Name: "watched-worker-0"}} },
	})
	into := store.New(time.Now)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- source.Run(ctx, into) }()
	defer func() {
		stop()
		must(t, <-done)
	}()
	until := func(what string, isSo func(*store.Snapshot) error) {
		t.Helper()
		must(t, cluster.Wait(t.Context(), time.Minute, func(context.Context) error {
			if err := isSo(into.Snapshot()); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			return nil
		}))
	}
	until("the last hour", func(s *store.Snapshot) error {
		past := s.GPUPast(heldGPU, train.GPUUtilization)
		if len(past) < 40 || past[len(past)-1].At.Sub(past[0].At) < 45*time.Minute {
			return fmt.Errorf("%d points: %v; %v", len(past), past, s.Health())
		}
		return nil
	})
	until("nodes and pods", func(s *store.Snapshot) error {
		used := s.NodeUsage(node)
		if used == nil {
			return fmt.Errorf("nothing of node %s; %v", node, s.Health())
		}
		if ports, known := used.Values.Get(train.UsedRDMAPorts); !known || ports != 3 {
			return fmt.Errorf("%v InfiniBand ports", ports)
		}
		for _, pod := range s.PodUsage(promNamespace, "watched-worker-0") {
			if memory, _ := pod.Values.Get(train.UsedMemory); memory == 4<<30 && pod.Container == "pytorch" {
				return nil
			}
		}
		return errors.New("no memory of the pod")
	})
	server.Stop()
	until("while it is away", func(s *store.Snapshot) error {
		if h := healthOf(s, "prometheus"); h.State != train.SourceRetrying || !strings.Contains(h.Text, "connection refused") {
			return fmt.Errorf("its health is %+v", h)
		}
		return nil
	})
	if s := into.Snapshot(); s.GPUState(heldGPU) == nil {
		t.Error("what was known of the GPU is gone with the server")
	}
	back := time.Now()
	must(t, server.Start(t.Context()))
	until("after its restart", func(s *store.Snapshot) error {
		state := s.GPUState(heldGPU)
		if h := healthOf(s, "prometheus"); h.State != train.SourceLive || state == nil || state.At.Before(back) {
			return fmt.Errorf("its health is %+v, and of the GPU one knows %+v", h, state)
		}
		return nil
	})
}

func healthOf(s *store.Snapshot, source string) train.Health {
	for _, h := range s.Health() {
		if h.Source == source {
			return h
		}
	}
	return train.Health{}
}
