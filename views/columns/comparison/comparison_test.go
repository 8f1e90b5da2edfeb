package comparison

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

var eight = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)

// job is a PyTorchJob with one running pod, as the training operator v1.8 makes
// it.
func job(name, args, env string, gpus int) string {
	return fmt.Sprintf(`
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: %[1]s, namespace: ml, uid: uid-%[1]s}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
          containers:
          - name: pytorch
            image: train:2
            args: %[2]s
            env: %[3]s
            resources: {limits: {nvidia.com/gpu: %[4]d}, requests: {nvidia.com/gpu: %[4]d}}
status: {startTime: "2026-11-20T06:00:00Z", conditions: [{type: Running, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata:
  name: %[1]s-master-0
  namespace: ml
  uid: pod-%[1]s
  labels: {training.kubeflow.org/job-name: %[1]s, training.kubeflow.org/replica-type: master, training.kubeflow.org/replica-index: "0"}
  ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: %[1]s, uid: uid-%[1]s, controller: true}]
spec:
  nodeName: gpu-0
  containers: [{name: pytorch, image: "train:2", resources: {limits: {nvidia.com/gpu: %[4]d}}}]
status:
  phase: Running
  startTime: "2026-11-20T06:00:00Z"
  containerStatuses: [{name: pytorch, ready: true, started: true, restartCount: 0, state: {running: {startedAt: "2026-11-20T06:00:00Z"}}}]
---`, name, args, env, gpus)
}

func stored(t *testing.T, text string) *store.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := store.New(func() time.Time { return eight })
	if err := dump.New([]string{path}, dump.Options{}).Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	s.Apply(store.Clock{Now: eight})
	return s
}

// logs gives a job the metrics of some steps; of several spans each but the
// first is a resumption.
func logs(s *store.Store, id train.StreamID, loss func(step int) float64, spans ...[2]int) {
	logged := store.Logged{Stream: id}
	line := int64(0)
	for _, span := range spans {
		for i := span[0]; i <= span[1]; i++ {
			line++
			logged.Samples = append(logged.Samples, train.Sample{
				Line: line, Time: eight.Add(time.Duration(line-5000) * 2 * time.Second), Rank: -1, Step: float64(i), HasStep: true,
				Metrics: []train.Metric{{Name: train.MetricLoss, Value: loss(i)}, {Name: train.MetricLR, Value: 1e-4}, {Name: train.MetricMFU, Value: 40}},
			})
		}
	}
	s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}}, logged)
}

func pod(name string) train.StreamID {
	return train.StreamID{Namespace: "ml", Pod: name + "-master-0", UID: "pod-" + name, Container: "pytorch"}
}

func compared(s *store.Store, names ...string) *Comparison {
	snapshot := s.Snapshot()
	var jobs []*train.Job
	for _, name := range names {
		for _, j := range append(snapshot.LogJobs(), snapshot.Jobs()...) {
			if j.Ref.Name == name {
				jobs = append(jobs, j)
			}
		}
	}
	return Make(snapshot, jobs)
}

func falling(step int) float64 { return 5 / math.Sqrt(float64(step)) }

func TestRunsAreCompared(t *testing.T) {
	s := stored(t,
		job("sft-a", `[torchrun, train.py, --lr=3e-4, --out, /ckpt/sft-a, --bf16, "--token=hf_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]`, `[{name: NCCL_DEBUG, value: INFO}, {name: DB_PASSWORD, value: tiger1}]`, 8)+
			job("sft-b", `[torchrun, train.py, --lr, "1e-4", --out, /ckpt/sft-b, "--token=hf_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"]`, `[{name: NCCL_DEBUG, value: WARN}, {name: DB_PASSWORD, value: tiger2}]`, 4))
	logs(s, pod("sft-a"), falling, [2]int{1, 400})
	logs(s, pod("sft-b"), func(step int) float64 { return falling(step) + 1 }, [2]int{1, 300}, [2]int{201, 300})
	c := compared(s, "sft-a", "sft-b")
	if c.At != 300 || c.Unit != "step" {
		t.Errorf("compared at %s %g, want step 300", c.Unit, c.At)
	}
	a, b := c.Runs[0].Stats[train.MetricLoss], c.Runs[1].Stats[train.MetricLoss]
	if a.Best != (Value{falling(400), 400}) || a.At != (Value{falling(300), 300}) || b.Last != (Value{falling(300) + 1, 300}) {
		t.Errorf("a %+v\nb %+v", a, b)
	}
	if lr := c.Runs[0].Stats[train.MetricLR]; lr.Best.Known() {
		t.Errorf("a learning rate is best at %+v", lr.Best)
	}
	if got := c.Runs[0].GPUHours; math.Abs(got-16) > 0.01 {
		t.Errorf("%g GPU-hours, want 2 h of 8 GPUs", got)
	}
	if c.Runs[1].Attempts != 2 || c.Runs[1].LostSteps != 99 && c.Runs[1].LostSteps != 100 {
		t.Errorf("%d attempts, %g steps lost", c.Runs[1].Attempts, c.Runs[1].LostSteps)
	}
	want := map[string][2]string{
		"--lr": {"3e-4", "1e-4"}, "--bf16": {"(set)", ""}, "env NCCL_DEBUG": {"INFO", "WARN"}, "resources.limits.nvidia.com/gpu": {"8", "4"},
	}
	for _, d := range c.Differences {
		values, expected := want[strings.TrimPrefix(d.Name, "Master ")]
		if !expected || values != [2]string(d.Values) {
			t.Errorf("%s differs: %q", d.Name, d.Values)
		}
		delete(want, strings.TrimPrefix(d.Name, "Master "))
	}
	if len(want) > 0 {
		t.Errorf("not told: %v", want)
	}
}

// Of a cluster only the values of variables about ranks are kept: that is reported,
// and so is that others may differ.
func TestVariablesThatAreNotKeptAreCalledThat(t *testing.T) {
	s := stored(t, job("sft-a", `[train.py]`, `[{name: DATASET, value: ""}, {name: ONLY, value: ""}]`, 8)+job("sft-b", `[train.py]`, `[{name: DATASET, value: ""}]`, 8))
	only := func() string {
		for _, d := range compared(s, "sft-a", "sft-b").Differences {
			if strings.HasSuffix(d.Name, "env ONLY") {
				return d.Values[0]
			}
		}
		return "no difference"
	}
	if got := only(); got != "(empty)" {
		t.Errorf("of files the variable is %q", got)
	}
	s.Apply(store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceLive}})
	if got := only(); got != "(value not kept)" {
		t.Errorf("of a cluster the variable is %q", got)
	}
	notes := strings.Join(compared(s, "sft-a", "sft-b").Notes, "; ")
	if !strings.Contains(notes, "1 variable may differ too") {
		t.Errorf("the notes are %q", notes)
	}
}

func TestTables(t *testing.T) {
	s := store.New(func() time.Time { return eight })
	logs(s, train.StreamID{File: "sft-lr3e-4|x.log"}, falling, [2]int{1, 400})
	logs(s, train.StreamID{File: "sft-lr1e-5.log"}, func(step int) float64 { return falling(step) + 1 }, [2]int{1, 300})
	c := compared(s, "sft-lr3e-4|x.log", "sft-lr1e-5.log")
	for _, one := range []struct {
		name  string
		write func(*strings.Builder) error
		want  []string
	}{
		{"table", func(b *strings.Builder) error { return c.Table(b) }, []string{"loss at step 300", "0.289*", "1.289", "mfu mean"}},
		{"md", func(b *strings.Builder) error { return c.Markdown(b) }, []string{`| run | sft-lr3e-4\|x.log | sft-lr1e-5.log |`, "| --- | ---: | ---: |", "| loss at step 300 | **0.289** | 1.289 |"}},
		{"csv", func(b *strings.Builder) error { return c.CSV(b) }, []string{"job,step,", "loss at step 300", "\n", "0.28867513459481287"}},
	} {
		var b strings.Builder
		if err := one.write(&b); err != nil {
			t.Fatal(err)
		}
		for _, want := range one.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: %q is not in\n%s", one.name, want, b.String())
			}
		}
	}
}

// every is the loss of every n-th step up to most, which falls by a thousandth a
// step in every run.
func every(n, most int) []train.Sample {
	var all []train.Sample
	for step := 0; step <= most; step += n {
		all = append(all, train.Sample{Line: int64(len(all) + 1), Rank: -1, Step: float64(step), HasStep: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 5 - float64(step)/1000}}})
	}
	return all
}

// Values are compared at a step that all runs printed. Where there is none,
// each names its own step, and none is the best.
func TestValuesAreOfOneStep(t *testing.T) {
	for _, one := range []struct {
		name    string
		n, most [2]int
		title   string
		cells   [2]string
	}{
		{"the last of both", [2]int{10, 10}, [2]int{900, 630}, "loss at step 630", [2]string{"4.370", "4.370"}},
		{"one that both printed", [2]int{20, 30}, [2]int{900, 630}, "loss at step 600", [2]string{"4.400", "4.400"}},
		{"none but 0", [2]int{300, 70}, [2]int{900, 630}, "loss up to step 630", [2]string{"4.400 (step 600)", "4.370 (step 630)"}},
	} {
		s := store.New(func() time.Time { return eight })
		for i, file := range []string{"a.log", "b.log"} {
			id := train.StreamID{File: file}
			s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}}, store.Logged{Stream: id, Samples: every(one.n[i], one.most[i])})
		}
		rows := compared(s, "a.log", "b.log").Rows()
		row := rows[len(rows)-1]
		if row.Title != one.title || row.Cells[0].Text != one.cells[0] || row.Cells[1].Text != one.cells[1] || row.Cells[0].Best || row.Cells[1].Best {
			t.Errorf("%s: %+v", one.name, row)
		}
	}
}

// Shares that some runs print in percent and others as shares of 1 are not
// compared as numbers, and that is reported.
func TestPercentAndSharesAreNotCompared(t *testing.T) {
	for _, one := range []struct {
		metric string
		values [2]float64
		mixed  bool
	}{
		{"accuracy", [2]float64{99, 0.995}, true},
		{"accuracy", [2]float64{99, 98.5}, false},
		{"accuracy", [2]float64{0.99, 0.995}, false},
		{"val/top1_acc", [2]float64{71.2, 0.74}, true},
		{train.MetricMFU, [2]float64{41, 0.43}, true},
		{"loss", [2]float64{2.5, 0.9}, false},
	} {
		s := store.New(func() time.Time { return eight })
		for i, file := range []string{"a.log", "b.log"} {
			id := train.StreamID{File: file}
			sample := train.Sample{Line: 1, Rank: -1, Step: 10, HasStep: true, Metrics: []train.Metric{{Name: one.metric, Value: one.values[i]}}}
			s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}}, store.Logged{Stream: id, Samples: []train.Sample{sample}})
		}
		c := compared(s, "a.log", "b.log")
		marked := false
		for _, row := range c.Rows() {
			for _, cell := range row.Cells {
				marked = marked || row.Metric == one.metric && cell.Best
			}
		}
		said := strings.Contains(strings.Join(c.Notes, "; "), one.metric+" cannot be compared: it is above 1 in a.log")
		if marked == one.mixed || said != one.mixed {
			t.Errorf("%s %v: a best is marked: %v, notes %q", one.metric, one.values, marked, c.Notes)
		}
	}
}

// Where ranks print values of their own one of them is compared, and a note names
// which; ranks that print the same are one.
func TestTheRankThatIsComparedIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		second float64
		want   string
	}{
		"of their own": {0.9, "those of one rank are compared: run7/rank*.log rank 0 of 2"},
		"the same":     {0.5, ""},
	} {
		s := store.New(func() time.Time { return eight })
		for i, file := range []string{"run7/rank0.log", "run7/rank1.log", "other.log"} {
			id, rank, run := train.StreamID{File: file}, i, "run7/rank*.log"
			if i == 2 {
				rank, run = -1, ""
			}
			logged := store.Logged{Stream: id}
			for step := range 20 {
				loss := 0.5
				if i == 1 {
					loss = c.second
				}
				logged.Samples = append(logged.Samples, train.Sample{Line: int64(step + 1), Rank: -1, Step: float64(step), HasStep: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: loss + 1/float64(step+1)}}})
			}
			s.Apply(store.StreamChanged{Stream: id, Rank: rank, Job: run, Status: train.StreamStatus{State: train.StreamEnded}}, logged)
		}
		snapshot := s.Snapshot()
		notes := strings.Join(Make(snapshot, snapshot.LogJobs()).Notes, "; ")
		if !strings.Contains(notes, c.want) || c.want == "" && strings.Contains(notes, "one rank") {
			t.Errorf("%s: notes %q of %d jobs", name, notes, len(snapshot.LogJobs()))
		}
	}
}

// Runs that count different things have no step in common, and one without
// curves is named.
func TestWhatCannotBeComparedIsSaid(t *testing.T) {
	s := store.New(func() time.Time { return eight })
	logs(s, train.StreamID{File: "a.log"}, falling, [2]int{1, 400})
	id := train.StreamID{File: "b.log"}
	epochs := store.Logged{Stream: id}
	for i := range 5 {
		epochs.Samples = append(epochs.Samples, train.Sample{Line: int64(i + 1), Rank: -1, Step: math.NaN(), Epoch: float64(i), HasEpoch: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 1}}})
	}
	s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}}, epochs)
	s.Apply(store.StreamChanged{Stream: train.StreamID{File: "c.log"}, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
	c := compared(s, "a.log", "b.log", "c.log")
	if !math.IsNaN(c.At) || len(c.Notes) != 2 || !strings.Contains(c.Notes[0], "different things") || c.Notes[1] != "no curves: c.log" {
		t.Errorf("at %g, notes %q", c.At, c.Notes)
	}
}

func TestArguments(t *testing.T) {
	for line, want := range map[string]string{
		"torchrun --nproc_per_node 8 train.py --lr=-1e-4 -v":                                                     "--nproc-per-node=8 --lr=-1e-4 -v=(set) program=torchrun train.py",
		"bash -c |NCCL_DEBUG=INFO python 'my train.py' \\\n  --betas 0.9 0.95 trainer.lr=1e-3 +x=1 && echo done": "-c=(set) NCCL_DEBUG=INFO --betas=0.9 trainer.lr=1e-3 +x=1 program=bash python my train.py 0.95 && echo done",
		"run --seed 1 --seed 2 --offset -5 --":                                                                   "--seed=1 2 --offset=-5 program=run --",
		"x a==b =c":                                                                                              "a==b program=x =c",
	} {
		var got []string
		arguments(splitOnce(line)).put(func(name, value string) { got = append(got, name+"="+value) })
		if strings.Join(got, " ") != want {
			t.Errorf("%q is read as\n%q, want\n%q", line, strings.Join(got, " "), want)
		}
	}
}

// splitOnce splits a test's line at blanks up to a bar; what follows is one
// text.
func splitOnce(line string) []string {
	words, script, has := strings.Cut(line, "|")
	all := strings.Fields(words)
	if has {
		all = append(all, script)
	}
	return all
}

func TestShortNames(t *testing.T) {
	for _, one := range []struct{ names, want string }{
		{"sft-lr3e-4.log sft-lr1e-5.log", "lr3e-4 lr1e-5"},
		{"a b", "a b"},
		{"sft-lr1e-4-x.log sft-lr2e-4-x.log", "lr1e-4 lr2e-4"},
		{"run run-2", "run run-2"},
		{"llama-7b-x llama-70b-x", "7b 70b"},
	} {
		if got := strings.Join(Short(strings.Fields(one.names)), " "); got != one.want {
			t.Errorf("%s: %s, want %s", one.names, got, one.want)
		}
	}
}

func TestDirections(t *testing.T) {
	for metric, want := range map[string]Direction{
		"loss": Lower, "eval_loss": Lower, "lm loss PPL": Lower, "train-logloss": Lower, "loss scale": Neither, "lr": Neither, "grad_norm": Neither,
		"accuracy": Higher, "val/top1_acc": Higher, "reward": Higher, "reward_std": Neither, "tokens_per_second": Higher, "step_time_s": Lower,
	} {
		if got := Better(metric); got != want {
			t.Errorf("%s: %d, want %d", metric, got, want)
		}
	}
}

// The mean of a metric is that of all its values, also where the curve keeps a part of
// them: the extremes.
func TestMeansAreOfAllValues(t *testing.T) {
	s := store.New(func() time.Time { return eight })
	limits := store.DefaultLimits
	limits.Values = 2_000
	s.SetLimits(limits)
	for name, usual := range map[string]float64{"bursts.log": 1000, "steady.log": 1200} {
		logged := store.Logged{Stream: train.StreamID{File: name}}
		for i := range 20_000 {
			speed := usual
			if name == "bursts.log" && i%100 == 50 {
				speed = 10_000
			}
			logged.Samples = append(logged.Samples, train.Sample{
				Line: int64(i + 1), Rank: -1, Step: float64(i), HasStep: true,
				Metrics: []train.Metric{{Name: train.MetricLoss, Value: 2}, {Name: train.MetricTokens, Value: speed}},
			})
		}
		s.Apply(store.StreamChanged{Stream: logged.Stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}}, logged)
	}
	c := compared(s, "bursts.log", "steady.log")
	for i, want := range []float64{1090, 1200} {
		if got := c.Runs[i].Stats[train.MetricTokens].Mean; math.Abs(got-want) > 1e-6 {
			t.Errorf("the mean of %s is %v, want %v", c.Names()[i], got, want)
		}
	}
}

// Numbers that differ by rounding are the same: none is the best.
func TestRoundingMakesNoBest(t *testing.T) {
	for better, want := range map[[2]float64]bool{{0.4, math.Nextafter(0.4, 1)}: false, {0.4, 0.4001}: true} {
		row := Row{Cells: []Cell{{Text: "a"}, {Text: "b"}}}
		if row.markBest(Higher, func(i int) float64 { return better[i] }); row.Cells[1].Best != want || row.Cells[0].Best {
			t.Errorf("of %v the best is %v", better, row.Cells)
		}
	}
}
