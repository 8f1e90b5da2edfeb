package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/google/go-cmp/cmp"
)

// logsIn writes log files into a folder.
func logsIn(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// configured writes the configuration file that a command then reads.
func configured(t *testing.T, text string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Cleanup(xdg.Reload) // after the variable is restored
	xdg.Reload()
	if err := os.MkdirAll(filepath.Join(home, "traintop"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "traintop", "config.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const twoAttempts = "2026-11-20T08:50:00.000000001Z Total optimization steps = 400\n" +
	"2026-11-20T08:50:01.000000001Z step: 10 loss: 2.5 lr: 0.001 epoch: 0.1\n" +
	"2026-11-20T08:50:02.000000001Z step: 20 loss: nan lr: 0.001 epoch: 0.2\n" +
	"2026-11-20T08:50:03.000000001Z resuming from checkpoint at step 10\n" +
	"2026-11-20T08:50:04.000000001Z step: 11 loss: 2.25 lr: 0.002 epoch: 0.11\n" +
	"2026-11-20T08:50:05.000000001Z step: 12 loss: -0.125 lr: 0.002 epoch: 0.12\n"

func TestCurvesAsJSON(t *testing.T) {
	folder := logsIn(t, map[string]string{"rank1.log": twoAttempts})
	out, messages, code := command(t, "", "curves", "-o", "json", "--from", folder)
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, messages)
	}
	var got struct {
		Series []struct {
			Job        string
			Rank       *int
			Attempt    int
			TotalSteps float64
			Points     []map[string]any
		}
		Problems []any
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(got.Series) != 2 || len(got.Problems) != 0 {
		t.Fatalf("got %s", out)
	}
	for i, s := range got.Series {
		if s.Rank == nil || *s.Rank != 1 || s.Attempt != i || s.TotalSteps != 400 || !strings.HasSuffix(s.Job, "rank*.log") {
			t.Errorf("series %d is %+v", i, s)
		}
	}
	want := []map[string]any{
		{"line": 2.0, "time": "2026-11-20T08:50:01.000000001Z", "step": 10.0, "epoch": 0.1, "metrics": map[string]any{"loss": 2.5, "lr": 0.001}},
		{"line": 3.0, "time": "2026-11-20T08:50:02.000000001Z", "step": 20.0, "epoch": 0.2, "metrics": map[string]any{"loss": "NaN", "lr": 0.001}},
	}
	if diff := cmp.Diff(want, got.Series[0].Points); diff != "" {
		t.Errorf("the first attempt (-want +got):\n%s", diff)
	}
	if points := got.Series[1].Points; len(points) != 2 || points[1]["line"] != 6.0 || points[1]["metrics"].(map[string]any)["loss"] != -0.125 {
		t.Errorf("the second attempt is %v", points)
	}
}

// Unknown facts are left out: a rank, a time, a step.
func TestCurvesLeaveOutWhatIsUnknown(t *testing.T) {
	folder := logsIn(t, map[string]string{"train.log": "epoch: 1 loss: 2.5\nepoch: 2 loss: 2.25\n"})
	out, _, code := command(t, "", "curves", "-o", "json", "--from", filepath.Join(folder, "train.log"))
	if code != exitDone || strings.Contains(out, "rank\"") || strings.Contains(out, "time") || strings.Contains(out, "step") || strings.Contains(out, "totalSteps") || strings.Contains(out, "attempt") {
		t.Errorf("exit %d: %s", code, out)
	}
}

func TestCurvesAsCSV(t *testing.T) {
	folder := logsIn(t, map[string]string{"rank0.log": twoAttempts})
	out, _, code := command(t, "", "curves", "-o", "csv", "--from", folder, "--metric", "loss")
	want := "line,time,rank,attempt,step,epoch,loss\n" +
		"2,2026-11-20T08:50:01.000000001Z,0,0,10,0.1,2.5\n" +
		"3,2026-11-20T08:50:02.000000001Z,0,0,20,0.2,NaN\n" +
		"5,2026-11-20T08:50:04.000000001Z,0,1,11,0.11,2.25\n" +
		"6,2026-11-20T08:50:05.000000001Z,0,1,12,0.12,-0.125\n"
	if code != exitDone || out != want {
		t.Errorf("exit %d: %s", code, cmp.Diff(want, out))
	}
	folder = logsIn(t, map[string]string{"a.log": "step: 1 loss: 2.5\nstep: 2 loss: 2\n", "b.log": "step: 1 lr: 0.1 loss: 3\nstep: 2 lr: 0.1 loss: 3\n"})
	out, _, _ = command(t, "", "curves", "-o", "csv", "--from", folder)
	if lines := strings.Split(out, "\n"); lines[0] != "job,line,time,rank,attempt,step,epoch,loss,lr" || lines[1] != "Log/a.log,1,,,0,1,,2.5," || lines[3] != "Log/b.log,1,,,0,1,,3,0.1" {
		t.Errorf("two jobs:\n%s", out)
	}
}

func TestCurvesAsText(t *testing.T) {
	var text strings.Builder
	for step := range 200 {
		fmt.Fprintf(&text, "step: %d/200 loss: %.3f grad_norm: 0.5\n", step+1, 2+8/float64(step+1))
	}
	folder := logsIn(t, map[string]string{"train.log": text.String()})
	out, _, code := command(t, "", "curves", "--from", folder)
	for _, want := range []string{"Log/train.log", "loss", "grad norm", "step", "METRIC", "1–200", "2.04"} {
		if code != exitDone || !strings.Contains(out, want) || strings.Contains(out, "\x1b") {
			t.Errorf("exit %d, %q is missing in\n%s", code, want, out)
		}
	}
}

func TestCurvesOfChosenJobsAndRanks(t *testing.T) {
	folder := logsIn(t, map[string]string{"rank0.log": "step: 1 loss: 2.5\nstep: 2 loss: 2\n", "rank1.log": "step: 1 loss: 7\nstep: 2 loss: 7\n", "other.log": "step: 1 loss: 9\nstep: 2 loss: 9\n",
		"all.txt": "[rank1]: step: 1 loss: 4\n[rank2]: step: 1 loss: 5\n"})
	for want, args := range map[string][]string{
		"1,,1,0,1,,7|2,,1,0,2,,7": {"--ranks", "1", filepath.Join(folder, "rank*.log")},
		"1,,,0,1,,9|2,,,0,2,,9":   {"other.log"},
		"2,,2,0,1,,5":             {"--ranks", "2", "all.txt"},
	} {
		out, messages, code := command(t, "", append([]string{"curves", "-o", "csv", "--from", folder}, args...)...)
		_, rows, _ := strings.Cut(strings.TrimSpace(out), "\n")
		if code != exitDone || strings.ReplaceAll(rows, "\n", "|") != want {
			t.Errorf("%v: exit %d: %s%s", args, code, out, messages)
		}
	}
	if _, messages, code := command(t, "", "curves", "--from", folder, "nonsense"); code != exitFailed || !strings.Contains(messages, `no job "nonsense"`) {
		t.Errorf("exit %d: %s", code, messages)
	}
}

// torchrun's tags count on one node: what both nodes call 1 is two ranks.
func TestCurvesOfRanksOfTheirNodes(t *testing.T) {
	folder := logsIn(t, map[string]string{
		"node-rank0.log": "[default0]:step: 1 loss: 2.5\n[default1]:step: 1 loss: 2.6\n",
		"node-rank1.log": "[default0]:step: 1 loss: 2.7\n[default1]:step: 1 loss: 2.8\n",
	})
	out, messages, code := command(t, "", "curves", "-o", "csv", "--ranks", "1-2", "--from", folder)
	_, rows, _ := strings.Cut(strings.TrimSpace(out), "\n")
	if code != exitDone || strings.ReplaceAll(rows, "\n", "|") != "2,,1,0,1,,2.6|1,,2,0,1,,2.7" {
		t.Errorf("exit %d: %s%s", code, out, messages)
	}
}

// A rank that nobody has is named, whether or not others are printed.
func TestCurvesOfRanksThatAreNotThere(t *testing.T) {
	folder := logsIn(t, map[string]string{"rank0.log": "step: 1 loss: 2.5\n", "rank1.log": "step: 1 loss: 7\n"})
	for _, c := range []struct {
		ranks string
		code  int
	}{{"9", exitFailed}, {"0,9", exitDone}} {
		for _, format := range []string{"text", "json", "csv"} {
			out, messages, code := command(t, "", "curves", "--ranks", c.ranks, "-o", format, "--from", folder)
			if said := messages + out; code != c.code || !strings.Contains(said, "there is no rank 9; the ranks are 0-1") {
				t.Errorf("--ranks %s -o %s: exit %d: %s", c.ranks, format, code, said)
			}
		}
	}
}

// twinJobs are two jobs of one name in two namespaces, with a pod of one name each.
func twinJobs() string {
	text := ""
	for _, namespace := range []string{"team-a", "team-b"} {
		text += strings.ReplaceAll(`apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: NS, uid: job-NS}
spec: {completions: 1, template: {spec: {containers: [{name: main, image: pytorch}]}}}
---
apiVersion: v1
kind: Pod
metadata:
  {name: train-0, namespace: NS, uid: pod-NS, labels: {batch.kubernetes.io/job-name: train}, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: train, uid: job-NS, controller: true}]}
spec: {containers: [{name: main, image: pytorch, resources: {limits: {nvidia.com/gpu: 1}}}]}
status: {phase: Running}
---
`, "NS", namespace)
	}
	return text
}

// Jobs of one name are all meant by it, and distinguished.
func TestCurvesOfJobsOfOneName(t *testing.T) {
	const low, high = "step: 1 loss: 2.5\nstep: 2 loss: 2\n", "step: 1 loss: 7\nstep: 2 loss: 7\n"
	prefixed := func(text string) string {
		return strings.ReplaceAll(text, "step", "[pod/train-0/main] step")
	}
	const gone = "team-c_train_0b6fd30c-43f5-4d3c-9d5c-7a2d2f9c0001"
	for name, f := range map[string]struct {
		files map[string]string
		name  string
		want  string
	}{
		"logs in folders":                 {map[string]string{"o.yaml": twinJobs(), "team-a/train-0.log": low, "team-b/train-0.log": high}, "train", "team-a/Job/train team-b/Job/train"},
		"lines that name the pod alone":   {map[string]string{"o.yaml": twinJobs(), "team-a.log": prefixed(low), "of-team-b.log": prefixed(high)}, "train", "team-a/Job/train team-b/Job/train"},
		"files of one name":               {map[string]string{"x/train.log": low, "y/train.log": high}, "train.log", "Log/x/train.log Log/y/train.log"},
		"one of the files of one name":    {map[string]string{"x/train.log": low, "y/train.log": high}, "y/train.log", "job"},
		"a log of a pod that was deleted": {map[string]string{"o.yaml": twinJobs(), "team-a/train-0.log": low, "team-b/train-0.log": high, gone + "/main/0.log": "2026-11-20T08:50:01Z stdout F step: 1 loss: 9\n2026-11-20T08:50:02Z stdout F step: 2 loss: 8\n"}, "train", "team-a/Job/train team-b/Job/train team-c/Log/train"},
	} {
		folder := t.TempDir()
		for file, text := range f.files {
			path := filepath.Join(folder, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, messages, code := command(t, "", "curves", f.name, "-A", "-o", "csv", "--from", folder)
		var jobs []string
		for _, row := range strings.Split(out, "\n")[1:] {
			if job, _, _ := strings.Cut(row, ","); job != "" && !slices.Contains(jobs, job) {
				jobs = append(jobs, job)
			}
		}
		slices.Sort(jobs)
		if f.want == "job" { // it alone needs no column for the job
			if code != exitDone || strings.Join(jobs, " ") != "1 2" || !strings.Contains(out, ",7") {
				t.Errorf("%s: exit %d, %s%s", name, code, out, messages)
			}
			continue
		}
		if got := strings.Join(jobs, " "); code != exitDone || got != f.want {
			t.Errorf("%s: exit %d, jobs %q, want %q\n%s%s", name, code, got, f.want, out, messages)
		}
	}
}

func TestCurvesOfTheDemo(t *testing.T) {
	out, messages, code := command(t, "", "curves", "-o", "json", "--from", "../testdata/demo")
	var got struct {
		Series []struct {
			Job        string
			TotalSteps float64
			Points     []struct{ Metrics map[string]any }
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone {
		t.Fatalf("exit %d, %v: %s", code, err, messages)
	}
	losses := map[string]int{}
	for _, s := range got.Series {
		for _, p := range s.Points {
			if _, has := p.Metrics["loss"]; has {
				losses[s.Job]++
			}
		}
	}
	for job, atLeast := range map[string]int{
		"llm/PyTorchJob/llama-70b": 1000, "llm/TrainJob/qwen3-sft": 100, "research/PyTorchJob/whisper-large": 500, "rl/JobSet/grpo-math": 200,
		"speech/PyTorchJob/hubert-xl": 60, "speech/JAXJob/usm-jax": 2000, "speech/PyTorchJob/wav2vec2-ctc": 150, "vision/PyTorchJob/clip-vit-l": 400,
		"vision/PyTorchJob/vit-elastic": 200, "ads/TFJob/ctr-daily": 72, "eval/Job/hpo-sweep": 300, "hpc/MPIJob/resnet-allreduce": 100,
	} {
		if losses[job] < atLeast {
			t.Errorf("%s: %d losses, want at least %d", job, losses[job], atLeast)
		}
	}
	for _, quiet := range []string{"students/PyTorchJob/mnist-big", "vision/PyTorchJob/sdxl-base"} {
		if losses[quiet] > 0 {
			t.Errorf("%s waits for its ranks and has %d losses", quiet, losses[quiet])
		}
	}
}

// Every point is given, also beyond what the screen keeps at full resolution.
func TestCurvesAreWhole(t *testing.T) {
	const steps = 120_000
	var text strings.Builder
	for step := range steps {
		fmt.Fprintf(&text, "step: %d loss: 2.5 lr: 0.001 grad_norm: 0.5\n", step)
	}
	folder := logsIn(t, map[string]string{"train.log": text.String()})
	out, messages, code := command(t, "", "curves", "-o", "csv", "--from", folder)
	if lines := strings.Count(out, "\n"); code != exitDone || lines != steps+1 {
		t.Errorf("exit %d, %d lines of %d: %s", code, lines, steps+1, messages)
	}
}

// -l chooses jobs by label, and log files have none.
func TestCurvesAndCompareOfJobsWithLabels(t *testing.T) {
	folder := logsIn(t, map[string]string{"a.log": "step: 1 loss: 2.5\nstep: 2 loss: 2\n", "b.log": "step: 1 loss: 7\nstep: 2 loss: 6\n"})
	for _, args := range [][]string{{"curves"}, {"curves", "a.log"}, {"compare"}, {"compare", "a.log", "b.log"}} {
		from := append(args, "--from", folder, "--from", "testdata/pending.yaml", "-l")
		if out, messages, code := command(t, "", append(from, "team=nlp")...); code != exitFailed || out != "" {
			t.Errorf("%v: exit %d: %s%s", args, code, out, messages)
		}
		if out, messages, code := command(t, "", append(from, "team!=nlp")...); code != exitDone || !strings.Contains(out, "loss") {
			t.Errorf("%v: exit %d: %s%s", args, code, out, messages)
		}
	}
}

func TestNoCurves(t *testing.T) {
	folder := logsIn(t, map[string]string{"quiet.log": "hello\nworld\n"})
	out, messages, code := command(t, "", "curves", "--from", folder)
	if code != exitDone || out != "" || !strings.Contains(messages, "No metrics in 2 lines of 1 log.") {
		t.Errorf("exit %d: %s%s", code, out, messages)
	}
	out, _, code = command(t, "", "curves", "-o", "json", "--from", folder)
	if code != exitDone || strings.TrimSpace(out) != "{\n  \"series\": []\n}" {
		t.Errorf("exit %d: %s", code, out)
	}
	out, messages, code = command(t, "", "curves", "-o", "json", "--from", filepath.Join(folder, "none.log"))
	if code != exitFailed || !strings.Contains(out, "no such file") || !json.Valid([]byte(out)) || !strings.Contains(messages, "none.log") {
		t.Errorf("a file that is not there: exit %d: %s%s", code, out, messages)
	}
	for _, args := range [][]string{{"curves"}, {"curves", "-o", "png", "--from", folder}, {"curves", "--ranks", "3-1", "--from", folder}} {
		if _, messages, code := command(t, "", args...); code != exitUsage {
			t.Errorf("%v: exit %d: %s", args, code, messages)
		}
	}
}

func TestAPatternOfOnesOwn(t *testing.T) {
	configured(t, "patterns:\n- name: ours\n  match: 'IT (?P<step>\\d+) OF (?P<total>\\d+) QUALITY (?P<loss>\\S+)'\n  example: 'IT 1 OF 20 QUALITY 2.5'\n")
	folder := logsIn(t, map[string]string{"train.log": "IT 1 OF 20 QUALITY 2.5\nIT 2 OF 20 QUALITY 2.25\n"})
	out, messages, code := command(t, "", "curves", "-o", "csv", "--from", folder)
	if code != exitDone || !strings.Contains(out, "1,,,0,1,,2.5\n2,,,0,2,,2.25\n") {
		t.Errorf("exit %d: %s%s", code, out, messages)
	}
}

func TestAWrongPatternIsNamed(t *testing.T) {
	configured(t, "patterns:\n- name: ours\n  match: 'loss (?P<loss>\\S+)'\n  example: 'no such thing'\n- name: broken\n  match: '('\n  example: x\n")
	folder := logsIn(t, map[string]string{"train.log": "step 1 loss 2.5\nstep 2 loss 2\n"})
	_, messages, code := command(t, "", "curves", "--from", folder)
	if code != exitFailed || !strings.Contains(messages, `"ours"`) || !strings.Contains(messages, `"broken"`) || !strings.Contains(messages, "config.yaml") {
		t.Errorf("exit %d: %s", code, messages)
	}
}

func TestJobsTellWhatLogsSay(t *testing.T) {
	out, _, code := command(t, "", "jobs", "-o", "json", "--from", "../testdata/demo", "whisper-large")
	var got struct {
		Jobs []struct{ Step, TotalSteps, Loss *float64 }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone {
		t.Fatal(err, out)
	}
	if j := got.Jobs[0]; j.Step == nil || *j.Step != 50900 || j.TotalSteps == nil || *j.TotalSteps != 60000 || j.Loss == nil {
		t.Errorf("got %s", out)
	}
	out, _, _ = command(t, "", "jobs", "-o", "wide", "--from", "../testdata/demo")
	if !strings.Contains(out, "50900/60000") {
		t.Errorf("-o wide: %s", out)
	}
}

// Where not one log could be read, curves fails; empty logs are called empty.
func TestCurvesWithoutALog(t *testing.T) {
	for logs, want := range map[int]int{http.StatusForbidden: exitFailed, http.StatusOK: exitDone} {
		for _, format := range []string{"text", "json", "csv"} {
			t.Run(fmt.Sprint(logs, format), func(t *testing.T) {
				t.Parallel()
				var stdout, stderr bytes.Buffer
				a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, clock: time.Now}
				code := a.run(t.Context(), []string{"--kubeconfig", apiServer(t, logs), "--prometheus", "off", "curves", "bert", "-A", "-o", format})
				if code != want || (want == exitFailed) != strings.Contains(stderr.String(), "not one log could be read, of 1 log") {
					t.Errorf("logs answer %d, -o %s: exit %d\n%s%s", logs, format, code, stdout.String(), stderr.String())
				}
			})
		}
	}
	if _, messages, code := command(t, "", "curves", "--from", page(t, "empty.log", "")); code != exitFailed || !strings.Contains(messages, "there is nothing to read: ") || !strings.Contains(messages, "empty file") {
		t.Errorf("an empty file: exit %d: %s", code, messages)
	}
	if _, messages, code := command(t, "", "curves", "--from", page(t, "blank.log", "\n \n")); code != exitFailed || !strings.Contains(messages, "empty file") {
		t.Errorf("a blank file: exit %d: %s", code, messages)
	}
}

// A file that cannot be opened may be the log: where no other was read, curves
// fails, and reports "no metrics" for nothing.
func TestCurvesOfAFileThatCannotBeOpened(t *testing.T) {
	folder := t.TempDir()
	pods, err := os.ReadFile("../testdata/demo/vision.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "pods.yaml"), pods, 0o600); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(folder, "llama-70b-worker-0.log")
	if err := os.Symlink(filepath.Join(folder, "none"), log); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json", "csv"} {
		out, said, code := command(t, "", "curves", "--from", folder, "-o", format)
		if code != exitFailed || !strings.Contains(said, "no log was read") || format != "json" && out != "" {
			t.Errorf("-o %s: exit %d: %s\n%s", format, code, out, said)
		}
	}
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	if _, said, code := command(t, "", "curves", "--from", folder); code != exitDone || !strings.Contains(said, "No logs were read") {
		t.Errorf("without it: exit %d: %s", code, said)
	}
}

// A metric that no log has is named where others are printed.
func TestMetricsThatAreNotThereAreNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "train.log")
	if err := os.WriteFile(path, []byte("step: 1 loss: 2.5\nstep: 2 loss: 2.25\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, said, code := command(t, "", "curves", "--from", path, "-o", "csv", "--metric", "nosuch,Loss"); code != exitDone || !strings.Contains(out, "2.25") || !strings.Contains(said, "no log that was read has nosuch; the other") {
		t.Errorf("exit %d: %s\n%s", code, out, said)
	}
	if out, _, _ := command(t, "", "curves", "--from", path, "-o", "json", "--metric", "nosuch,loss"); !strings.Contains(out, "no log that was read has nosuch") {
		t.Error(out)
	}
}

// --explain refuses what it cannot follow, instead of dropping it silently.
func TestExplainRefusesWhatItCannotFollow(t *testing.T) {
	log := filepath.Join(t.TempDir(), "train.log")
	if err := os.WriteFile(log, []byte("step 1 loss 2.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{{"-o", "json"}, {"--metric", "loss"}, {"--ranks", "5"}, {"bert"}, {"--from", log}} {
		_, messages, code := command(t, "", append([]string{"curves", "--explain", log + ":1"}, more...)...)
		if code != exitUsage || !strings.Contains(messages, "cannot follow") {
			t.Errorf("%q: exit %d: %s", more, code, messages)
		}
	}
	if out, messages, code := command(t, "", "curves", "--explain", log+":1", "-o", "text"); code != exitDone || !strings.Contains(out, "loss 2.5") {
		t.Errorf("exit %d: %s\n%s", code, messages, out)
	}
}
