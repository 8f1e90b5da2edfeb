package diagnose

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// ways are the stages of the jobs in dumps of a real control plane that were
// taken some seconds after the trouble began, one letter for each of
// train.Stages: passed, waiting, warned or failed (x; the first seconds only
// warn), unknown (?), ahead (.).
var ways = map[string]string{
	"pytorch-running":              "ppppp???",
	"pytorch-pending-gpu":          "px......",
	"pytorch-selector-mismatch":    "px......",
	"trainjob-untolerated-taint":   "px......",
	"tfjob-pending-memory":         "px......",
	"pytorch-configmap-missing":    "ppx.....",
	"pytorch-image-not-found":      "pppx....",
	"tfjob-pvc-missing":            "pwx.....",
	"pytorch-storageclass-missing": "pwx.....",
	"pytorch-quota":                "x.......",
	"pytorch-kueue-queued":         "ppppp??? x....... x.......",
	"trainjob-suspended":           "w.......",
	"tfjob-succeeded":              "ppppppp?",
	"trainjob-running":             "ppppp???",
	"mpijob-running":               "ppppp???",
	"vcjob-gang-pending":           "px......",
	"jobset-kueue-admitted":        "ppppp???",
}

var stateLetters = map[StageState]string{
	StagePassed: "p", StageWaiting: "w", StageWarned: "x", StageFailed: "x", StageUnknown: "?", StageAhead: ".",
}

func TestPipelinesOfDumps(t *testing.T) {
	for name, want := range ways {
		t.Run(name, func(t *testing.T) {
			path := "testdata/clusters/" + name + ".yaml"
			if found, _ := filepath.Glob(path); len(found) == 0 {
				path = "../train/kinds/testdata/clusters/" + name + ".yaml"
			}
			s := readDump(t, path)
			r := Run(s, Options{}, nil)
			var got []string
			for _, job := range s.Jobs() {
				way := Pipeline(s, job, r.Job(job.ID))
				letters := ""
				for i, stage := range way {
					letters += stateLetters[stage.State]
					if stage.Stage != train.Stages[i] || strings.Contains(stage.Text, "%!") {
						t.Errorf("%+v", stage)
					}
					t.Log(stage.Stage, stage.State, stage.Text)
				}
				got = append(got, letters)
			}
			if text := strings.Join(got, " "); text != want {
				t.Errorf("%q, want %q", text, want)
			}
		})
	}
}

func TestPipelineOfNothing(t *testing.T) {
	for _, stage := range Pipeline(store.New(time.Now).Snapshot(), nil, nil) {
		if stage.State != StageUnknown {
			t.Errorf("%+v", stage)
		}
	}
}

// A finding decides its stage; the worst of several does.
func TestFindingsDecideTheirStage(t *testing.T) {
	s := readDump(t, "testdata/clusters/pytorch-running.yaml")
	answer := &Answer{Findings: []train.Finding{
		{Stage: train.StageSpeed, Severity: train.SeverityWarning, Title: "slow"},
		{Stage: train.StageSpeed, Severity: train.SeverityError, Title: "stands still"},
		{Stage: train.StageProgress, Severity: train.SeverityInfo, Title: "good to know"},
		{Stage: "no such stage", Severity: train.SeverityError},
	}}
	way := Pipeline(s, s.Jobs()[0], answer)
	if speed := way[7]; speed.State != StageFailed || speed.Text != "stands still" {
		t.Errorf("%+v", speed)
	}
	if way[6].State != StageUnknown {
		t.Errorf("%+v", way[6])
	}
}

// BenchmarkPipeline computes the stages of the demo's jobs, one after the
// other.
func BenchmarkPipeline(b *testing.B) {
	s := readDump(b, "../testdata/demo")
	r := Run(s, Options{}, nil)
	jobs := s.Jobs()
	if len(jobs) == 0 || s.Count(kinds.PodKind) == 0 {
		b.Fatal("the demo is empty")
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		job := jobs[i%len(jobs)]
		Pipeline(s, job, r.Job(job.ID))
	}
}

// GPUs that do nothing are measured, whichever quantity shows it; GPUs of which
// only others are known are measured too.
func TestSpeedOfIdleGPUs(t *testing.T) {
	for quantity, want := range map[train.Quantity]StageStatus{
		train.GPUUtilization: {train.StageSpeed, StagePassed, "GPUs 0 % busy"},
		train.GPUGraphics:    {train.StageSpeed, StagePassed, "GPUs 0 % busy"},
		train.GPUSMActive:    {train.StageSpeed, StagePassed, "GPUs 0 % busy"},
		train.GPUMemoryUsed:  {train.StageSpeed, StageUnknown, "no time of steps is known, and what is measured of its GPUs does not say how busy they are"},
	} {
		c := newCluster(t)
		c.trained(1)
		var idle train.Values
		idle.Set(quantity, 0)
		c.events = append(c.events, store.Measured{Source: "exporter/gpu-0", Node: "gpu-0", Readings: []train.GPUReading{{
			Source: train.FromDCGM, At: noon, Values: idle, GPU: train.GPU{Node: "gpu-0", Index: "0", UUID: "GPU-0", Namespace: ns, Pod: "bert-worker-0", Container: "pytorch"},
		}}})
		s := c.snapshot()
		for _, stage := range Pipeline(s, s.Jobs()[0], nil) {
			if stage.Stage == train.StageSpeed && stage != want {
				t.Errorf("%v: %+v, want %+v", quantity, stage, want)
			}
		}
	}
}

// A cause that GPUs show is not ruled out for ranks of which none was read.
func TestUnmeasuredRanksRuleNothingOut(t *testing.T) {
	for name, change := range map[string]func(*cluster){
		"calm":      func(*cluster) {},
		"looked at": func(c *cluster) { c.warn("Pod", "bert-worker-0", "Unhealthy", "x"); c.worker(2, on("gpu-1")) },
	} {
		c := newCluster(t)
		c.trained(2)
		c.read(1, nil, nil)
		change(c)
		s := c.snapshot()
		for _, check := range Run(s, Options{}, nil).Job(s.Jobs()[0].ID).Checks {
			if check.Cause == "thermal-throttle" && (check.Result != train.CheckUnknown || !strings.Contains(check.Why, "no GPU of rank 1 was read")) {
				t.Errorf("%s: %+v", name, check)
			}
		}
	}
}
