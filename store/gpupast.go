package store

import (
	"math"
	"time"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
)

// GPUHistory is how long the history of GPUs is kept.
const GPUHistory = history.Span

func gpuPast(s *Snapshot, id train.GPUID) *gpus.Past {
	if node := nodeWith(s, id); node != nil {
		return node.past(id)
	}
	return nil
}

// GPUPast returns the history of one quantity of one GPU, oldest point first,
// at most GPUHistory long; also of a GPU that is gone. It covers utilization,
// memory used, temperature, power, SM clock, tensor and SM activity, and the
// graphics engine's activity where neither utilization nor SM activity is
// known. Values are rounded to 11 bits (0.05 %), times to a tenth of a second.
func (s *Snapshot) GPUPast(id train.GPUID, q train.Quantity) []train.Point {
	past, column := gpuPast(s, id), gpus.Column(q)
	if past == nil || column < 0 {
		return nil
	}
	var points []train.Point
	past.Rows.Each(column, s.Now.Add(-GPUHistory), func(at time.Time, value float32) bool {
		points = append(points, train.Point{At: at, Value: float64(value)})
		return true
	})
	return points
}

// GPUBuckets fills out with the mean of a quantity per time step: out[i]
// covers the points in [from+i*step, from+(i+1)*step), NaN where there are
// none. It allocates nothing.
func (s *Snapshot) GPUBuckets(id train.GPUID, q train.Quantity, from time.Time, step time.Duration, out []float32) {
	var rows history.Past
	column := gpus.Column(q)
	if past := gpuPast(s, id); past != nil && column >= 0 {
		rows = past.Rows
	}
	rows.Means(max(0, column), from, step, out)
}

// GPUChanges returns the observed changes of a GPU's Xid and error counters
// (ECC uncorrected, rows remapped, remap pending and failed, NVLink, PCIe
// replays), oldest first, the newest 32. A counter that falls was reset, and
// so was one that another kind of source reports from now on: neither is a
// change. A repeated Xid is a change from its code to the same code.
func (s *Snapshot) GPUChanges(id train.GPUID) []train.GPUChange {
	if past := gpuPast(s, id); past != nil {
		return past.Changes
	}
	return nil
}

// GPUBaseline returns the value of one of these numbers at an instant, or its
// first known value after it, and since when it is known. After a counter
// reset it is the value after the reset.
func (s *Snapshot) GPUBaseline(id train.GPUID, q train.Quantity, since time.Time) (value float64, at time.Time, known bool) {
	past := gpuPast(s, id)
	if past == nil {
		return math.NaN(), time.Time{}, false
	}
	return past.Baseline(q, since)
}
