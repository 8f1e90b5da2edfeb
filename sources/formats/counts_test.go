package formats

import (
	"math"
	"testing"
	"time"
)

// Counts with K and M, thousands beside decimal commas, and a name that
// contains the word nan.
func TestCountsAndNames(t *testing.T) {
	for _, c := range []struct {
		line string
		step float64
		want map[string]float64
	}{
		{"step=12k loss=2.31 lr=1e-4 tokens=1.2M", 12000, map[string]float64{"loss": 2.31, "tokens": 1.2e6}},
		{"Step 1,000 | loss: 2,345 | lr: 1,5e-4", 1000, map[string]float64{"loss": 2.345, "lr": 1.5e-4}},
		{" iteration 100/ 500 | lm loss: 9.8E+00 | grad norm: 1.2 | number of skipped iterations:   0 | number of nan iterations:   0 |", 100, map[string]float64{"loss": 9.8, "grad_norm": 1.2, "number of nan iterations": 0}},
		{"step 3 loss=nan/nan lr: 0.1", 3, map[string]float64{"loss": math.NaN(), "lr": 0.1}},
		{"step 3 loss: nan/token, lr: 0.1", 3, map[string]float64{"loss": math.NaN(), "lr": 0.1}},
		{"step 3 loss=nan/lr=0.1", 3, map[string]float64{"loss": math.NaN(), "lr": 0.1}},
		{"step: 3 loss: .nan lr: -.inf", 3, map[string]float64{"loss": math.NaN(), "lr": math.Inf(-1)}},
		{"step 3 loss 0.5 found nan/inf in 0 of 4", 3, map[string]float64{"loss": 0.5}},
		{"step 3 loss nan lr: 0.1", 3, map[string]float64{"loss": math.NaN(), "lr": 0.1}},
	} {
		p := New(Options{})
		var samples []float64
		found := map[string]float64{}
		for i := range 3 {
			for _, s := range p.Line(int64(i+1), time.Time{}, []byte(c.line)).Samples {
				samples = append(samples, s.Step)
				for _, m := range s.Metrics {
					found[m.Name] = m.Value
				}
			}
		}
		if len(samples) == 0 || samples[0] != c.step {
			t.Errorf("%s: steps %v", c.line, samples)
		}
		for name, want := range c.want {
			if got, has := found[name]; !has || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: %s is %v of %v", c.line, name, got, found)
			}
		}
		for name, got := range found {
			if want, known := c.want[name]; math.IsNaN(got) && !(known && math.IsNaN(want)) {
				t.Errorf("%s: %s is NaN", c.line, name)
			}
		}
	}
}
