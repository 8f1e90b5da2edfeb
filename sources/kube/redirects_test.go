package kube

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// A redirect to another host is not followed, since it would get the token.
func TestCredentialsStayWithTheServer(t *testing.T) {
	var reached atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			reached.Add(1)
		}
	}))
	defer elsewhere.Close()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+"/login", http.StatusFound)
	}))
	defer server.Close()
	c := connectionTo(t, server.URL)
	_, err := c.Core.Get().AbsPath("/api/v1/pods").Do(t.Context()).Raw()
	if err == nil || !strings.Contains(err.Error(), elsewhere.URL+"/login, which is not followed") {
		t.Errorf("objects: the error is %v", err)
	}
	if _, err := openLog(t.Context(), c, train.StreamID{Namespace: "ml", Pod: "a", Container: "c"}, logRequest{}); err == nil {
		t.Error("logs: a redirect to another host was followed")
	}
	if n := reached.Load(); n > 0 {
		t.Errorf("the credentials reached the other host %d times", n)
	}
}

// A part of an answer, as a cache or a proxy gives it with 206, is no answer: a
// list or a log would be taken as whole.
func TestAPartOfAnAnswerIsRefused(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Range", "bytes 0-60/90000")
		w.WriteHeader(http.StatusPartialContent)
		_, _ = w.Write([]byte(`{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}`))
	}))
	defer server.Close()
	c := connectionTo(t, server.URL)
	if _, err := c.Core.Get().AbsPath("/api/v1/pods").Do(t.Context()).Raw(); err == nil || !strings.Contains(err.Error(), "bytes 0-60/90000") {
		t.Errorf("objects: the error is %v", err)
	}
	if _, err := openLog(t.Context(), c, train.StreamID{Namespace: "ml", Pod: "a", Container: "c"}, logRequest{}); err == nil || !strings.Contains(err.Error(), "206") {
		t.Errorf("logs: the error is %v", err)
	}
}

// An answer without content is none of an API server: a log would be taken as empty,
// and read to its end.
func TestAnAnswerWithoutContentIsRefused(t *testing.T) {
	for _, code := range []int{http.StatusNoContent, http.StatusResetContent} {
		inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
			defer s.stop()
			k.end()
			c := logsAnswering(t, s, k, func(w http.ResponseWriter, _ int) { w.WriteHeader(code) })
			p := newLogSink()
			if err := c.Read(t.Context(), p, planned(whole(first))); err != nil {
				t.Error(err)
			}
			wantStream(t, p, first, train.StreamFailed, "pod ml/w", "without content", http.StatusText(code))
		})
		server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }))
		defer server.Close()
		c := connectionTo(t, server.URL)
		if _, err := c.Core.Get().AbsPath("/api/v1/pods").Do(t.Context()).Raw(); err == nil || !strings.Contains(err.Error(), http.StatusText(code)) {
			t.Errorf("objects: the error is %v", err)
		}
		if err := c.Core.Delete().AbsPath("/api/v1/namespaces/ml/pods/w").Do(t.Context()).Error(); err != nil {
			t.Errorf("a change that is answered so: %v", err)
		}
		answer, err := c.GetProxied(t.Context(), "text/plain", "/api/v1/namespaces/ml/pods/w/proxy/metrics")
		if err != nil || answer.StatusCode != code {
			t.Errorf("an exporter's own answer is the error %v", err)
		} else {
			_ = answer.Body.Close()
		}
	}
}

// connectionTo is a connection with a token to a server on loopback.
func connectionTo(t *testing.T, url string) *client.Connection {
	t.Helper()
	empty := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(empty, []byte("apiVersion: v1\nkind: Config\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	flags, token, insecure := genericclioptions.NewConfigFlags(false), "secret", true
	flags.APIServer, flags.BearerToken, flags.KubeConfig, flags.Insecure = &url, &token, &empty, &insecure
	c, err := client.Connect(flags, client.Timeouts{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
