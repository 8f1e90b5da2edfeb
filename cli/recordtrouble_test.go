package cli

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// kubeconfigOf is a kubeconfig of a server.
func kubeconfigOf(t *testing.T, server string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	text := "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n" +
		"clusters: [{name: c, cluster: {server: " + server + "}}]\nusers: [{name: u, user: {token: t}}]\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRecordSaysThatNothingCanBeRead: a server that is not there, and servers
// that refuse or fail.
func TestRecordSaysThatNothingCanBeRead(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := "http://" + free.Addr().String()
	_ = free.Close()
	servers := map[string]string{"refused": refused}
	for name, code := range map[string]int{"401": http.StatusUnauthorized, "403": http.StatusForbidden, "500": http.StatusInternalServerError} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", code) }))
		t.Cleanup(server.Close)
		servers[name] = server.URL
	}
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "a.ttrec")
			var messages lockedText
			code := (&app{in: strings.NewReader(""), out: io.Discard, err: &messages, clock: time.Now}).run(t.Context(), []string{"record", "-o", path, "--for", "3s", "--kubeconfig", kubeconfigOf(t, server)})
			said := messages.String()
			if code != exitFailed || !strings.Contains(said, "nothing was recorded") || !strings.Contains(said, "could not be read") {
				t.Errorf("exit %d: %s", code, said)
			}
			before, _, _ := strings.Cut(said, "traintop: recorded")
			if lines := strings.Count(before, "\n"); lines < 2 {
				t.Errorf("while it goes on it says nothing: %s", said)
			}
		})
	}
}

func TestRecordingWithSecretsIntoOneWithoutIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ttrec")
	record := func(more ...string) (said string, code int) {
		_, said, code = command(t, "", append([]string{"record", "-o", path, "--from", "testdata/pending.yaml"}, more...)...)
		return said, code
	}
	if said, code := record(); code != exitDone {
		t.Fatalf("exit %d: %s", code, said)
	}
	before, _ := os.ReadFile(path)
	if said, code := record("--no-redact"); code != exitFailed || !strings.Contains(said, "another file") {
		t.Errorf("exit %d: %s", code, said)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("the file was changed")
	}
	if said, code := record(); code != exitDone {
		t.Errorf("continued as it was: exit %d: %s", code, said)
	}
}

// TestARecorderSaysEveryChange: a source fails, fails on with another message,
// and is well again.
func TestARecorderSaysEveryChange(t *testing.T) {
	var said bytes.Buffer
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	r := recordTrouble{app: &app{err: &said}, now: clock, began: now}
	s := store.New(clock)
	for _, step := range []struct {
		state train.SourceState
		text  string
		later time.Duration
		want  string
	}{
		{train.SourceConnecting, "", time.Second, ""},
		{train.SourceConnecting, "", silentFor, "traintop: no answer yet from kube/pods"},
		{train.SourceRetrying, "port 1 is refused", 0, "traintop: kube/pods: port 1 is refused\n"},
		{train.SourceRetrying, "port 2 is refused", time.Second, ""},
		{train.SourceRetrying, "port 3 is refused", repeatAfter, "traintop: kube/pods: port 3 is refused\n"},
		{train.SourceLive, "", 0, "traintop: kube/pods: it is read again\n"},
		{train.SourceLive, "", time.Hour, ""},
		{train.SourceForbidden, "no", 0, "traintop: 1 resources could not be read in full"},
	} {
		now = now.Add(step.later)
		said.Reset()
		s.Apply(store.HealthChanged{Health: train.Health{Source: "kube/pods", Resource: "pods", State: step.state, Text: step.text}})
		r.look(s.Snapshot())
		if got := said.String(); !strings.HasPrefix(got, step.want) || step.want == "" && got != "" {
			t.Errorf("%s %q: it says %q, want %q", step.state, step.text, got, step.want)
		}
	}
}

// TestARecorderSaysWhichLogCannotBeRead: at each change, and at the end.
func TestARecorderSaysWhichLogCannotBeRead(t *testing.T) {
	var said bytes.Buffer
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	a := &app{err: &said}
	r := recordTrouble{app: a, now: clock, began: now}
	s := store.New(clock)
	const rank = "traintop: log of Log/bert rank 2 (rank2.log): "
	for _, step := range []struct {
		state train.StreamState
		text  string
		want  string
	}{
		{train.StreamOpening, "", ""},
		{train.StreamRetrying, "the kubelet gave no answer", rank + "the kubelet gave no answer\n"},
		{train.StreamRetrying, "the kubelet gave no answer", ""},
		{train.StreamLive, "", rank + "it is read again\n"},
		{train.StreamForbidden, "it was refused", rank + "it was refused\n"},
	} {
		said.Reset()
		s.Apply(store.StreamChanged{Stream: train.StreamID{File: "rank2.log"}, Rank: 2, Job: "bert", Status: train.StreamStatus{State: step.state, Text: step.text}})
		r.look(s.Snapshot())
		if got := said.String(); got != step.want {
			t.Errorf("%s: it says %q, want %q", step.state, got, step.want)
		}
	}
	said.Reset()
	a.sayUnreadLogs(s.Snapshot())
	if want := "at the end 1 log could not be read:\n  " + strings.TrimPrefix(rank, "traintop: ") + "it was refused\n"; !strings.Contains(said.String(), want) {
		t.Errorf("at the end it says %q, want %q", said.String(), want)
	}
}

// A file that is rotated while it is recorded: the recorder reports it, and so does every
// answer from the recording.
func TestRecordSaysThatAFileWasReplaced(t *testing.T) {
	file, path := filepath.Join(t.TempDir(), "train.log"), filepath.Join(t.TempDir(), "a.ttrec")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("step 1 loss 3.0\nstep 2 loss 2.9\nstep 3 loss 2.8\n")
	var messages lockedText
	done := make(chan int)
	go func() {
		done <- (&app{in: strings.NewReader(""), out: io.Discard, err: &messages, clock: time.Now}).run(t.Context(), []string{"record", "-o", path, "--for", "4s", "--from", file})
	}()
	time.Sleep(1500 * time.Millisecond)
	write("step 4 loss 2.7\nstep 5 loss 2.6\n")
	if code := <-done; code != exitDone {
		t.Fatalf("exit %d: %s", code, messages.String())
	}
	const says = "the file was emptied or replaced 1 time while it was followed"
	if said := messages.String(); strings.Count(said, says) != 1 {
		t.Errorf("the recorder says %q", said)
	}
	for _, args := range [][]string{{"curves", "-o", "json"}, {"diagnose", "-o", "json"}, {"logs"}} {
		out, said, _ := command(t, "", append(args, "--from", path)...)
		if !strings.Contains(out+said, says) {
			t.Errorf("%s says %q, %q", args[0], out, said)
		}
	}
}

// Curves of a rank whose log is not there are no empty answer, as logs of it are not.
func TestCurvesOfARankWithoutALog(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"pods.yaml": "apiVersion: v1\nkind: List\nitems:\n" +
			"- {apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: a, namespace: ml, uid: j}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {containers: [{name: pytorch, image: i}]}}}}}}\n",
		"a-worker-0.log": "step 1 loss 3.0\nstep 2 loss 2.9\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, format := range []string{"json", "csv"} {
		out, said, code := command(t, "", "curves", "--from", folder, "-o", format, "--ranks", "1")
		if code != exitFailed || !strings.Contains(out+said, "no log of this rank was read") {
			t.Errorf("%s: exit %d: %s %s", format, code, out, said)
		}
		if _, said, code := command(t, "", "curves", "--from", folder, "-o", format, "--ranks", "0,1"); code != exitDone {
			t.Errorf("%s of both: exit %d: %s", format, code, said)
		}
	}
}
