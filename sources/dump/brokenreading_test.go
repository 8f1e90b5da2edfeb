package dump

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// Lines with which kubectl 1.36, the kubelet and containerd end what they could
// not read to its end.
var brokenReadings = []string{
	"error: unexpected EOF", "error: stream error: stream ID 5; INTERNAL_ERROR; received from peer", "error: lost connection to pod",
	`error: http2: server sent GOAWAY and closed the connection; LastStreamID=5, ErrCode=NO_ERROR, debug=""`, "error: read tcp 10.0.0.2:5000->10.0.0.1:443: read: connection timed out",
	"http2: client connection lost", `rpc error: code = NotFound desc = an error occurred when try to find container "8f1": not found`,
	`Error from server (NotFound): pods "bert-worker-3" not found`, `Error from server (BadRequest): container "pytorch" in pod "bert-worker-3" is terminated`,
	`Error from server: Get "https://10.0.0.5:10250/containerLogs/ml/bert-worker-3/pytorch?follow=true": dial tcp 10.0.0.5:10250: i/o timeout`,
	"Error response from daemon: can not get logs from container which is dead or marked for removal", `unexpected stream type ""`,
	"Connection to 10.0.0.1 closed by remote host.", "Read from remote host n1: Connection reset by peer",
	"unable to retrieve container logs for containerd://8f1", "failed to create fsnotify watcher: too many open files",
}

// The log of a pod that its reader could not read to its end is one that
// broke off, and the line that reports it is not the program's.
func TestLogsWhoseReadingBrokeOff(t *testing.T) {
	const steps = "step: 1 loss: 3.5\nstep: 2 loss: 3.4\n"
	for _, line := range brokenReadings {
		for _, end := range []string{line, line + "\n"} {
			log := onlyLog(t, steps+end)
			if log.state != train.StreamFailed || !strings.Contains(log.text, line) || log.lines != 2 {
				t.Errorf("%q: %+v", end, log)
			}
		}
	}
	if log := onlyLog(t, steps+"step: 3 lossfailed to create fsnotify watcher: too many open files"); log.state != train.StreamFailed || log.lines != 3 || log.last != "step: 3 loss" {
		t.Errorf("behind a line without an end: %+v", log)
	}
	for _, end := range []string{"step: 3 loss: 3.3\n", "OSError: [Errno 24] Too many open files\n", "error: unexpected EOF\nstep: 3 loss: 3.3\n", "rpc error: code = Unavailable desc = the parameter server is gone\n", "Error from server (NotFound): pods \"bert-worker-3\" not found\nORTE was unable to reliably start one or more daemons.\n"} {
		if log := onlyLog(t, steps+end); log.state != train.StreamEnded {
			t.Errorf("%q: %+v", end, log)
		}
	}
	long := strings.Repeat("step: 1 loss: 3.5\n", 40_000)
	if log := onlyLog(t, long+"error: unexpected EOF\n"); log.state != train.StreamFailed || log.lines != 40_000 {
		t.Errorf("of a long log: %+v", log)
	}
}

// A log that ends with its keeper's notice of a cut was read in part.
func TestLogsThatTheirKeeperCut(t *testing.T) {
	const steps = "step: 1 loss: 3.5\nstep: 2 loss: 3.4\n"
	for _, line := range []string{
		"\x1b[33;1mJob execution will continue but no more output will be collected.\x1b[0;m", "Job's log exceeded limit of 4194304 bytes.",
		"[output clipped, log limit 2MiB reached]", "Your build output is too large (>400000 bytes) and has been truncated.", "*** WARNING: max output size exceeded, skipping output. ***",
		"##[warning]The log was truncated because it exceeded the maximum size", "... logs truncated, see the console", "*** Failed to fetch log file from worker. timed out",
	} {
		if log := onlyLog(t, steps+line+"\n"); log.state != train.StreamFailed || log.lines < 2 {
			t.Errorf("%q: %+v", line, log)
		}
	}
	for _, line := range []string{"output truncated to 512 tokens", "WARNING: output clipped, max length 20", "log_probs clipped", "skipped 3 batches", "dropped 5 samples", "output exceeded=3", "log loss clipped at 15"} {
		if log := onlyLog(t, steps+line+"\n"); log.state != train.StreamEnded {
			t.Errorf("%q: %+v", line, log)
		}
	}
}

// A notice of the keeper within a log states that lines are missing there; the log is read
// to its end.
func TestLogsThatLackLines(t *testing.T) {
	const before, after = "step: 1 loss: 3.5\nstep: 2 loss: 3.4\n", "step: 3 loss: 3.3\n"
	log := onlyLog(t, before+"[...truncated 3.2 MB...]\n"+after+"<20 lines omitted>\n"+after)
	if log.state != train.StreamEnded || log.lines != 6 || !strings.Contains(log.text, `line 5 says "<20 lines omitted>", and so do 1 before it`) {
		t.Errorf("two notices: %+v", log)
	}
	if log := onlyLog(t, before+"[...truncated 3.2 MB...]\n"+after+"error: unexpected EOF\n"); log.state != train.StreamFailed || !strings.Contains(log.text, "unexpected EOF") || !strings.Contains(log.text, "truncated 3.2 MB") {
		t.Errorf("one that broke off besides: %+v", log)
	}
	if log := onlyLog(t, before+after); log.text != "" {
		t.Errorf("a whole one: %+v", log)
	}
}

// The kubelet writes its message behind the last line of the program, which has no
// end then: the line ends where the message begins.
func TestWordsOfTheKubeletBehindHalfALine(t *testing.T) {
	const steps = "step: 1 loss: 3.5\nstep: 2 loss: 3.4\n"
	for _, words := range []string{
		"unable to retrieve container logs for containerd://8f1c2d3e", "failed to create fsnotify watcher: too many open files", "failed to create fsnotify watcher: no space left on device",
		`failed to watch file "/var/log/pods/ml_bert-0_8f1/pytorch/0.log": no space left on device`, `failed to watch directory "/var/log/pods/ml_bert-0_8f1/pytorch": no space left on device`,
		`failed to read log file "/var/log/pods/ml_bert-0_8f1/pytorch/0.log": input/output error`, `failed to open log file "/var/log/pods/ml_bert-0_8f1/pytorch/0.log": open: permission denied`,
		`failed to reset seek in log file "/var/lib/docker/containers/8f1/8f1-json.log": invalid argument`,
		`rpc error: code = NotFound desc = an error occurred when try to find container "8f1": not found`, `rpc error: code = Unknown desc = Error: No such container: 8f1`,
	} {
		log := onlyLog(t, steps+"step: 3 loss"+words)
		if log.state != train.StreamFailed || !strings.Contains(log.text, words) || log.lines != 3 || log.last != "step: 3 loss" {
			t.Errorf("%q: %+v", words, log)
		}
	}
	long := strings.Repeat("a line without an end ", 200)
	if log := onlyLog(t, steps+long+"failed to create fsnotify watcher: too many open files"); log.state != train.StreamFailed || log.lines != 3 || log.last != strings.TrimRight(long, "") {
		t.Errorf("behind a long line: %+v", log)
	}
	for _, end := range []string{
		"FileNotFoundError: failed to open log file \"/data/logs/train.log\": no such file", `grpc: rpc error: code = NotFound desc = an error occurred when try to find container "8f1": not found` + "\n",
		"the pod agent was unable to retrieve container logs for rank 3", "error: failed to watch directory \"/data/shards\": no space left on device",
	} {
		if log := onlyLog(t, steps+end); log.state != train.StreamEnded {
			t.Errorf("%q: %+v", end, log)
		}
	}
}

// A file that holds nothing but an answer in place of the log of a pod is not
// that log.
func TestAnswersInPlaceOfALog(t *testing.T) {
	answers := append([]string{
		"bash: kubectl: command not found", "-bash: /var/log/pods: Permission denied", "zsh: command not found: kubectl", `{"error":"unauthorized"}`, `Defaulted container "pytorch" out of: pytorch, istio-proxy`,
		`rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing unix /run/containerd/containerd.sock"`,
	}, brokenReadings...)
	for _, line := range answers {
		if log := onlyLog(t, line+"\n"); log.state != train.StreamFailed || log.lines != 0 {
			t.Errorf("%q: %+v", line, log)
		}
	}
	for _, text := range []string{"hello world\n", "step: 1 loss: 3.5\n", "bash: train.sh: command not found\n", `{"message": "step", "loss": 3.5}` + "\n", answers[0] + "\nstep: 1 loss: 3.5\n"} {
		if log := onlyLog(t, text); log.state != train.StreamEnded {
			t.Errorf("%q: %+v", text, log)
		}
	}
}

// logRead is what the store knows of a log.
type logRead struct {
	state      train.StreamState
	text, last string
	lines      int
}

// onlyLog reads a text as the log of a pod beside its object.
func onlyLog(t *testing.T, text string) (got logRead) {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{"pods.yaml": podNamed("worker-0"), "worker-0.log": text} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := snapshotOf(t, Options{}, root)
	for log := range s.Logs {
		got = logRead{state: log.Status.State, text: log.Status.Text, lines: log.Lines.Len()}
		if got.lines > 0 {
			got.last = log.Lines.At(got.lines - 1).Text
		}
	}
	return got
}
