package kube

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// TestMoreLogsThanAConnectionTakes follows 250 logs of a server that accepts
// 20 concurrent requests on one HTTP/2 connection. All are followed, over more
// connections, none of which is the one of the watches.
func TestMoreLogsThanAConnectionTakes(t *testing.T) {
	const many, atOnce = 250, 20
	var mu sync.Mutex
	ofLogs, ofOthers := map[string]bool{}, map[string]bool{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isLog := r.URL.Query().Has("container")
		mu.Lock()
		if isLog {
			ofLogs[r.RemoteAddr] = true
		} else {
			ofOthers[r.RemoteAddr] = true
		}
		mu.Unlock()
		if !isLog {
			fmt.Fprint(w, `{"kind":"List"}`)
			return
		}
		fmt.Fprintf(w, "2026-11-20T08:50:00.000000001Z of %s\n", r.URL.Query().Get("container"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	server.EnableHTTP2 = true
	server.Config.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: atOnce}
	server.StartTLS()
	t.Cleanup(server.Close)

	plan := &streams.Plan{Most: many}
	for i := range many {
		plan.Chosen = append(plan.Chosen, streams.Chosen{Whole: true, ID: train.StreamID{Namespace: "ml", Pod: "w", Container: fmt.Sprint("c", i)}})
	}
	p := followOver(t, server, plan)
	for late := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		p.mu.Lock()
		n := len(p.lines)
		p.mu.Unlock()
		if n == many {
			break
		}
		if time.Now().After(late) {
			t.Fatalf("%d of %d logs are followed", n, many)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(ofLogs) < many/atOnce {
		t.Errorf("%d connections carry %d logs: the limit of %d is not kept", len(ofLogs), many, atOnce)
	}
	for address := range ofOthers {
		if ofLogs[address] {
			t.Errorf("logs and watches share the connection from %s", address)
		}
	}
}

// followOver follows a plan of a TLS server until the test ends.
func followOver(t *testing.T, server *httptest.Server, plan *streams.Plan) *logSink {
	t.Helper()
	flags := genericclioptions.NewConfigFlags(false)
	empty, insecure := t.TempDir()+"/config", true
	writeFile(t, empty, "apiVersion: v1\nkind: Config\n")
	flags.APIServer, flags.Insecure, flags.KubeConfig = &server.URL, &insecure, &empty
	c, err := New(Options{Flags: flags, Kinds: []kinds.Kind{}})
	if err != nil {
		t.Fatal(err)
	}
	p := newLogSink()
	c.Stream(plan)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = c.Run(ctx, p) })
	t.Cleanup(func() { cancel(); running.Wait() })
	return p
}

// TestGathersLines counts how often a stream wakes up for lines that arrive
// separately, a thousand a second.
func TestGathersLines(t *testing.T) {
	const lines = 2000
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !r.URL.Query().Has("container") {
			fmt.Fprint(w, `{"kind":"List"}`)
			return
		}
		for i := range lines {
			fmt.Fprintf(w, "%s step %d\n", time.Now().UTC().Format(time.RFC3339Nano), i)
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
		<-r.Context().Done()
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	id := train.StreamID{Namespace: "ml", Pod: "w", Container: "c"}
	p := followOver(t, server, planned(whole(id)))
	for late := time.Now().Add(30 * time.Second); p.count(id) < lines; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("%d lines of %d were told", p.count(id), lines)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.applied > lines/8 {
		t.Errorf("%d lines came in %d events; they are not gathered", lines, p.applied)
	}
}
