// Package exporters plays exporters of GPU metrics: HTTP servers on an address
// of this machine that the API server's proxies lead to, with a recorded page
// whose GPUs, pods and values a test chooses and changes.
package exporters

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Address is an address of this machine that the API server's proxies reach:
// they refuse loopback and link-local ones (k8s.io/apimachinery 0.36,
// util/proxy). It fails when the machine has none.
func Address() (string, error) {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return "", fmt.Errorf("look for an address of this machine: %w", err)
	}
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok && network.IP.To4() != nil && network.IP.IsGlobalUnicast() {
			return network.IP.String(), nil
		}
	}
	return "", errors.New("this machine has no address but loopback, to which the API server's proxies do not go")
}

// Exporter is one exporter. Its methods may be called from several goroutines.
type Exporter struct {
	// Host and Port are where it listens.
	Host string
	Port int

	mu     sync.Mutex
	page   func() string
	delay  time.Duration
	asked  int
	server *http.Server
}

// Start starts an exporter that answers with page, called for each scrape.
func Start(page func() string) (*Exporter, error) {
	host, err := Address()
	if err != nil {
		return nil, err
	}
	e := &Exporter{Host: host, page: page}
	return e, e.Resume()
}

// Resume starts a stopped exporter again at its old port.
func (e *Exporter) Resume() error {
	listener, err := net.Listen("tcp", net.JoinHostPort(e.Host, strconv.Itoa(e.Port)))
	if err != nil {
		return fmt.Errorf("start an exporter: %w", err)
	}
	server := &http.Server{Handler: e, ReadHeaderTimeout: 10 * time.Second}
	e.mu.Lock()
	e.Port, e.server = listener.Addr().(*net.TCPAddr).Port, server
	e.mu.Unlock()
	go func() { _ = server.Serve(listener) }() // ends with Stop
	return nil
}

// Stop ends it as a crash would: connections break, and nothing listens.
func (e *Exporter) Stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	_ = e.server.Close()
}

// Answer replaces the page.
func (e *Exporter) Answer(page func() string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.page = page
}

// Delay makes every answer take so long from now on.
func (e *Exporter) Delay(d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.delay = d
}

// Asked is the number of scrapes.
func (e *Exporter) Asked() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.asked
}

// ServeHTTP implements http.Handler.
func (e *Exporter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/metrics" {
		http.NotFound(w, r)
		return
	}
	e.mu.Lock()
	e.asked++
	page, delay := e.page, e.delay
	e.mu.Unlock()
	if !pause(r.Context(), delay) {
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write([]byte(page()))
}

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// GPU is one GPU of a page.
type GPU struct {
	Index, UUID string
	// Namespace, Pod and Container hold it; all "" leaves these labels out, as
	// an exporter does that does not know the pods.
	Namespace, Pod, Container string
	// Values replaces recorded values, by DCGM's name of the field.
	Values map[string]float64
}

// recordedPage is a real page; see its first lines.
//
//go:embed testdata/dcgm-t4.prom
var recordedPage string

var (
	gpuLabels = regexp.MustCompile(`gpu="[^"]*",UUID="[^"]*"`)
	podLabels = regexp.MustCompile(`,container="[^"]*",namespace="[^"]*",pod="[^"]*"`)
)

// DCGM is the recorded page of dcgm-exporter, with these GPUs in it.
func DCGM(gpus ...GPU) string {
	var page strings.Builder
	for line := range strings.Lines(recordedPage) {
		name, _, isSample := strings.Cut(line, "{")
		if !isSample || strings.HasPrefix(line, "#") {
			page.WriteString(line)
			continue
		}
		for _, gpu := range gpus {
			page.WriteString(gpu.sample(name, line))
		}
	}
	return page.String()
}

func (g *GPU) sample(name, line string) string {
	line = gpuLabels.ReplaceAllLiteralString(line, fmt.Sprintf("gpu=%q,UUID=%q", g.Index, g.UUID))
	holder := ""
	if g.Pod != "" {
		holder = fmt.Sprintf(",container=%q,namespace=%q,pod=%q", g.Container, g.Namespace, g.Pod)
	}
	line = podLabels.ReplaceAllLiteralString(line, holder)
	if value, given := g.Values[name]; given {
		end := strings.LastIndex(line, "} ")
		line = line[:end+2] + strconv.FormatFloat(value, 'f', -1, 64) + "\n"
	}
	return line
}
