package recording

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// A curve that is thinned again and again keeps its whole past, evenly, its newest samples
// whole, its peaks, and metrics that come rarely.
func TestThinCurvesKeepTheirPast(t *testing.T) {
	const most, steps = 109, 1363
	var c thinCurve
	for step := range steps {
		value := 3 - float64(step)/1000
		if step == 400 {
			value = 9
		}
		one := []train.Sample{{Line: int64(step), Rank: -1, Step: float64(step), HasStep: true, Metrics: []train.Metric{{Name: "loss", Value: value}}}}
		if step%200 == 199 {
			one = append(one, train.Sample{Line: int64(step), Rank: -1, Step: float64(step), HasStep: true, Metrics: []train.Metric{{Name: "eval_loss", Value: 2}}})
		}
		if c.add(one, most); len(c.samples) > most || len(c.samples) != len(c.numbers) {
			t.Fatalf("%d samples and %d numbers are kept, at most %d should be", len(c.samples), len(c.numbers), most)
		}
	}
	last, gap, evals, peak := -1.0, 0.0, 0, false
	for _, s := range c.samples {
		if s.Step < last {
			t.Fatalf("step %v is behind step %v", s.Step, last)
		}
		gap, last = max(gap, s.Step-last), s.Step
		evals += map[bool]int{true: 1}[s.Metrics[0].Name == "eval_loss"]
		peak = peak || s.Metrics[0].Value == 9
	}
	if gap > steps/10 || last != steps-1 || evals < 5 || !peak {
		t.Errorf("%d samples to step %v, the widest gap has %v steps, %d evaluations, the peak: %t", len(c.samples), last, gap, evals, peak)
	}
	if newest := c.samples[len(c.samples)-most/4:]; newest[0].Step < steps-1-most/4 {
		t.Errorf("the newest samples begin at step %v", newest[0].Step)
	}
}

// Any kinds of samples, in any amounts, stay within the limit.
func TestThinCurvesStayWithinTheirLimit(t *testing.T) {
	for _, kinds := range []int{1, 3, 40, 500} {
		var c thinCurve
		for i := range 5000 {
			c.add([]train.Sample{{Line: int64(i), Rank: i % kinds, Step: float64(i / kinds), Metrics: []train.Metric{{Name: "loss", Value: float64(i % 7)}}}}, minSamples)
			if len(c.samples) > minSamples || c.samples[len(c.samples)-1].Line != int64(i) {
				t.Fatalf("%d kinds: %d samples after %d", kinds, len(c.samples), i)
			}
		}
	}
	var c thinCurve
	many := make([]train.Sample, 10_000) // without metrics, at once
	if c.add(many, 100); len(c.samples) > 100 {
		t.Errorf("%d samples", len(c.samples))
	}
}

// A kept sample does not keep the metrics of hundreds of others, which a parser returns in
// one slice.
func TestThinCurvesOwnTheirMetrics(t *testing.T) {
	const most = 100
	shared := make([]train.Metric, most+1)
	samples := make([]train.Sample, len(shared))
	for i := range samples {
		shared[i] = train.Metric{Name: "loss", Value: 1}
		samples[i] = train.Sample{Line: int64(i), Metrics: shared[i : i+1 : i+1]}
	}
	var c thinCurve
	c.add(samples, most)
	clear(shared)
	for _, s := range c.samples {
		if s.Metrics[0] != (train.Metric{Name: "loss", Value: 1}) {
			t.Fatalf("line %d shares its metrics with those of the parser", s.Line)
		}
	}
}
