package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/wait"
)

var recordedKind = schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}

// recordedJob is a job of one rank in the recording of recordedRun.
func recordedJob(uid string, conditions ...any) store.Event {
	list := []any{}
	for _, c := range conditions {
		list = append(list, map[string]any{"type": c, "status": "True"})
	}
	return store.Set{Kind: recordedKind, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": map[string]any{"namespace": "ml", "name": "bert", "uid": uid},
		"spec":   map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(1)}}},
		"status": map[string]any{"conditions": list},
	}}}
}

func recordedPod(phase corev1.PodPhase) store.Event {
	yes := true
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "bert-worker-0", UID: "pod",
			Labels:          map[string]string{"training.kubeflow.org/job-name": "bert", "training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": "0"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "bert", UID: types.UID("1"), Controller: &yes}}},
		Spec:   corev1.PodSpec{NodeName: "n", Containers: []corev1.Container{{Name: "pytorch"}}},
		Status: corev1.PodStatus{Phase: phase, ContainerStatuses: []corev1.ContainerStatus{{Name: "pytorch"}}},
	}
	if phase == corev1.PodRunning {
		pod.Status.ContainerStatuses[0].State.Running = &corev1.ContainerStateRunning{}
	}
	return store.Set{Kind: kinds.PodKind, Object: pod}
}

// recordedRun records a job that waits for a minute, runs for 50 ms without a
// trace, runs again for ten minutes with a step every ten seconds in the first
// five, and is deleted.
func recordedRun(t *testing.T) string {
	t.Helper()
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "run.rec")
	w, err := recording.Create(path, recording.Options{Now: func() time.Time { return now }, Flush: time.Hour, About: recording.About{Logs: recording.LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	pass := func(d time.Duration, events ...store.Event) {
		now = now.Add(d)
		w.Apply(events...)
	}
	gone := store.Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: "bert-worker-0", UID: "pod"}
	pass(0, store.Listed{Kind: recordedKind}, store.Listed{Kind: kinds.PodKind}, store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceLive}})
	pass(time.Second, recordedJob("1"))
	pass(time.Minute, recordedPod(corev1.PodRunning))
	pass(50*time.Millisecond, gone)
	pass(time.Minute, recordedPod(corev1.PodRunning))
	id := train.StreamID{Namespace: "ml", Pod: "bert-worker-0", UID: "pod", Container: "pytorch"}
	pass(0, store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamLive, Since: now}})
	for step := range int64(30) {
		pass(10*time.Second, store.Logged{Stream: id,
			Lines:   []train.LogLine{{Number: step + 1, Time: now, Text: fmt.Sprintf("step %d loss %d", step+1, 100-step)}},
			Samples: []train.Sample{{Line: step + 1, Time: now, Rank: -1, Step: float64(step + 1), HasStep: true, Metrics: []train.Metric{{Name: "loss", Value: float64(100 - step)}}}},
		})
	}
	pass(5*time.Minute, store.Deleted{Kind: recordedKind, Namespace: "ml", Name: "bert", UID: "1"}, gone)
	pass(time.Minute)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Waiting in a recording goes by the recording's time.
func TestWaitInARecording(t *testing.T) {
	path := recordedRun(t)
	for _, c := range []struct {
		args string
		code int
		want string // in the output, with what was printed as messages
	}{
		{"--for running", 0, "2026-11-20T08:01:00Z  ml/PyTorchJob/bert  reached running"}, // replayed in steps of 2 s: the moment of 50 ms
		{"--for running --at 2026-11-20T08:01:30Z", 0, "2026-11-20T08:02:02Z  ml/PyTorchJob/bert  reached running"},
		{"--for first-step", 0, "reached first-step"},
		{"--for step=20", 0, "reached step=20"},
		{"--for loss<75", 0, "reached loss<75"},
		{"--for step=50", 5, "deleted and not created again within 30s"},
		{"--for step=31,loss<80,done", 0, "reached loss<80"},
		{"", 5, "deleted"},
		{"--for done --timeout 3m", 124, "not reached within 3m0s"},
		{"--for done --no-progress 2m", 4, "no new step and no new line of rank 0 for 2m0s"},
		{"--for done --no-progress 6m", 5, "deleted"},
		{"--for failed --at 2026-11-20T08:12:30Z", 1, "yet; waiting for it"},
	} {
		out, messages, code := command(t, "", append([]string{"wait", "bert", "--from", path}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", c.args, code, c.code, c.want, out, messages)
		}
	}
}

// Each line is one object, and the last one has the exit code and the findings.
func TestWaitAsJSON(t *testing.T) {
	out, messages, code := command(t, "", "wait", "llama-70b", "-o", "json", "--from", "testdata/pending.yaml")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 3 || len(lines) != 3 {
		t.Fatalf("exit %d: %s%s", code, out, messages)
	}
	var got []map[string]any
	for _, line := range lines {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		got = append(got, fields)
	}
	state, outcome, end := got[0], got[1], got[2]
	if state["event"] != "state" || state["job"] != "llm/PyTorchJob/llama-70b" || state["phase"] != "Pending" || state["attempt"] != 1.0 || state["uid"] == nil || state["time"] == nil {
		t.Errorf("the state is %v", state)
	}
	if ranks := state["ranks"].(map[string]any); ranks["wanted"] != 4.0 || ranks["ready"] != 2.0 {
		t.Errorf("the ranks are %v", ranks)
	}
	if outcome["event"] != "outcome" || outcome["outcome"] != "failed" || outcome["why"] == "" {
		t.Errorf("the outcome is %v", outcome)
	}
	findings := end["diagnosis"].(map[string]any)["findings"].([]any)
	if end["event"] != "end" || end["outcome"] != "failed" || end["exitCode"] != 3.0 || findings[0].(map[string]any)["cause"] != "insufficient-gpu" {
		t.Errorf("the end is %v", end)
	}
}

func TestWaitOnFiles(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"llama-70b --for done", 3, "insufficient-gpu"}, // files do not change
		{"llama-70b --for trouble", 0, "reached trouble"},
		{"llama-70b --for finding=insufficient-gpu", 0, "reached finding=insufficient-gpu"},
		{"llama-70b --for finding=oom-killed", 3, "says no more"},
		{"-l !team --for trouble", 0, "reached trouble"},
		{"-l team=other", 1, "No training jobs"},
		{"nobody", 1, `no job "nobody"`},
		{"llama-70b nobody --any --for trouble", 1, `no job "nobody"`},
		{"llm/pytorchjob/llama-70b --for trouble", 0, "reached"},
	} {
		out, messages, code := command(t, "", append([]string{"wait", "--from", "testdata/pending.yaml"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(out+messages, c.want) || strings.Contains(out, "\x1b") {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", c.args, code, c.code, c.want, out, messages)
		}
	}
}

func TestMistakesInWait(t *testing.T) {
	for args, want := range map[string]string{
		"":                        "which jobs?",
		"x --for runing":          "--for",
		"x --for loss":            "is no condition",
		"x --timeout soon":        "--timeout",
		"x --no-progress 10":      "--no-progress",
		"x -o yaml":               "text, json",
		"x --all --any":           "--any for one",
		"x --for finding=unknown": "docs/causes.md",
	} {
		if out, messages, code := command(t, "", append([]string{"wait"}, strings.Fields(args)...)...); code != exitUsage || out != "" || !strings.Contains(messages, want) {
			t.Errorf("%s: exit %d, %q, want %q", args, code, messages, want)
		}
	}
	if _, messages, code := command(t, "", "wait", "x"); code != exitFailed || !strings.Contains(messages, "kubeconfig") {
		t.Errorf("without a cluster: exit %d, %s", code, messages)
	}
}

// A flag with an empty value, as an unset variable of a shell gives, is wrong
// usage in every command: it was to bound or to choose something. Those of
// kubectl are as kubectl has them.
func TestEmptyFlagsAreRefused(t *testing.T) {
	var check func(cmd *cobra.Command)
	n := 0
	check = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if _, may := f.Annotations[emptyFlagAnnotation]; may || f.NoOptDefVal != "" || f.Value.Type() == "int" {
				return
			}
			n++
			args := append(strings.Fields(cmd.CommandPath())[1:], "--"+f.Name+"=")
			if _, messages, code := command(t, "", args...); code != exitUsage || !strings.Contains(messages, "--"+f.Name) {
				t.Errorf("%s: exit %d, %s", strings.Join(args, " "), code, messages)
			}
		})
		for _, below := range cmd.Commands() {
			check(below)
		}
	}
	check((&app{}).root())
	if n < 30 {
		t.Errorf("%d flags were tried", n)
	}
	for _, kept := range []string{"--namespace=", "--selector=", "--context="} {
		if _, messages, code := command(t, "", "jobs", "--from", "testdata/pending.yaml", kept); code != 0 {
			t.Errorf("%s: exit %d, %s", kept, code, messages)
		}
	}
}

// A name that no job can have is wrong usage in each command, and nothing is waited
// for or read.
func TestNamesThatNoJobCanHave(t *testing.T) {
	for _, name := range []string{"", "/", "nlp/", "a/b/c/d", "two words"} {
		for _, args := range [][]string{{"jobs", name}, {"logs", name}, {"curves", name}, {"diagnose", name}, {"compare", "x", name}, {"wait", "--timeout", "3s", name}} {
			if out, messages, code := command(t, "", args...); code != exitUsage || out != "" || !strings.Contains(messages, "is no name of a job") {
				t.Errorf("%q: exit %d, %s%s", args, code, out, messages)
			}
		}
	}
	for _, args := range [][]string{{"logs", ""}, {"wait", ""}, {"jobs", "ml/"}} {
		if _, messages, code := command(t, "", append(args, "--from", "testdata/pending.yaml")...); code != exitUsage {
			t.Errorf("%q of files: exit %d, %s", args, code, messages)
		}
	}
}

// A log that grows is followed until it contains what is waited for.
func TestWaitFollowsALogThatGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "train.log")
	if err := os.WriteFile(path, []byte("step 1 loss 9.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	var stdout, stderr bytes.Buffer
	a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, clock: time.Now}
	done := make(chan int)
	go func() {
		done <- a.run(t.Context(), []string{"wait", "--from", path, "--for", "loss<2", "--timeout", "30s"})
	}()
	time.Sleep(time.Second)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString("step 2 loss 1.5\nstep 3 loss 3.5\n")
	}
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	if code := <-done; code != 0 || !strings.Contains(stdout.String(), "reached loss<2") {
		t.Errorf("exit %d: %s%s", code, stdout.String(), stderr.String())
	}
	if out, messages, code := command(t, "", "wait", "--from", path, "--for", "done"); code != 3 || !strings.Contains(out, "a log alone does not say") {
		t.Errorf("a log has no phase: exit %d: %s%s", code, out, messages)
	}
}

// A finding that comes while jobs are waited for ends the wait, also where it
// comes just before the wait is over: the last look diagnoses once more.
func TestAFindingBeforeTheTimeoutIsSeen(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	for _, condition := range []string{"finding=nan-loss", "trouble"} {
		path := filepath.Join(t.TempDir(), "train.log")
		if err := os.WriteFile(path, []byte("step 1 loss 9.0\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(2700*time.Millisecond, func() {
			if err := os.WriteFile(path, []byte("step 1 loss 9.0\nstep 2 loss nan\nstep 3 loss nan\nstep 4 loss nan\n"), 0o600); err != nil {
				t.Error(err)
			}
		})
		var stdout, stderr bytes.Buffer
		a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, clock: time.Now}
		if code := a.run(t.Context(), []string{"wait", "--from", path, "--for", condition, "--timeout", "3500ms"}); code != 0 || !strings.Contains(stdout.String(), "reached "+condition) {
			t.Errorf("%s: exit %d: %s%s", condition, code, stdout.String(), stderr.String())
		}
	}
}

// An interrupted wait reports what was reached so far.
func TestWaitIsInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "train.log")
	if err := os.WriteFile(path, []byte("step 1 loss 9.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	ctx, stop := context.WithCancel(t.Context())
	var stdout, stderr bytes.Buffer
	a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, clock: time.Now}
	time.AfterFunc(time.Second, stop)
	code := a.run(ctx, []string{"wait", "--from", path, "--for", "step=9", "-o", "json"})
	if code != 130 || !strings.Contains(stderr.String(), "0 of 1 job reached") || !strings.Contains(stdout.String(), `"exitCode":130`) {
		t.Errorf("exit %d: %s%s", code, stdout.String(), stderr.String())
	}
}

func TestConditionsAreCompleted(t *testing.T) {
	for typed, want := range map[string]string{
		"":                     "running\tevery rank runs, or ran\n",
		"running,":             "running,done\t",
		"finding=":             "finding=insufficient-gpu\n",
		"done,finding=insuffi": "done,finding=insufficient-gpu\n",
	} {
		if out, _, code := command(t, "", "__complete", "wait", "--for", typed); code != exitDone || !strings.Contains(out, want) {
			t.Errorf("%q is completed to %q, want %q", typed, out, want)
		}
	}
	if out, _, _ := command(t, "", "__complete", "--from", "testdata/pending.yaml", "wait", "llama"); !strings.Contains(out, "llama-70b\n") {
		t.Errorf("jobs are completed to %q", out)
	}
}

// docs/cli.md has each exit code of wait in its table.
func TestExitCodesOfWaitAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range wait.Codes() {
		if row := "| " + strconv.Itoa(c.Code) + " | `" + string(c.Outcome) + "` | " + c.Meaning + " |"; !strings.Contains(string(text), row) {
			t.Errorf("docs/cli.md has no row %s", row)
		}
	}
}
