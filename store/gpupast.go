package store

import (
	"math"
	"time"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
)

// GPUHistory is how far back the past of GPUs is kept.
const GPUHistory = history.Span

func (s *Snapshot) gpuPast(id train.GPUID) *gpus.Past {
	if node := s.nodeWith(id); node != nil {
		return node.past(id)
	}
	return nil
}

// GPUPast is the history of one quantity of one GPU, oldest point first, at
// most GPUHistory long; also of a GPU that is gone. What is kept: utilization,
// memory used, temperature, power, SM clock, tensor and SM activity, and the
// graphics engine's where neither utilization nor SM activity is known. Values
// are rounded to 11 bits (0.05 %), times to a tenth of a second.
func (s *Snapshot) GPUPast(id train.GPUID, q train.Quantity) []train.Point {
	past, column := s.gpuPast(id), gpus.Column(q)
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

// GPUBuckets fills out with the mean of a quantity in each step of time from
// an instant on: out[i] is that of the points in [from+i*step, from+(i+1)*step),
// NaN where there are none. It allocates nothing.
func (s *Snapshot) GPUBuckets(id train.GPUID, q train.Quantity, from time.Time, step time.Duration, out []float32) {
	var rows history.Past
	column := gpus.Column(q)
	if past := s.gpuPast(id); past != nil && column >= 0 {
		rows = past.Rows
	}
	rows.Means(max(0, column), from, step, out)
}

// GPUChanges are the changes of a GPU's Xid and of its counters of errors
// (ECC uncorrected, rows remapped, remap pending and failed, NVLink, PCIe
// replays) that were seen, oldest first, the newest 32 of them. A counter that
// falls began anew, and so did one that another kind of source tells from now
// on: neither is a change. An Xid that came again changes from its code to the
// same.
func (s *Snapshot) GPUChanges(id train.GPUID) []train.GPUChange {
	if past := s.gpuPast(id); past != nil {
		return past.Changes
	}
	return nil
}

// GPUBaseline is the value that one of these numbers had at an instant, or the
// first one known after it, and the time from which on it is known. After a
// counter began anew it is what it began with.
func (s *Snapshot) GPUBaseline(id train.GPUID, q train.Quantity, since time.Time) (value float64, at time.Time, known bool) {
	past := s.gpuPast(id)
	if past == nil {
		return math.NaN(), time.Time{}, false
	}
	return past.Baseline(q, since)
}
