package gpus

import (
	"math"
	"time"

	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
)

// Past is the kept history of a GPU. It never changes.
type Past struct {
	Rows     history.Past
	Changes  []train.GPUChange
	counters []counter
}

// Baseline returns the value of a counter at an instant, or its first known
// value after it, and since when it is known.
func (p *Past) Baseline(q train.Quantity, since time.Time) (value float64, at time.Time, known bool) {
	for _, c := range p.counters {
		if c.quantity == q {
			value, at = c.at(since, p.Changes)
			return value, at, true
		}
	}
	return math.NaN(), time.Time{}, false
}

// at returns the value of the counter at an instant or as soon as it is known.
func (c counter) at(since time.Time, changes []train.GPUChange) (float64, time.Time) {
	value, first := c.value, true
	for _, change := range changes {
		if change.Quantity != c.quantity || !change.At.After(c.began) {
			continue
		}
		if first { // older changes may have been dropped
			value, first = change.From, false
		}
		if change.At.After(since) {
			break
		}
		value = change.To
	}
	if since.Before(c.began) {
		return value, c.began
	}
	return value, since
}
