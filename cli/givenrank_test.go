package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// podWithRank is a pod of the job of failedJob.
const podWithRank = `---
apiVersion: v1
kind: Pod
metadata:
  name: bert-worker-1
  namespace: ml
  uid: pod-1
  creationTimestamp: "2026-11-20T09:00:05Z"
  labels: {training.kubeflow.org/job-name: bert, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "1"}
  ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: bert, uid: job-1, controller: true}]
spec: {nodeName: gpu-0, containers: [{name: pytorch, image: a}]}
status: {phase: Failed, containerStatuses: [{name: pytorch, restartCount: 0, state: {terminated: {exitCode: 1, reason: Error, finishedAt: "2026-11-20T09:58:00Z"}}}]}
`

// Of two logs of one rank, one given for it and one of its pod's name, one is printed,
// and the other is named.
func TestTheOtherLogOfARankIsNamed(t *testing.T) {
	folder := t.TempDir()
	given, own := filepath.Join(folder, "a.log"), filepath.Join(folder, "bert-worker-1.log")
	for path, text := range map[string]string{given: "step 1 loss 2.5\n", own: "step 2 loss 2.4\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, messages, code := command(t, "", "logs", "bert", "--ranks", "1", "--from", page(t, "dump.yaml", failedJob+podWithRank), "--from", "1="+given, "--from", own)
	if code != exitDone || !strings.Contains(out, "step 2") || strings.Contains(out, "step 1") || !strings.Contains(messages, "[1] 1 other log of this rank is not printed (") || !strings.Contains(messages, "a.log): -p prints") {
		t.Errorf("exit %d: %q, %q", code, out, messages)
	}
}

// A log that is given for a rank is that rank's beside objects, or the answer
// reports why it is not.
func TestTheLogOfARankBesideADump(t *testing.T) {
	folder := t.TempDir()
	log := filepath.Join(folder, "a.log")
	if err := os.WriteFile(log, []byte("step 1 loss 2.5\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.87 GiB.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := strings.NewReplacer("name: bert", "name: gpt", "job-1", "job-2").Replace(failedJob)
	for name, c := range map[string]struct {
		dump, rank string
		names      []string
		job        string // of the first finding of the cause
		says       string // in problems
	}{
		"a named job":           {failedJob + podWithRank, "1", []string{"bert"}, "ml/PyTorchJob/bert", ""},
		"the only job":          {failedJob + podWithRank, "1", nil, "ml/PyTorchJob/bert", ""},
		"without its pod":       {failedJob, "1", []string{"bert"}, "ml/PyTorchJob/bert", ""},
		"one of two is named":   {failedJob + "---\n" + other, "0", []string{"gpt"}, "ml/PyTorchJob/gpt", ""},
		"two jobs":              {failedJob + "---\n" + other, "1", nil, "Log/the ranks given", "which of 2 jobs has rank 1 is not known"},
		"it has no such rank":   {failedJob, "7", []string{"bert"}, "", "ml/PyTorchJob/bert has no rank 7: its ranks are 0-1"},
		"no job among the rest": {"apiVersion: v1\nkind: Node\nmetadata: {name: gpu-0}\n", "1", nil, "Log/the ranks given", ""},
	} {
		args := append([]string{"diagnose", "-o", "json", "--from", page(t, "dump.yaml", c.dump), "--from", c.rank + "=" + log}, c.names...)
		out, messages, _ := command(t, "", args...)
		var got diagnosisAnswer
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(name, err, messages)
		}
		job, problems := "", ""
		for _, f := range got.Findings {
			if f.Cause == "cuda-out-of-memory" {
				job = f.Job
			}
		}
		for _, p := range got.Problems {
			problems += p.Text + "\n"
		}
		if job != c.job || !strings.Contains(problems, c.says) || c.says == "" && strings.Contains(problems, "rank") {
			t.Errorf("%s: the log explains %q, want %q; problems: %s", name, job, c.job, problems)
		}
	}
}

// A folder with a dump and logs that are named by rank explains the job.
func TestLogsNamedByRankBesideADump(t *testing.T) {
	folder := logsIn(t, map[string]string{
		"dump.yaml": failedJob + podWithRank, "rank0.log": "step 1 loss 2.5\n",
		"rank1.log": "step 1 loss 2.5\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.87 GiB.\n",
	})
	out, messages, _ := command(t, "", "diagnose", "-o", "json", "--from", folder)
	var got diagnosisAnswer
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err, messages)
	}
	if len(got.Findings) == 0 || got.Findings[0].Cause != "cuda-out-of-memory" || got.Findings[0].Job != "ml/PyTorchJob/bert" {
		t.Errorf("found %+v; %s", got.Findings, messages)
	}
}

// One file given for two ranks is a mistake of the command line, however its
// path is written.
func TestOneFileForTwoRanksIsRefused(t *testing.T) {
	folder := logsIn(t, map[string]string{"g.log": "step 1 loss 2.5\n", "h.log": "step 1 loss 2.5\n"})
	path := filepath.Join(folder, "g.log")
	link := filepath.Join(folder, "link.log")
	if err := os.Symlink("g.log", link); err != nil {
		t.Skip("no symbolic links here")
	}
	for name, c := range map[string]struct {
		second string
		code   int
	}{
		"the same path": {"5=" + path, exitUsage},
		"a longer path": {"5=" + folder + "/./g.log", exitUsage},
		"a link":        {"5=" + link, exitUsage},
		"another file":  {"5=" + filepath.Join(folder, "h.log"), exitDone},
	} {
		_, messages, code := command(t, "", "diagnose", "--from", "0="+path, "--from", c.second)
		if code != c.code || c.code == exitUsage && !strings.Contains(messages, "one file was given for ranks 0 and 5") {
			t.Errorf("%s: exit %d: %s", name, code, messages)
		}
	}
}
