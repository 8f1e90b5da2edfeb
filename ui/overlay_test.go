package ui

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// runFiles are the logs of two runs with a loss.
func runFiles() *store.Store {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	s := store.New(func() time.Time { return at })
	for _, name := range []string{"first.log", "second.log"} {
		id := train.StreamID{File: name}
		logged := store.Logged{Stream: id}
		for i := 1; i <= 100; i++ {
			logged.Samples = append(logged.Samples, train.Sample{
				Line: int64(i), Time: at.Add(time.Duration(i-100) * time.Second), Rank: -1, Step: float64(i), HasStep: true,
				Metrics: []train.Metric{{Name: train.MetricLoss, Value: 5 / math.Sqrt(float64(i))}},
			})
		}
		s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}}, logged)
	}
	return s
}

// A job that was laid over the charts of a job is there when they are opened again.
func TestOverlaysAreKept(t *testing.T) {
	memory, err := OpenMemory(filepath.Join(t.TempDir(), "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, Options{Memory: memory, Session: Session{Store: runFiles()}}, 120, 40)
	d.command("charts first.log").keys("o").shows("second.log", "space mark", "enter take")
	d.keys("enter").shows("a second.log")
	d.keys("esc").hides("a second.log")
	d.command("charts first.log").shows("a second.log")
	d.command("jobs").command("charts first.log").shows("a second.log")
	d.keys("o", "space", "enter").hides("a second.log")
}

// Runs are put side by side by their names, from the charts and from marks.
func TestRunsAreComparedSideBySide(t *testing.T) {
	d := drive(t, Options{Session: Session{Store: runFiles()}}, 120, 40)
	d.command("compare first.log second.log").shows("Compare 2 runs", "a first", "b second", "loss best", "0.500")
	d.keys("enter").shows("a second.log", "EMA")
	d.keys("O").shows("Compare 2 runs")
	d.command("jobs").command("compare").shows("two runs are needed to compare")
	d.keys("space", "down", "space", "=").shows("Compare 2 runs", "a first")
	d.command("compare nobody first.log").shows("there is no job nobody here")
}

// A job is named at the prompt as on a command line; of several with one name, none is
// taken for the other.
func TestJobsAreNamedAtThePromptAsOnACommandLine(t *testing.T) {
	job := func(namespace, name string) string {
		return fmt.Sprintf("apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: %s, namespace: %s, uid: %s-%s}\nstatus: {conditions: [{type: Running, status: 'True'}]}\n---\n", name, namespace, namespace, name)
	}
	path := filepath.Join(t.TempDir(), "jobs.yaml")
	if err := os.WriteFile(path, []byte(job("ml", "bert")+job("lab", "bert")+job("ml", "gpt")), 0o600); err != nil {
		t.Fatal(err)
	}
	d := drive(t, Options{Session: Session{Store: fromFiles(t, path)}}, 140, 30)
	for _, names := range []string{"ml/gpt ml/bert", "pytorchjob/gpt lab/bert", "ml/PyTorchJob/gpt lab/pytorchjobs/bert"} {
		d.command("compare "+names).shows("Compare 2 runs", "gpt ● running").command("jobs")
	}
	d.command("compare gpt bert").shows("2 jobs are called bert: ", "lab/PyTorchJob/bert", "ml/PyTorchJob/bert")
	d.command("diagnose bert").shows("2 jobs are called bert: ")
	d.command("compare prod/gpt bert").shows("there is no job prod/gpt here")
	d.command("ns lab").command("compare bert ml/gpt").shows("Compare 2 runs", "lab", "gpt ● running")
}
