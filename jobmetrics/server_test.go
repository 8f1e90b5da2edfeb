package jobmetrics

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/traintop/traintop/train"
)

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestReadyOnceSettled(t *testing.T) {
	l := newLab(t, Options{})
	server := httptest.NewServer(l.exporter.Handler())
	defer server.Close()
	if status, _ := get(t, server.URL+"/healthz"); status != http.StatusOK {
		t.Errorf("/healthz is %d", status)
	}
	if status, text := get(t, server.URL+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(text, "not all sources") {
		t.Errorf("before the first snapshot /readyz is %d %s", status, text)
	}
	l.observe()
	if status, _ := get(t, server.URL+"/readyz"); status != http.StatusOK {
		t.Errorf("/readyz is %d", status)
	}
	status, text := get(t, server.URL+"/metrics")
	for _, want := range []string{"traintop_ready 1\n", "go_goroutines ", "process_start_time_seconds ", "promhttp_metric_handler_errors_total"} {
		if status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("/metrics is %d without %q", status, want)
		}
	}
	if status, _ := get(t, server.URL+"/other"); status != http.StatusNotFound {
		t.Errorf("/other is %d", status)
	}
}

func TestAPortThatIsTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	err = New(Options{}).Serve(t.Context(), taken.Addr().String())
	for _, want := range []string{"listening at " + taken.Addr().String(), "address already in use", "choose another address"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q in it", err, want)
		}
	}
	for _, address := range []string{"9464", "no such host.invalid:9464", "127.0.0.1:99999"} {
		if err := New(Options{}).Serve(t.Context(), address); err == nil || !strings.Contains(err.Error(), "such as :9464") {
			t.Errorf("of the address %q is said %v", address, err)
		}
	}
}

// Where the system chooses the port, it is reported.
func TestAPortThatTheSystemChooses(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "127.0.0.1:"} {
		said := make(chan string, 1)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- New(Options{Log: log.New(writes(said), "", 0)}).Serve(ctx, address)
		}()
		text := <-said
		_, at, found := strings.Cut(text, "served at ")
		if connection, err := net.Dial("tcp", strings.TrimSpace(at)); !found || err != nil {
			t.Errorf("%s: it says %q: %v", address, text, err)
		} else {
			_ = connection.Close()
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

type writes chan string

func (w writes) Write(text []byte) (int, error) {
	w <- string(text)
	return len(text), nil
}

// A scrape under way is answered when the server ends, and nothing is left.
func TestServeEndsInOrder(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	l := newLab(t, Options{}).observe()
	listener, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.exporter.ServeListener(ctx, listener) }()
	status, text := get(t, fmt.Sprintf("http://%s/metrics", listener.Addr()))
	if status != http.StatusOK || !strings.Contains(text, "traintop_ready 1") {
		t.Errorf("a scrape is answered %d", status)
	}
	http.DefaultClient.CloseIdleConnections()
	stop()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(shutdownTime + time.Second):
		t.Fatal("it does not end")
	}
	if _, err := net.DialTimeout("tcp", listener.Addr().String(), time.Second); err == nil {
		t.Error("it still listens")
	}
}

// Scrapes read while snapshots come, each of them a page of one snapshot.
func TestScrapesBesideSnapshots(t *testing.T) {
	l, bert := small(t)
	server := httptest.NewServer(l.exporter.Handler())
	defer server.Close()
	l.exporter.options.Now = nil // the lab's clock is for one goroutine
	stop := make(chan struct{})
	var scrapes sync.WaitGroup
	for range 4 {
		scrapes.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				response, err := http.Get(server.URL + "/metrics")
				if err != nil {
					t.Error(err)
					return
				}
				text, _ := io.ReadAll(response.Body)
				_ = response.Body.Close()
				if response.StatusCode != http.StatusOK || !strings.Contains(string(text), `traintop_job_step{job_name="bert"`) {
					t.Errorf("a scrape is answered %d:\n%s", response.StatusCode, text)
					return
				}
			}
		})
	}
	for step := range 50 {
		l.now = l.now.Add(time.Second)
		l.print(bert, 0, float64(130+step), metric(train.MetricLoss, 2))
		l.observe()
	}
	close(stop)
	scrapes.Wait()
}
