package kube

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// measurements is a picture that also keeps measurements.
type measurements struct {
	*picture
	mu       sync.Mutex
	measured map[string]store.Measured // by source, those with readings
	all      []store.Measured
	used     []store.Used
	places   []store.Placed
}

func (m *measurements) Apply(events ...store.Event) {
	m.picture.Apply(events...)
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, event := range events {
		switch e := event.(type) {
		case store.Measured:
			m.all = append(m.all, e)
			m.measured[e.Source] = e
			if len(e.Readings) == 0 {
				delete(m.measured, e.Source)
			}
		case store.Used:
			m.used = append(m.used, e)
		case store.Placed:
			m.places = append(m.places, e)
		}
	}
}

func (m *measurements) of(source string) (store.Measured, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, found := m.measured[source]
	return e, found
}

func (m *measurements) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.measured)
}

func (m *measurements) newestUse(t *testing.T) store.Used {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.used) == 0 {
		t.Fatal("nothing was said of what is used")
	}
	return m.used[len(m.used)-1]
}

// measure follows the cluster and scrapes every 15 s, until the test ends.
func measure(t *testing.T, s *apiServer, change func(*Options)) (*Cluster, *measurements) {
	t.Helper()
	o := Options{Flags: s.flags(), Kinds: []kinds.Kind{pyTorchJob}, Exporters: 15 * time.Second}
	if change != nil {
		change(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	m := &measurements{picture: newPicture(), measured: map[string]store.Measured{}}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx, m) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run returned %v", err)
		}
		s.stop()
	})
	pass(0)
	return c, m
}

// behind holds the servers behind the API server's pod proxy.
type behind struct {
	mu      sync.Mutex
	answers map[string]http.HandlerFunc // by "namespace/pod"
	asked   map[string]int
	when    []time.Time
	paths   []string
	// now and most count concurrent requests.
	now, most int
}

// proxies makes the server proxy to registered handlers.
func proxies(s *apiServer) *behind {
	b := &behind{answers: map[string]http.HandlerFunc{}, asked: map[string]int{}}
	s.intercept(b.serve)
	return b
}

func (b *behind) answer(pod string, with http.HandlerFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers[pod] = with
}

func (b *behind) serve(w http.ResponseWriter, r *http.Request) bool {
	rest, isPod := strings.CutPrefix(r.URL.Path, "/api/v1/namespaces/")
	target, _, isProxy := strings.Cut(rest, "/proxy")
	if !isPod || !isProxy {
		return false
	}
	namespace, pod, _ := strings.Cut(target, "/pods/")
	pod = strings.TrimPrefix(pod, "https:")
	pod, _, _ = strings.Cut(pod, ":")
	key := namespace + "/" + pod
	b.mu.Lock()
	b.asked[key]++
	b.when = append(b.when, time.Now())
	b.paths = append(b.paths, r.URL.Path)
	b.now++
	answer := b.answers[key]
	b.mu.Unlock()
	time.Sleep(time.Nanosecond) // a request abandoned at this instant is over by then
	b.mu.Lock()
	b.most = max(b.most, b.now)
	b.mu.Unlock()
	if answer == nil {
		refuseWith(w, 503, "ServiceUnavailable", "error trying to reach service: dial tcp 10.0.0.9:9400: connect: connection refused")
	} else {
		answer(w, r)
	}
	b.mu.Lock()
	b.now--
	b.mu.Unlock()
	return true
}

func (b *behind) times(pod string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked[pod]
}

// asks returns the paths of all requests so far.
func (b *behind) asks() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.paths)
}

// atMost returns the largest number of concurrent requests.
func (b *behind) atMost() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.most
}

func (b *behind) since(begin time.Time) []time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.when), func(at time.Time) bool { return at.Before(begin) })
}

// recorded returns an exporter's page from the samples of sources/metrics,
// whose README names the origin of each.
func recorded(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../metrics/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = w.Write([]byte(text))
	}
}

// hangs never answers.
func hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// dcgmPod is a pod of the GPU operator's exporter, as
// assets/state-dcgm-exporter of gpu-operator 25.3 creates it, cut to the
// relevant fields.
func dcgmPod(node string) map[string]any {
	return map[string]any{
		"kind": "Pod", "apiVersion": "v1",
		"metadata": map[string]any{"labels": map[string]any{"app": "nvidia-dcgm-exporter"}},
		"spec": map[string]any{"nodeName": node, "containers": []any{map[string]any{
			"name": "nvidia-dcgm-exporter", "image": "nvcr.io/nvidia/k8s/dcgm-exporter:4.2.3-4.1.3-ubuntu22.04",
			"ports": []any{map[string]any{"name": "metrics", "containerPort": 9400, "protocol": "TCP"}},
		}}},
		"status": map[string]any{"phase": "Running", "podIP": "10.0.0.9"},
	}
}

const operatorPods = "/api/v1/namespaces/gpu-operator/pods/"

// putExporters creates pods dcgm-0 ... on nodes gpu-0 ...
func putExporters(s *apiServer, n int) {
	for i := range n {
		s.put(fmt.Sprintf("%sdcgm-%d", operatorPods, i), dcgmPod(fmt.Sprintf("gpu-%d", i)))
	}
}

func wantHealth(t *testing.T, m *measurements, source string, want train.SourceState, words ...string) train.Health {
	t.Helper()
	h := m.state(source)
	if h.State != want {
		t.Errorf("%s is %q (%s), want %q", source, h.State, h.Text, want)
	}
	for _, word := range words {
		if !strings.Contains(h.Text, word) {
			t.Errorf("%s says %q, want %q in it", source, h.Text, word)
		}
	}
	return h
}
