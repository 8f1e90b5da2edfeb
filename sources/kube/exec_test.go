package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/wsstream"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/act"
)

// channels are the streams of a command at the server.
type channels struct {
	stdin         io.Reader
	stdout, ended io.Writer
}

// execServer is an API server with one pod, ml/bert-0, and a handler for
// commands. state is the container's.
func execServer(t testing.TB, state string, exec http.HandlerFunc) *Cluster {
	t.Helper()
	server := httptest.NewServer(execPages(state, exec))
	t.Cleanup(server.Close)
	flags, nothing := genericclioptions.NewConfigFlags(false), filepath.Join(t.TempDir(), "none")
	flags.APIServer, flags.KubeConfig = &server.URL, &nothing
	if err := os.WriteFile(nothing, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := New(Options{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// execPages are the answers of such a server.
func execPages(state string, exec http.HandlerFunc) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/namespaces/ml/pods/bert-0", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"bert-0","namespace":"ml","uid":"u1","annotations":{"kubectl.kubernetes.io/default-container":"trainer"}},
			"spec":{"nodeName":"gpu-7","containers":[{"name":"sidecar"},{"name":"trainer"}]},"status":{"phase":"Running","containerStatuses":[{"name":"trainer","state":%s}]}}`, state)
	})
	mux.HandleFunc("/api/v1/namespaces/ml/pods/bert-0/exec", exec)
	return mux
}

const running = `{"running":{"startedAt":"2026-11-20T08:00:00Z"}}`

// answering implements the protocol of commands over WebSocket.
func answering(t testing.TB, do func(r *http.Request, c channels)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		out := wsstream.WriteChannel
		conn := wsstream.NewConn(map[string]wsstream.ChannelProtocolConfig{"v5.channel.k8s.io": {
			Binary: true, Channels: []wsstream.ChannelType{wsstream.ReadChannel, out, out, out, wsstream.ReadChannel},
		}})
		_, streams, err := conn.Open(w, r)
		if err != nil {
			t.Errorf("the client does not speak the protocol: %v", err)
			return
		}
		do(r, channels{stdin: streams[0], stdout: streams[1], ended: streams[3]})
		_ = conn.Close()
	}
}

func ends(c channels, status string) { _, _ = io.WriteString(c.ended, status) }

func execute(t testing.TB, ctx context.Context, c *Cluster, command ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := c.Execute(ctx, actions.Exec{Container: actions.Container{Namespace: "ml", Pod: "bert-0", PodUID: "u1"}, Command: command, Stdout: &out})
	return out.String(), err
}

func wantFailure(t *testing.T, err error, kind actions.FailureKind, words ...string) {
	t.Helper()
	var failure *actions.Failure
	if !errors.As(err, &failure) || failure.Kind != kind {
		t.Fatalf("%T %v, want %q", err, err, kind)
	}
	for _, word := range words {
		if !strings.Contains(failure.Text, word) {
			t.Errorf("%q has no %q", failure.Text, word)
		}
	}
}

// Arguments are passed unchanged, to the container that kubectl would use.
func TestExecuteSendsArguments(t *testing.T) {
	c := execServer(t, running, answering(t, func(r *http.Request, c channels) {
		_, _ = fmt.Fprintf(c.stdout, "%s %q", r.URL.Query().Get("container"), r.URL.Query()["command"])
		ends(c, `{"status":"Success"}`)
	}))
	out, err := execute(t, t.Context(), c, "echo", "a b;", "$(x)", "")
	if err != nil || out != `trainer ["echo" "a b;" "$(x)" ""]` {
		t.Errorf("%s, %v", out, err)
	}
}

// How commands end with runtimes other than containerd.
func TestExecuteEndings(t *testing.T) {
	exit := func(code string) string {
		return `{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"` + code + `"}]}}`
	}
	for name, c := range map[string]struct {
		prints, status string
		kind           actions.FailureKind
		words          string
	}{
		"crun through CRI-O":    {"executable file `nvidia-smi` not found in $PATH: No such file or directory\n", exit("255"), actions.NoProgram, "the container has no nvidia-smi"},
		"Docker":                {"OCI runtime exec failed: exec failed: exec: \"nvidia-smi\": permission denied: unknown\n", exit("126"), actions.NoProgram, "cannot be executed"},
		"a dead node":           {"", `{"status":"Failure","message":"Internal error occurred: error sending request: dial tcp 10.0.0.7:10250: i/o timeout"}`, actions.Other, "the kubelet of node gpu-7 does not answer the API server: error sending request"},
		"a container that left": {"", `{"status":"Failure","message":"container is in CONTAINER_EXITED state"}`, actions.NotRunning, "does not run"},
		"words nobody knows":    {"", `{"status":"Failure","message":"Internal error occurred: \u001b[31mbad\n moon"}`, actions.Other, "nvidia-smi in pod ml/bert-0, container trainer: bad moon"},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := execServer(t, running, answering(t, func(_ *http.Request, to channels) {
				_, _ = io.WriteString(to.stdout, c.prints)
				ends(to, c.status)
			}))
			_, err := execute(t, t.Context(), cluster, "nvidia-smi")
			wantFailure(t, err, c.kind, c.words)
		})
	}
}

func TestExecuteLooksAtThePodFirst(t *testing.T) {
	c := execServer(t, `{"waiting":{"reason":"CrashLoopBackOff"}}`, func(http.ResponseWriter, *http.Request) {
		t.Error("a command was sent to a container that does not run")
	})
	_, err := execute(t, t.Context(), c, "true")
	wantFailure(t, err, actions.NotRunning, "CrashLoopBackOff")
	err = c.Execute(t.Context(), actions.Exec{Container: actions.Container{Namespace: "../x", Pod: "bert-0"}, Command: []string{"true"}})
	wantFailure(t, err, actions.Invalid)
}

// A server that accepts the request and never answers blocks nobody.
func TestExecuteIsLeftWhileTheServerIsSilent(t *testing.T) {
	asked, quit := make(chan struct{}), make(chan struct{})
	c := execServer(t, running, func(http.ResponseWriter, *http.Request) { close(asked); <-quit })
	defer close(quit)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	began := time.Now()
	_, err := execute(t, ctx, c, "true")
	wantFailure(t, err, actions.Cancelled)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}

// After the call nothing more is written, although the other end continues.
func TestExecuteWritesNothingAfterwards(t *testing.T) {
	c := execServer(t, running, answering(t, func(_ *http.Request, c channels) {
		for {
			if _, err := io.WriteString(c.stdout, "more\n"); err != nil {
				return
			}
		}
	}))
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	var out bytes.Buffer // the race detector reports late writes
	err := c.Execute(ctx, actions.Exec{Container: actions.Container{Namespace: "ml", Pod: "bert-0"}, Command: []string{"yes"}, Stdout: &out})
	wantFailure(t, err, actions.TooLate, "did not end within")
	length := out.Len()
	time.Sleep(20 * time.Millisecond)
	if out.Len() != length {
		t.Error("something was written after the end")
	}
}

func TestWorthSPDY(t *testing.T) {
	refused := func(code int, message string) error {
		return &httpstream.UpgradeFailureError{Cause: &apierrors.StatusError{ErrStatus: metav1.Status{Code: int32(code), Message: message, Reason: reasons[code]}}}
	}
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"no WebSocket":              {&httpstream.UpgradeFailureError{Cause: errors.New("websocket: bad handshake (400 Bad Request)")}, true},
		"no right to get pods/exec": {refused(http.StatusForbidden, "cannot get resource"), true},
		"an old proxy":              {errors.New("proxy: unknown scheme: https"), true},
		"no such pod":               {refused(http.StatusNotFound, "not found"), false},
		"a login that expired":      {refused(http.StatusUnauthorized, "Unauthorized"), false},
		"a dead node":               {refused(http.StatusInternalServerError, "error dialing backend: dial tcp 10.0.0.7:10250: i/o timeout"), false},
		"a break in the middle":     {errors.New("error reading from error stream: EOF"), false},
	} {
		if have := act.WorthSPDY(c.err); have != c.want {
			t.Errorf("%s: %t, want %t", name, have, c.want)
		}
	}
}

var reasons = map[int]metav1.StatusReason{
	http.StatusForbidden: metav1.StatusReasonForbidden, http.StatusNotFound: metav1.StatusReasonNotFound,
	http.StatusUnauthorized: metav1.StatusReasonUnauthorized, http.StatusInternalServerError: metav1.StatusReasonInternalError,
}

// The gate passes a command's output without copying it.
func BenchmarkExecGate(b *testing.B) {
	out := act.NewCallerStreams(actions.Exec{}).Options(b.Context()).Stdout
	chunk := make([]byte, 32<<10)
	b.SetBytes(int64(len(chunk)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := out.Write(chunk); err != nil {
			b.Fatal(err)
		}
	}
}

// A proxy that passes on questions and no stream is named by the failure of a command
// and of a port, as it is where a list fails; not where a server behind it answers.
func TestAProxyThatPassesOnNoStreamIsNamed(t *testing.T) {
	for name, stream := range map[string]http.HandlerFunc{
		"refuses": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"a login": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusProxyAuthRequired) },
		"closes":  func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			pages := execPages(running, http.NotFound)
			proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodConnect {
					stream(w, r)
					return
				}
				pages.ServeHTTP(w, r)
			}))
			defer proxy.Close()
			proxy.Config.ErrorLog = log.New(io.Discard, "", 0)
			path := filepath.Join(t.TempDir(), "config")
			text := "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: 'http://cluster.invalid', proxy-url: '" + strings.Replace(proxy.URL, "http://", "http://ada:s3cr3t@", 1) + "'}}]\n"
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			flags := genericclioptions.NewConfigFlags(false)
			flags.KubeConfig = &path
			c, err := New(Options{Flags: flags})
			if err != nil {
				t.Fatal(err)
			}
			_, execErr := execute(t, t.Context(), c, "nvidia-smi")
			_, forwardErr := c.Forward(t.Context(), actions.Forward{Namespace: "ml", Pod: "bert-0", Remote: 6006})
			for _, err := range []error{execErr, forwardErr} {
				var failure *actions.Failure
				if !errors.As(err, &failure) || strings.Count(failure.Text, "it was asked through the proxy "+proxy.URL+", which proxy-url in the kubeconfig names") != 1 || strings.Contains(failure.Text, "s3cr3t") {
					t.Errorf("%v", err)
				}
			}
		})
	}
}
