package recording

import "github.com/traintop/traintop/train"

// thinCurve are the samples of a log that a snapshot keeps: the newest whole, and of the
// others the smallest and the largest of each stretch. All stretches are equally many
// samples long, however often the curve was thinned.
type thinCurve struct {
	samples []train.Sample
	// numbers are how many samples came before each, and counted is how many came in all.
	numbers []int64
	counted int64
}

// add appends samples and keeps at most that many.
func (c *thinCurve) add(more []train.Sample, most int) {
	for i := range more {
		c.samples = append(c.samples, more[i])
		c.numbers = append(c.numbers, c.counted)
		c.counted++
	}
	if len(c.samples) <= most {
		return
	}
	whole := most / 4
	for stretches := max(1, most/4); len(c.samples) > most-whole; stretches = max(1, stretches/2) {
		c.thin(len(c.samples)-whole, stretches)
		if stretches == 1 {
			break
		}
	}
	if over := len(c.samples) - most; over > 0 { // more kinds of samples than may be kept
		c.samples = append(c.samples[:0], c.samples[over:]...)
		c.numbers = append(c.numbers[:0], c.numbers[over:]...)
	}
	c.copyMetrics()
}

// copyMetrics puts the metrics of all samples into memory of their own. A parser returns
// parts of a slice that has the metrics of hundreds of samples: one kept sample would
// keep them all.
func (c *thinCurve) copyMetrics() {
	count := 0
	for i := range c.samples {
		count += len(c.samples[i].Metrics)
	}
	metrics := make([]train.Metric, 0, count)
	for i := range c.samples {
		n := len(metrics)
		metrics = append(metrics, c.samples[i].Metrics...)
		c.samples[i].Metrics = metrics[n:len(metrics):len(metrics)]
	}
}

// extremes are the samples of one kind in a stretch.
type extremes struct {
	name      string
	rank      int
	low, high int
}

// thin keeps of the first n samples the smallest and the largest of each kind, by their first
// metric, in each of so many stretches.
func (c *thinCurve) thin(n, stretches int) {
	length := max(1, c.numbers[n-1]/int64(stretches)+1)
	kept := 0
	keep := func(at int) {
		c.samples[kept], c.numbers[kept] = c.samples[at], c.numbers[at]
		kept++
	}
	var kinds []extremes
	for from := 0; from < n; {
		end := from
		kinds = kinds[:0]
		for ; end < n && c.numbers[end]/length == c.numbers[from]/length; end++ {
			kinds = c.note(kinds, end)
		}
		for at := from; at < end; at++ {
			for i := range kinds {
				if kinds[i].low == at || kinds[i].high == at {
					keep(at)
					break
				}
			}
		}
		from = end
	}
	for at := n; at < len(c.samples); at++ {
		keep(at)
	}
	clear(c.samples[kept:])
	c.samples, c.numbers = c.samples[:kept], c.numbers[:kept]
}

// note adds a sample to the extremes of its kind. One without metrics counts as the
// first and the last of its stretch.
func (c *thinCurve) note(kinds []extremes, at int) []extremes {
	name, value := first(&c.samples[at])
	for i := range kinds {
		k := &kinds[i]
		if k.name != name || k.rank != c.samples[at].Rank {
			continue
		}
		if _, low := first(&c.samples[k.low]); value < low {
			k.low = at
		}
		if _, high := first(&c.samples[k.high]); value >= high {
			k.high = at
		}
		return kinds
	}
	return append(kinds, extremes{name, c.samples[at].Rank, at, at})
}

// first returns the first metric of a sample, or its step where it has none.
func first(s *train.Sample) (name string, value float64) {
	if len(s.Metrics) == 0 {
		return "", s.Step
	}
	return s.Metrics[0].Name, s.Metrics[0].Value
}
