package gpus

import (
	"slices"
	"strconv"
	"time"

	"github.com/traintop/traintop/train"
)

// countedQuantities are the quantities whose changes are kept.
var countedQuantities = [...]train.Quantity{
	train.GPUXid, train.GPUECCUncorrected, train.GPURowsRemapped, train.GPURemapPending, train.GPURemapFailed,
	train.GPUNVLinkErrors, train.GPUPCIeReplays,
}

// MaxChanges bounds the changes kept of one GPU; the oldest are dropped.
const MaxChanges = 32

// counter is the first value of a number and when it began: when it was first
// seen, was reset, or another kind of source began to report it.
type counter struct {
	quantity train.Quantity
	began    time.Time
	value    float64
}

// counterWatch detects changes of one GPU's counters. It uses the most trusted
// source, and of two of the same kind the one it used before, because they do
// not report a change at the same time.
type counterWatch struct {
	numbers []watchedNumber
	changes []train.GPUChange
	// began is the list that nodes show; nil when a counter began again.
	began []counter
	// counts are the Xids of a time window, as eventsOf last returned them.
	counts   []train.GPUEvent
	eventsOf train.GPUSource
	looked   bool
}

// watchedNumber is a counter as it was last reported.
type watchedNumber struct {
	counter
	last  float64
	trust train.GPUSource
	by    string
}

// look compares the current state of a GPU with the previous one.
func (w *counterWatch) look(state *train.GPUState, group *gpuGroup) (changed bool) {
	for _, q := range countedQuantities {
		if !state.Values.Known(q) {
			continue
		}
		n := w.number(q)
		if r := group.trustedReading(q, n); r != nil {
			changed = w.take(n, q, r) || changed
		}
	}
	return w.lookAtEvents(state) || changed
}

// number returns the state of a quantity, nil when it was never reported.
func (w *counterWatch) number(q train.Quantity) *watchedNumber {
	for i := range w.numbers {
		if w.numbers[i].quantity == q {
			return &w.numbers[i]
		}
	}
	return nil
}

// trustedReading returns the reading to use for a quantity.
func (g *gpuGroup) trustedReading(q train.Quantity, before *watchedNumber) *sourcedReading {
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

// take compares one number with its previous value.
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

// change appends a change; nodes hold the previous list.
func (w *counterWatch) change(c train.GPUChange) {
	if len(w.changes) >= MaxChanges {
		w.changes = slices.Clone(w.changes[len(w.changes)-MaxChanges+1:])
	}
	w.changes = append(w.changes, c)
}

// lookAtEvents records Xids that the gauge of the last Xid does not show, the
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
		if looked && event.Count > countOf(before, event.Name) && !w.changedTo(float64(code), state.At) {
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

// lastXid returns the value of the gauge, 0 when no source reports it.
func (w *counterWatch) lastXid() float64 {
	if n := w.number(train.GPUXid); n != nil {
		return n.last
	}
	return 0
}

// changedTo reports whether the gauge changed to a code at an instant.
func (w *counterWatch) changedTo(code float64, at time.Time) bool {
	return slices.ContainsFunc(w.changes, func(c train.GPUChange) bool {
		return c.Quantity == train.GPUXid && c.To == code && c.At.Equal(at)
	})
}

// shown returns the counters as nodes show them.
func (w *counterWatch) shown() []counter {
	if len(w.began) != len(w.numbers) {
		w.began = make([]counter, len(w.numbers))
		for i := range w.numbers {
			w.began[i] = w.numbers[i].counter
		}
	}
	return w.began
}
