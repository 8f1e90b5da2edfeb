package signals

import (
	"time"

	"github.com/traintop/traintop/train"
)

// when is the time of a counted error relative to the pod that holds the GPU.
type when uint8

const (
	never   when = iota
	earlier      // before the pod began, or longer ago than counts for a free GPU
	unseen       // the increase was not observed
	during       // since the pod began
)

// freeMemory is how far back an error of a GPU that no pod holds still counts
// as new.
const freeMemory = time.Hour

// from returns the instant after which an error counts as new.
func (g *gpu) from() time.Time {
	if g.held.IsZero() {
		return g.now.Add(-freeMemory)
	}
	return g.held
}

// rise returns by how much an error counter grew since the pod began, and when
// last. Where its growth was not observed it returns the whole counter.
func (g *gpu) rise(q train.Quantity) (by float64, at time.Time, w when) {
	value, known := g.Values.Get(q)
	if !known || value <= 0 {
		return 0, time.Time{}, never
	}
	from := g.from()
	seen := false
	for _, c := range g.changes() {
		if c.Quantity != q || c.To <= c.From {
			continue
		}
		seen = true
		if c.At.After(from) {
			by, at = by+c.To-c.From, c.At
		}
	}
	switch {
	case by > 0:
		return by, at, during
	case seen || g.knownSince(q, value):
		return value, time.Time{}, earlier
	}
	return value, time.Time{}, unseen
}

// knownSince reports whether a number was known to be the same when the pod
// began: its errors are older then. Two readings may lie between the two.
func (g *gpu) knownSince(q train.Quantity, value float64) bool {
	if g.once() {
		return false
	}
	old, at, known := g.past.GPUBaseline(g.id, q, g.from())
	return known && old == value && !at.After(g.from().Add(2*g.step()))
}
