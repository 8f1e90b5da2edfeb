package series

import (
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// The number of epochs gives no time left for lines with neither step nor
// epoch: a line count is no position.
func TestCountedLinesHaveNoTimeLeft(t *testing.T) {
	r := NewRecorder(1000)
	hints := train.ProgressHints{TotalEpochs: 100}
	r.AddHints(hints)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for i := range 10 {
		r.Add(train.Sample{Line: int64(i + 1), Time: at.Add(time.Duration(i) * time.Minute), Rank: -1, Metrics: []train.Metric{{Name: "loss", Value: 3}}})
	}
	run := Join([]Source{{Table: r.Table(), Hints: hints}})
	if run.Remaining != 0 || run.Spread != 0 {
		t.Errorf("time left is %v ± %v, and nothing tells it", run.Remaining, run.Spread)
	}
}

// A bar goes on after the newest loss, and a summary ends the run: the step is theirs.
// Steps of an evaluation and steps beyond the total are others.
func TestTheStepIsThatOfTheNewestTrainingMetric(t *testing.T) {
	for _, tt := range []struct {
		name, metric string
		step, want   float64
	}{
		{"a bar's learning rate", "learning_rate", 94, 94},
		{"an evaluation", "eval_loss", 94, 90},
		{"beyond the total", "learning_rate", 950, 90},
	} {
		r := NewRecorder(1000)
		outlook := train.ProgressHints{TotalSteps: 94}
		r.AddHints(outlook)
		for i := range 9 {
			r.Add(train.Sample{Line: int64(i + 1), Rank: -1, Step: float64(10 * (i + 1)), HasStep: true, Metrics: []train.Metric{{Name: "loss", Value: 3}}})
		}
		r.Add(train.Sample{Line: 10, Rank: -1, Step: tt.step, HasStep: true, Metrics: []train.Metric{{Name: tt.metric, Value: 1}}})
		if run := Join([]Source{{Table: r.Table(), Hints: outlook}}); run.Step != tt.want {
			t.Errorf("%s: step %v, want %v", tt.name, run.Step, tt.want)
		}
	}
}
