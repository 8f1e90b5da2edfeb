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
	outlook := train.ProgressHints{TotalEpochs: 100}
	r.AddHints(outlook)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for i := range 10 {
		r.Add(train.Sample{Line: int64(i + 1), Time: at.Add(time.Duration(i) * time.Minute), Rank: -1, Metrics: []train.Metric{{Name: "loss", Value: 3}}})
	}
	run := Join([]Source{{Table: r.Table(), Outlook: outlook}})
	if run.Remaining != 0 || run.Spread != 0 {
		t.Errorf("time left is %v ± %v, and nothing tells it", run.Remaining, run.Spread)
	}
}
