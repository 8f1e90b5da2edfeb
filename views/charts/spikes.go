package charts

import "math"

// A sample is a spike when it is above spikeFactor times the running mean
// before it (the factor of entrenar; metaseq compares with a running mean too),
// and far outside of the curve's usual noise: a loss near zero triples all the
// time.
const (
	spikeFactor  = 3
	spikeSpread  = 6  // times the mean distance from the mean
	spikeFrom    = 10 // samples needed before the first spike
	spikeForgets = 0.95
)

// spikeWatch finds spikes as samples arrive.
type spikeWatch struct {
	mean, spread float64
	seen         int
}

// add adds the next sample and reports whether it is a spike. A spike moves the
// mean no more than a sample at the limit would.
func (w *spikeWatch) add(v float64) bool {
	if !finite(v) {
		return false
	}
	limit := max(spikeFactor*w.mean, w.mean+spikeSpread*w.spread)
	spike := w.seen >= spikeFrom && w.mean > 0 && v > limit
	if spike {
		v = limit
	}
	share := max(1-spikeForgets, 1/float64(w.seen+1))
	if w.seen > 0 {
		w.spread += (math.Abs(v-w.mean) - w.spread) * share
	}
	w.mean += (v - w.mean) * share
	w.seen++
	return spike
}
