package store

import (
	"math"
	"time"

	"github.com/traintop/traintop/train"
)

// GPUHistory is how far back the past of GPUs is kept.
const GPUHistory = time.Hour

// GPUPast is the history of one quantity of one GPU, oldest point first. What
// is kept: utilization, memory used, temperature, power, SM clock, tensor and
// SM activity, and the graphics engine's where neither utilization nor SM
// activity is known. Values are rounded to 11 bits (0.05 %).
func (s *Snapshot) GPUPast(id train.GPUID, q train.Quantity) []train.Point {
	state := s.GPUState(id)
	if state == nil || state.At.IsZero() {
		return nil
	}
	if value, known := state.Values.Get(q); known {
		return []train.Point{{At: state.At, Value: value}}
	}
	return nil
}

// GPUBuckets fills out with the mean of a quantity in each step of time from
// an instant on: out[i] is that of the points in [from+i*step, from+(i+1)*step),
// NaN where there are none. It allocates nothing.
func (s *Snapshot) GPUBuckets(id train.GPUID, q train.Quantity, from time.Time, step time.Duration, out []float32) {
	for i := range out {
		out[i] = float32(math.NaN())
	}
	for _, point := range s.GPUPast(id, q) {
		if at := point.At.Sub(from); at >= 0 && step > 0 && int(at/step) < len(out) {
			out[at/step] = float32(point.Value)
		}
	}
}

// GPUChanges are the changes of a GPU's Xid and of its counters of errors
// (ECC uncorrected, rows remapped, remap pending and failed, NVLink, PCIe
// replays) that were seen, oldest first, the newest 32 of them. A counter that
// falls began anew: that is no change.
func (s *Snapshot) GPUChanges(id train.GPUID) []train.GPUChange { return nil }

// GPUBaseline is the value that one of these numbers had at an instant, or the
// first one known after it, and the time from which on it is known. After a
// counter began anew it is what it began with.
func (s *Snapshot) GPUBaseline(id train.GPUID, q train.Quantity, since time.Time) (value float64, at time.Time, known bool) {
	state := s.GPUState(id)
	if state == nil {
		return 0, time.Time{}, false
	}
	value, known = state.Values.Get(q)
	return value, state.At, known
}
