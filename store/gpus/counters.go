package gpus

import (
	"slices"
	"strconv"
	"time"

	"github.com/traintop/traintop/train"
)

// countedQuantities are the numbers whose changes are kept.
var countedQuantities = [...]train.Quantity{
	train.GPUXid, train.GPUECCUncorrected, train.GPURowsRemapped, train.GPURemapPending, train.GPURemapFailed,
	train.GPUNVLinkErrors, train.GPUPCIeReplays,
}

// MaxChanges bounds the changes kept of one GPU; the oldest go.
const MaxChanges = 32

// counter is what a number began with, and when: when it was first seen,
// fell back, or another kind of source began to tell it.
type counter struct {
	quantity train.Quantity
	began    time.Time
	value    float64
}

// counterWatch sees the changes of one GPU's counters. It believes the source
// that is trusted most, and of two of the same kind the one it believed
// before: they do not tell a change at the same time.
type counterWatch struct {
	numbers []watchedNumber
	changes []train.GPUChange
	// began is what nodes show of numbers; nil when one began anew.
	began []counter
	// counts are the Xids of a window of time, as eventsOf told them last.
	counts   []train.GPUEvent
	eventsOf train.GPUSource
	looked   bool
}

// watchedNumber is a counter as it was last told.
type watchedNumber struct {
	counter
	last  float64
	trust train.GPUSource
	by    string
}

// look compares what is told of a GPU now with what was told before.
func (w *counterWatch) look(state *train.GPUState, group *gpuGroup) (changed bool) {
	for _, q := range countedQuantities {
		if !state.Values.Known(q) {
			continue
		}
		n := w.number(q)
		if r := group.teller(q, n); r != nil {
			changed = w.take(n, q, r) || changed
		}
	}
	return w.lookAtEvents(state) || changed
}

// number is what is known of a quantity, nil when it was never told.
func (w *counterWatch) number(q train.Quantity) *watchedNumber {
	for i := range w.numbers {
		if w.numbers[i].quantity == q {
			return &w.numbers[i]
		}
	}
	return nil
}

// teller is the reading to believe about a quantity.
func (g *gpuGroup) teller(q train.Quantity, before *watchedNumber) *sourcedReading {
	var best *sourcedReading
	for i := range g.readings {
		r := &g.readings[i]
		if !r.Values.Known(q) {
			continue
		}
		if best == nil {
			best = r
		}
		if before != nil && r.Source == best.Source && r.by.key.source == before.by {
			return r
		}
	}
	return best
}

// take compares one number with what it was.
func (w *counterWatch) take(n *watchedNumber, q train.Quantity, r *sourcedReading) (changed bool) {
	value, _ := r.Values.Get(q)
	now := watchedNumber{counter{q, r.At, value}, value, r.Source, r.by.key.source}
	switch {
	case n == nil:
		w.numbers = append(w.numbers, now)
		return true
	case n.trust != r.Source || n.last > value && !(q == train.GPUXid && value != 0):
		*n, w.began = now, nil
		return true
	case n.last != value:
		w.change(train.GPUChange{Quantity: q, At: r.At, From: n.last, To: value})
		changed = true
	}
	n.last, n.by = value, r.by.key.source
	return changed
}

// change keeps a change; nodes hold the list before it.
func (w *counterWatch) change(c train.GPUChange) {
	if len(w.changes) >= MaxChanges {
		w.changes = slices.Clone(w.changes[len(w.changes)-MaxChanges+1:])
	}
	w.changes = append(w.changes, c)
}

// lookAtEvents notes Xids that the gauge of the last one does not show, the
// same code again or another before it: their count in the window has grown.
func (w *counterWatch) lookAtEvents(state *train.GPUState) (changed bool) {
	before, looked := w.counts, w.looked && w.eventsOf == state.Sources[0]
	w.looked, w.eventsOf, w.counts = true, state.Sources[0], nil
	for _, event := range state.Events {
		code, err := strconv.Atoi(event.Name)
		if event.Kind != "xid" || err != nil || len(w.counts) >= MaxChanges {
			continue
		}
		w.counts = append(w.counts, event)
		if looked && event.Count > countOf(before, event.Name) && !w.toldAt(float64(code), state.At) {
			w.change(train.GPUChange{Quantity: train.GPUXid, At: state.At, From: w.lastXid(), To: float64(code)})
			changed = true
		}
	}
	return changed
}

func countOf(events []train.GPUEvent, name string) float64 {
	for i := range events {
		if events[i].Name == name {
			return events[i].Count
		}
	}
	return 0
}

// lastXid is what the gauge shows, 0 when nobody tells.
func (w *counterWatch) lastXid() float64 {
	if n := w.number(train.GPUXid); n != nil {
		return n.last
	}
	return 0
}

// toldAt reports whether the gauge has changed to a code at an instant.
func (w *counterWatch) toldAt(code float64, at time.Time) bool {
	return slices.ContainsFunc(w.changes, func(c train.GPUChange) bool {
		return c.Quantity == train.GPUXid && c.To == code && c.At.Equal(at)
	})
}

// shown are the counters as nodes show them.
func (w *counterWatch) shown() []counter {
	if len(w.began) != len(w.numbers) {
		w.began = make([]counter, len(w.numbers))
		for i := range w.numbers {
			w.began[i] = w.numbers[i].counter
		}
	}
	return w.began
}
