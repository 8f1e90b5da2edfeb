package wait

import (
	"math"
	"strings"
	"testing"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

var someCauses = []train.Cause{"insufficient-gpu", "nccl-timeout", "oom-killed"}

func conditions(t *testing.T, texts ...string) []Condition {
	t.Helper()
	all, err := ParseConditions(texts, someCauses)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestConditionsAreParsed(t *testing.T) {
	for _, c := range []struct {
		given []string
		want  string // as they are printed
	}{
		{nil, "done"},
		{[]string{"running"}, "running"},
		{[]string{"Running, failed", "running", "first-step"}, "running failed first-step"},
		{[]string{"step=500", "loss<2.5,eval_loss>=1e-3"}, "step=500 loss<2.5 eval_loss>=1e-3"},
		{[]string{"loss < 2"}, "loss<2"},
		{[]string{"step>=10", "step>9", "epoch=3"}, "step>=10 step>9 epoch=3"},
		{[]string{"finding=NCCL-timeout", "trouble"}, "finding=nccl-timeout trouble"},
	} {
		var got []string
		for _, parsed := range conditions(t, c.given...) {
			got = append(got, parsed.Text)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%q is %q, want %q", c.given, text, c.want)
		}
	}
}

// A text that is no condition is refused with what is allowed.
func TestMistakesInConditions(t *testing.T) {
	for given, want := range map[string]string{
		"":                  "there are running, done",
		"runing":            "loss<X",
		"running,":          "is no condition",
		"<3":                "is no condition",
		"loss<":             "is no number",
		"loss<NaN":          "is no number",
		"loss<x":            "is no number",
		"loss=2":            "loss<2 or loss>2",
		"step<3":            "only grows",
		"epoch<=3":          "from epoch N on",
		"finding=nccl":      "nccl-timeout",
		"finding=":          "docs/causes.md",
		"finding<nccl":      "is no number",
		"step=many":         "is no number",
		"step=Infinity":     "is no number",
		"finding=gpu-found": "insufficient-gpu",
	} {
		if _, err := ParseConditions([]string{given}, someCauses); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", given, err, want)
		}
	}
}

// runOf is a run of one rank that prints a loss for each step from 1.
func runOf(losses ...float64) *series.Run { return runOfMetric("loss", losses...) }

func runOfMetric(name string, values ...float64) *series.Run {
	r := series.NewRecorder(1000)
	for i, value := range values {
		r.Add(train.Sample{Line: int64(i + 1), Rank: -1, Step: float64(i + 1), HasStep: true, Metrics: []train.Metric{{Name: name, Value: value}}})
	}
	return series.Join([]series.Source{{Table: r.Table()}})
}

func TestConditionsOnRuns(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		condition string
		losses    []float64
		want      bool
	}{
		{"first-step", nil, false},
		{"first-step", []float64{9}, true},
		{"step=3", []float64{9, 8}, false},
		{"step=3", []float64{9, 8, 7, 6}, true},
		{"step>3", []float64{9, 8, 7}, false},
		{"step>3", []float64{9, 8, 7, 6}, true},
		{"loss<2", []float64{9, 2, 3}, false},
		{"loss<=2", []float64{9, 2, 3}, true},
		{"LOSS<2", []float64{9, 1, 3}, true}, // it held once
		{"loss<2", []float64{9, nan}, false},
		{"loss>2", []float64{nan}, false},
		{"loss>8", []float64{nan, 9}, true},
		{"accuracy>0", []float64{9}, false},
	} {
		all, f := conditions(t, c.condition), newFacts()
		f.learnRun(runOf(c.losses...), all)
		if got := all[0].holds(&f); got != c.want {
			t.Errorf("%s with losses %v: %v, want %v", c.condition, c.losses, got, c.want)
		}
	}
}

// "loss" is what the job list shows as the loss; a reward that is shown in its place is no loss.
func TestTheLossOfAnotherName(t *testing.T) {
	for name, want := range map[string]bool{"train-logloss": true, "reward": false} {
		all, f := conditions(t, "loss<2"), newFacts()
		f.learnRun(runOfMetric(name, 3, 1), all)
		if got := all[0].holds(&f); got != want {
			t.Errorf("loss<2 with %s: %v, want %v", name, got, want)
		}
	}
}

// A step that was reached counts after the run went back: resumed from a checkpoint, or in
// another phase that counts anew. So does an epoch.
func TestStepsOfEarlierAttempts(t *testing.T) {
	r, line := series.NewRecorder(1000), int64(0)
	for _, until := range []float64{300, 250, 99} {
		for step := max(0, until-100); step <= until; step++ {
			line++
			r.Add(train.Sample{Line: line, Rank: -1, Step: step, HasStep: true, Epoch: math.Floor(step / 100), HasEpoch: true, Scope: train.ScopeRun, Metrics: []train.Metric{{Name: "loss", Value: 1}}})
		}
	}
	run := series.Join([]series.Source{{Table: r.Table()}})
	for condition, want := range map[string]bool{"step=250": true, "step=300": true, "step>300": false, "epoch=3": true, "epoch=4": false} {
		all, f := conditions(t, condition), newFacts()
		f.learnRun(run, all)
		if got := all[0].holds(&f); got != want {
			t.Errorf("%s: %v, want %v", condition, got, want)
		}
	}
}

func TestWhatConditionsNeed(t *testing.T) {
	for text, want := range map[string][3]bool{ // logs, whole logs, the diagnosis
		"running": {}, "done": {}, "failed": {}, "ended": {},
		"first-step": {true, true, false}, "step=3": {true, true, false}, "epoch=1": {true, true, false}, "loss<3": {true, true, false},
		"trouble": {true, false, true}, "finding=oom-killed": {true, false, true},
	} {
		c := conditions(t, text)[0]
		if got := [3]bool{c.NeedsLogs(), c.NeedsWholeLogs(), c.NeedsDiagnosis()}; got != want {
			t.Errorf("%s needs %v, want %v", text, got, want)
		}
	}
}
