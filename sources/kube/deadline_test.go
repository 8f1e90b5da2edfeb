package kube

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// misbehaviour is a faulty answer, which lasts until the request is abandoned.
type misbehaviour func(w http.ResponseWriter, r *http.Request)

func neverAnswers(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func hangsAfterHeaders(w http.ResponseWriter, r *http.Request) {
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

func drips(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		io.WriteString(w, " ")
		w.(http.Flusher).Flush()
		client.Sleep(r.Context(), 100*time.Millisecond)
	}
}

// dripsBlanks sends so many blanks that the answer is not slow by its bytes.
func dripsBlanks(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"kind":"List","items":[`)
	for r.Context().Err() == nil {
		io.WriteString(w, strings.Repeat(" ", 40<<10))
		w.(http.Flusher).Flush()
		client.Sleep(r.Context(), time.Second)
	}
}

func at(path string, how misbehaviour) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == path {
			how(w, r)
		}
		return r.URL.Path == path
	}
}

// TestLateLists: a list that does not come is reported, and the others are
// read.
func TestLateLists(t *testing.T) {
	tests := []struct {
		name, timeout string
		how           misbehaviour
		within        time.Duration
		text          string
	}{
		{"hangs", "", neverAnswers, client.ReadLimit, "reading services: no answer in 15s; --request-timeout waits longer"},
		{"hangs after headers", "", hangsAfterHeaders, client.ReadLimit, "reading services: the answer stopped before its end: nothing more in 15s; --request-timeout waits longer"},
		{"drips", "", drips, client.ReadLimit + time.Second, "reading services: the answer stopped before its end: nothing more in 15s; --request-timeout waits longer"},
		{"drips blanks", "", dripsBlanks, client.ObjectLimit + 3*time.Second, "reading services: the list brought no further object in 30s; --request-timeout waits longer"},
		{"hangs, 5 s", "5s", neverAnswers, 5 * time.Second, "reading services: no answer in 5s; --request-timeout waits longer"},
		{"hangs after headers, 5 s", "5", hangsAfterHeaders, 5 * time.Second, "reading services: no complete answer in 5s; --request-timeout waits longer"},
		{"drips, 5 s", "5000ms", drips, 5 * time.Second, "reading services: no complete answer in 5s; --request-timeout waits longer"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.put(podsPath+"a", pod())
				s.intercept(at("/api/v1/services", test.how))
				_, p := run(t, s, func(o *Options) { *o.Flags = *s.flags(); o.Flags.Timeout = &test.timeout })
				pass(test.within + time.Second)
				h := p.state("kube/services")
				if h.State != train.SourceRetrying || h.Text != test.text {
					t.Errorf("services are %s, %q, want %q", h.State, h.Text, test.text)
				}
				wantState(t, p, "kube", train.SourceLive)
				wantState(t, p, "kube/pods", train.SourceLive)
				if !p.settled() {
					t.Error("an answer would still be waited for")
				}
			})
		})
	}
}

// TestEndless: --request-timeout=0 waits.
func TestEndless(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.intercept(at("/api/v1/services", neverAnswers))
		_, p := run(t, s, func(o *Options) { o.Endless = true })
		pass(10 * time.Minute)
		wantState(t, p, "kube/services", train.SourceListing)
	})
}

// TestLateAnswerHeals: a late answer is requested again.
func TestLateAnswerHeals(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.intercept(at("/api/v1/services", neverAnswers))
		_, p := run(t, s, nil)
		pass(client.ReadLimit + time.Second)
		wantState(t, p, "kube/services", train.SourceRetrying)
		s.intercept(nil)
		pass(client.ReadLimit + time.Minute)
		wantState(t, p, "kube/services", train.SourceLive)
	})
}

// TestDiscoveryFails: resources that need no discovery are read, and the
// missing ones are reported.
func TestDiscoveryFails(t *testing.T) {
	refuses := func(w http.ResponseWriter, _ *http.Request) {
		refuseWith(w, http.StatusForbidden, "Forbidden", `forbidden: User "eve" cannot get path "/apis"`)
	}
	tests := []struct {
		name  string
		how   misbehaviour
		state train.SourceState
		texts []string
	}{
		{"refused", refuses, train.SourceForbidden, []string{"was refused", `User "eve"`, "system:discovery", "jobs of operators", "pods, nodes and events are read"}},
		{"hangs", neverAnswers, train.SourceRetrying, []string{"no answer in 15s", "jobs of operators", "pods, nodes and events are read"}},
		{"broken", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }, train.SourceRetrying, []string{"jobs of operators"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.serve(servePyTorch, true)
				s.put(podsPath+"a", pod())
				s.intercept(at("/apis", test.how))
				_, p := run(t, s, nil)
				pass(client.ReadLimit + time.Second)
				h := p.state("kube/apis")
				for _, text := range test.texts {
					if h.State != test.state || !strings.Contains(h.Text, text) {
						t.Errorf("discovery is %s, %q, want %q", h.State, h.Text, text)
					}
				}
				wantState(t, p, "kube", train.SourceLive)
				wantState(t, p, "kube/pods", train.SourceLive)
				s.intercept(nil)
				pass(2 * time.Minute)
				wantState(t, p, "kube/pytorchjobs.kubeflow.org", train.SourceLive)
				wantState(t, p, "kube/apis", "")
			})
		})
	}
}

// TestServerHangs: a server that accepts connections and never answers.
func TestServerHangs(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool { neverAnswers(w, r); return true })
		_, p := run(t, s, nil)
		pass(client.ProbeLimit + time.Second)
		h := p.state("kube")
		if want := "no answer from http://cluster.example:6443 in 10s; --request-timeout waits longer"; h.State != train.SourceRetrying || h.Text != want {
			t.Errorf("the cluster is %s, %q, want %q", h.State, h.Text, want)
		}
	})
}

// deaf is a transport that ignores deadlines, like one with a hanging
// credential plugin.
type deaf chan struct{}

func (d deaf) RoundTrip(*http.Request) (*http.Response, error) {
	<-d
	return nil, context.Canceled
}

func TestGivesUpOnADeafTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hung := make(deaf)
		began := time.Now()
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://cluster.example/api/v1/pods", http.NoBody)
		_, err := (&client.TimedTransport{Next: hung}).RoundTrip(request)
		if took := time.Since(began); !client.IsLate(err) || took > client.ReadLimit+client.AbandonAfter {
			t.Errorf("%v after %s", err, took)
		}
		close(hung)
		synctest.Wait()
	})
}

// TestSlowReaderIsNotLate: only time spent waiting for the server counts.
func TestSlowReaderIsNotLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := client.NewAnswerWait(t.Context(), client.Deadlines{Silence: time.Second})
		body := &client.TimedBody{ReadCloser: io.NopCloser(strings.NewReader(strings.Repeat("x", 100))), Wait: w}
		buffer := make([]byte, 1)
		for range 100 {
			if _, err := body.Read(buffer); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
		body.Close()
	})
}

func TestDeadlinesOfRequests(t *testing.T) {
	tests := []struct {
		method, path string
		patience     client.Timeouts
		want         client.Deadlines
	}{
		{"GET", "/api/v1/pods", client.Timeouts{}, client.Deadlines{Begin: client.ReadLimit, Silence: client.ReadLimit}},
		{"GET", "/api/v1/pods?watch=true&timeoutSeconds=300", client.Timeouts{}, client.Deadlines{Begin: client.WatchLimit, Whole: 6 * time.Minute}},
		{"GET", "/api/v1/pods?watch=1", client.Timeouts{Timeout: time.Second}, client.Deadlines{Begin: time.Second}},
		{"GET", podsPath + "w/log", client.Timeouts{}, client.Deadlines{Begin: client.LogLimit, Silence: client.LogLimit}},
		{"GET", podsPath + "w/log", client.Timeouts{Timeout: time.Second}, client.Deadlines{Whole: time.Second}},
		{"GET", podsPath + "w/log?follow=true", client.Timeouts{Timeout: time.Second}, client.Deadlines{}},
		{"PATCH", podsPath + "w", client.Timeouts{}, client.Deadlines{Begin: client.ChangeLimit, Silence: client.ReadLimit}},
		{"GET", "/api/v1/pods", client.Timeouts{Endless: true}, client.Deadlines{}},
	}
	for _, test := range tests {
		request, _ := http.NewRequest(test.method, "http://x"+test.path, http.NoBody)
		if got := test.patience.Of(request); got != test.want {
			t.Errorf("%s %s with %v: %v, want %v", test.method, test.path, test.patience, got, test.want)
		}
	}
}

func TestRequestTimeoutIsReadAsKubectlDoes(t *testing.T) {
	for text, want := range map[string]string{"0": "0s", "5": "5s", "5s": "5s", "1m30s": "1m30s", "500ms": "500ms", "-5": "error", "-5s": "error", "soon": "error", "": "error", "5 s": "error"} {
		got := "error"
		if limit, err := client.RequestTimeout(text); err == nil {
			got = fmt.Sprint(limit)
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// TestBlanksOfPages: a list that is decoded only when complete is also limited
// by its objects.
func TestBlanksOfPages(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		s.intercept(at(jobsList, dripsBlanks))
		_, p := run(t, s, nil)
		pass(client.ObjectLimit + 3*time.Second)
		h := p.state("kube/pytorchjobs.kubeflow.org")
		if want := "no further object in 30s"; h.State != train.SourceRetrying || !strings.Contains(h.Text, want) {
			t.Errorf("the jobs are %s, %q, want %q", h.State, h.Text, want)
		}
	})
}

// TestObjectsKeepAListAlive: a server that sends one object after the other is
// not late.
func TestObjectsKeepAListAlive(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		s.intercept(at(jobsList, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("watch") != "" {
				<-r.Context().Done()
				return
			}
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"kind":"PyTorchJobList","apiVersion":"kubeflow.org/v1","metadata":{"resourceVersion":"7"},"items":[`)
			for i := range 6 {
				fmt.Fprintf(w, `{"kind":"PyTorchJob","apiVersion":"kubeflow.org/v1","metadata":{"namespace":"ml","name":"j%d","uid":"u%d","resourceVersion":"7","annotations":{"a":"\"}]%s"}}},`,
					i, i, strings.Repeat("x", 64<<10))
				w.(http.Flusher).Flush()
				client.Sleep(r.Context(), 12*time.Second)
			}
			io.WriteString(w, `{"kind":"PyTorchJob","apiVersion":"kubeflow.org/v1","metadata":{"namespace":"ml","name":"last","uid":"l","resourceVersion":"7"}}]}`)
		}))
		_, p := run(t, s, nil)
		pass(80 * time.Second)
		wantState(t, p, "kube/pytorchjobs.kubeflow.org", train.SourceLive)
	})
}
