package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// command runs a command line without a terminal and without a kubeconfig.
func command(t *testing.T, stdin string, args ...string) (out, messages string, code int) {
	t.Helper()
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	var stdout, stderr bytes.Buffer
	a := &app{in: strings.NewReader(stdin), out: &stdout, err: &stderr, clock: func() time.Time { return time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC) }}
	code = a.run(t.Context(), args)
	return stdout.String(), stderr.String(), code
}

func TestJobsAsJSON(t *testing.T) {
	out, messages, code := command(t, "", "jobs", "-o", "json", "--from", "testdata/pending.yaml")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, messages)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, out)
	}
	jobs := got["jobs"].([]any)
	job := jobs[0].(map[string]any)
	if reason, _ := job["reason"].(string); !strings.Contains(reason, "nvidia.com/gpu") {
		t.Errorf("the reason does not say what is missing: %q", reason)
	}
	delete(job, "reason")
	want := map[string]any{
		"namespace": "llm", "group": "kubeflow.org", "kind": "PyTorchJob", "name": "llama-70b", "verdict": "cause-found",
		"phase": "Pending", "training": true, "ranks": map[string]any{"wanted": 4.0, "ready": 2.0},
		"roles": []any{
			map[string]any{"name": "Master", "wanted": 1.0, "ready": 1.0},
			map[string]any{"name": "Worker", "wanted": 3.0, "ready": 1.0},
		},
		"gpus": 32.0, "gpuResource": "nvidia.com/gpu", "restarts": 0.0,
		"causes": []any{"insufficient-gpu"}, "created": job["created"], "started": job["started"],
	}
	if diff := cmp.Diff(want, job); diff != "" || len(jobs) != 1 {
		t.Errorf("%d jobs; the first differs (-want +got):\n%s", len(jobs), diff)
	}
	for _, field := range []string{"created", "started"} {
		text, _ := job[field].(string)
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestJobsInEveryOtherFormat(t *testing.T) {
	for format, want := range map[string]string{
		"table": "llama-70b", "wide": "Master 1/1, Worker 1/3", "yaml": "phase: Pending", "name": "llm/PyTorchJob/llama-70b\n",
	} {
		out, messages, code := command(t, "", "jobs", "-o", format, "--from", "testdata/pending.yaml")
		if code != exitDone || !strings.Contains(out, want) || strings.Contains(out, "\x1b") {
			t.Errorf("-o %s: exit %d, want %q in\n%s%s", format, code, want, out, messages)
		}
	}
}

func TestJobsAreChosenByNameNamespaceAndLabel(t *testing.T) {
	for _, c := range []struct {
		args []string
		rows int
		code int
	}{
		{[]string{"llama-70b"}, 1, exitDone},
		{[]string{"pytorchjob/llama-70b"}, 1, exitDone},
		{[]string{"llm/PyTorchJob/llama-70b"}, 1, exitDone},
		{[]string{"-n", "llm"}, 1, exitDone},
		{[]string{"-n", "other"}, 0, exitDone},
		{[]string{"-l", "team=nlp"}, 0, exitDone},
		{[]string{"nobody"}, 0, exitFailed},
		{[]string{"other/PyTorchJob/llama-70b"}, 0, exitFailed},
	} {
		out, messages, code := command(t, "", append([]string{"jobs", "-o", "name", "--from", "testdata/pending.yaml"}, c.args...)...)
		if rows := strings.Count(out, "\n"); rows != c.rows || code != c.code {
			t.Errorf("%v: %d rows and exit %d, want %d and %d\n%s%s", c.args, rows, code, c.rows, c.code, out, messages)
		}
	}
}

func TestFromStandardInput(t *testing.T) {
	text, err := os.ReadFile("testdata/pending.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if out, messages, code := command(t, string(text), "jobs", "-o", "name", "--from", "-"); out != "llm/PyTorchJob/llama-70b\n" || code != exitDone {
		t.Errorf("exit %d: %q %s", code, out, messages)
	}
}

func TestWithoutATerminalTheListIsPrintedOnce(t *testing.T) {
	out, messages, code := command(t, "", "--from", "testdata/pending.yaml")
	if code != exitDone || !strings.Contains(out, "llama-70b") || strings.Contains(out, "\x1b") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if !strings.Contains(messages, "no terminal") {
		t.Errorf("no hint on standard error: %q", messages)
	}
}

func TestMistakesAreExplained(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"jbos"}, exitUsage, []string{`"jbos"`, `"jobs"`}},
		{[]string{"jobs", "-o", "xml"}, exitUsage, []string{"xml", "json"}},
		{[]string{"jobs", "--form", "x"}, exitUsage, []string{"--form"}},
		{[]string{"jobs", "-A", "-n", "ml", "--from", "x"}, exitUsage, []string{"-n", "-A"}},
		{[]string{"jobs", "-l", "a in", "--from", "x"}, exitUsage, []string{"a in"}},
		{[]string{"completion", "tcsh"}, exitUsage, []string{"tcsh", "bash"}},
		{[]string{"version", "x"}, exitUsage, []string{"no arguments"}},
		{[]string{"jobs"}, exitFailed, []string{"kubeconfig", "traintop demo", "--from"}},
		{[]string{"jobs", "--from", "testdata/none.yaml"}, exitFailed, []string{"testdata/none.yaml"}},
		{[]string{"jobs", "--from", "."}, exitFailed, nil},
	} {
		if c.want == nil {
			continue
		}
		out, messages, code := command(t, "", c.args...)
		if code != c.code || out != "" {
			t.Errorf("%v: exit %d with output %q, want exit %d and none", c.args, code, out, c.code)
		}
		for _, want := range c.want {
			if !strings.Contains(messages, want) {
				t.Errorf("%v: %q does not say %q", c.args, messages, want)
			}
		}
	}
}

func TestUnknownContextListsThoseThatExist(t *testing.T) {
	kubeconfig := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\ncurrent-context: prod\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\n" +
		"users: [{name: u, user: {}}]\ncontexts: [{name: prod, context: {cluster: c, user: u}}, {name: lab, context: {cluster: c, user: u}}]\n"
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, messages, code := command(t, "", "jobs", "--kubeconfig", kubeconfig, "--context", "staging")
	for _, want := range []string{"staging", "lab", "prod"} {
		if code != exitFailed || !strings.Contains(messages, want) {
			t.Errorf("exit %d, %q does not say %q", code, messages, want)
		}
	}
	start := time.Now()
	_, messages, code = command(t, "", "jobs", "--kubeconfig", kubeconfig, "--request-timeout", "5s")
	if took := time.Since(start); code != exitFailed || !strings.Contains(messages, "https://127.0.0.1:1") || !strings.Contains(messages, "refused") || took > 6*time.Second {
		t.Errorf("exit %d after %s: %q", code, took, messages)
	}
}

func TestVersionAndCompletion(t *testing.T) {
	if out, _, code := command(t, "", "version"); code != exitDone || !strings.HasPrefix(out, "traintop ") {
		t.Errorf("version: exit %d, %q", code, out)
	}
	for _, shell := range shells {
		if out, messages, code := command(t, "", "completion", shell); code != exitDone || !strings.Contains(out, "traintop") {
			t.Errorf("completion %s: exit %d %s", shell, code, messages)
		}
	}
}

func TestHostileNamesDoNotReachTheTerminal(t *testing.T) {
	hostile := "apiVersion: batch/v1\nkind: Job\nmetadata: {name: \"a\\x1b[31m\\u009b2J\\tb\", namespace: \"n\\r\\nx\"}\nspec: {completionMode: Indexed, completions: 2, parallelism: 2}\n"
	for _, format := range []string{"table", "wide", "name", "yaml"} {
		out, _, _ := command(t, hostile, "jobs", "-o", format, "--from", "-")
		if strings.ContainsAny(out, "\x1b\r\t\u009b") {
			t.Errorf("-o %s lets control bytes through: %q", format, out)
		}
	}
}
