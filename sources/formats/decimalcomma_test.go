package formats

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// TestDecimalCommas checks that decimals with a comma are read if the log shows that it
// writes them this way, that ambiguous values are left out, and that thousands stay
// thousands.
func TestDecimalCommas(t *testing.T) {
	for _, c := range []struct {
		name, log string
		want      []float64 // values of the loss
	}{
		{"a comma in each", "step 10 loss: 2,49 lr: 0,001\nstep 20 loss: 2,123 lr: 0,001\nstep 30 loss: 1,98765 lr: 0,001", []float64{2.49, 2.123, 1.98765}},
		{"below one", "step 10 loss=0,493\nstep 20 loss=0,381\nstep 30 loss=0,212", []float64{0.493, 0.381, 0.212}},
		{"times stay", "2026-05-01 10:00:05,123 INFO step 10 loss: 2,49\n2026-05-01 10:00:06,124 INFO step 20 loss: 2,31\n2026-05-01 10:00:07,124 INFO step 30 loss: 2,11", []float64{2.49, 2.31, 2.11}},
		{"quoted", "{\"step\": 10, \"loss\": \"2,49\"}\n{\"step\": 20, \"loss\": \"2,31\"}\n{\"step\": 30, \"loss\": \"2,11\"}", []float64{2.49, 2.31, 2.11}},
		{"points before", "step 10 loss: 2.51\nstep 20 loss: 2.49\nstep 30 loss: 2.31\nstep 40 loss: 2,49", []float64{2.51, 2.49, 2.31}},
		{"both in a line", "step 10 lr: 0.001 loss: 2,49\nstep 20 lr: 0.001 loss: 2,31\nstep 30 lr: 0.001 loss: 2,11", nil},
		{"three digits and nothing else", "step 10 loss: 2,491\nstep 20 loss: 2,312\nstep 30 loss: 2,111", nil},
		{"thousands beside points", "step 10 loss: 2.49 tps: 7,282\nstep 20 loss: 2.31 tps: 7,300\nstep 30 loss: 1,234.5 tps: 7,300", []float64{2.49, 2.31, 1234.5}},
		{"no loss by that name", "Epoch:  12, Accuracy:  0,8027785, Cross-Entropy:  0,9063346, Learning Rate: 0,006898697\nEpoch:  13, Accuracy:  0,8135563, Cross-Entropy:  0,8715954, Learning Rate: 0,006898697", []float64{0.9063346, 0.8715954}},
		{"a list of GPUs", "step 1 gpus: 0,1\nstep 10 loss: 2,491\nstep 20 loss: 2,312\nstep 30 loss: 2,111", nil},
		{"thousands with a point", "step 1 loss: 999,5\nstep 2 loss: 1.234,5\nstep 3 loss: 1.134,25 lr: 0,1\nstep 4 loss: 12.134,25", []float64{999.5, 1234.5, 1134.25, 12134.25}},
		{"thousands with a point that nothing explains", "step 1 loss: 1.234,5\nstep 2 loss: 1.134,5\nstep 3 loss: 999,5\nstep 4 loss: 1.033,5", []float64{999.5, 1033.5}},
		{"several groups of thousands with a point", "step 1 loss: 1.001.234,25\nstep 2 loss: 1.234,5", []float64{1001234.25, 1234.5}},
		{"a list behind a loss with three decimals", "step 1 loss: 1.25\nstep 2 loss: 1.234,5\nstep 3 loss: 1.134,5", []float64{1.25, 1.234, 1.134}},
		{"a comma that ends a value", "step 10, loss: 2, lr: 1\nstep 20, loss: 3, lr: 1\nstep 30, loss: 4, lr: 1", []float64{2, 3, 4}},
	} {
		p := New(Options{})
		var got []float64
		for i, line := range strings.Split(c.log, "\n") {
			for _, s := range p.Line(int64(i+1), time.Time{}, []byte(line)).Samples {
				for _, m := range s.Metrics {
					if m.Name == train.MetricLoss {
						got = append(got, m.Value)
					}
				}
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: got %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

// Of a loss that is left out no part is read as another metric.
func TestNoPartOfAnAmbiguousLossIsRead(t *testing.T) {
	p := New(Options{})
	for i, line := range []string{"step 3 loss 1,240", "step 16 | loss: 10,745", "step 17 loss: 1,240, lr 0.5", "step 18 loss: 1.234,5"} {
		for _, s := range p.Line(int64(i+1), time.Time{}, []byte(line)).Samples {
			for _, m := range s.Metrics {
				if m.Name != train.MetricLR {
					t.Errorf("%s: %s is %g", line, m.Name, m.Value)
				}
			}
		}
	}
}

// A loss that is left out counts as such, and ends the name behind it.
func TestAnAmbiguousLossIsCounted(t *testing.T) {
	p := New(Options{})
	for i, line := range []string{"epoch 1 loss 10,745 acc 0.5", "epoch 2 loss 9,123 acc 0.6"} {
		samples := p.Line(int64(i+1), time.Time{}, []byte(line)).Samples
		if len(samples) != 1 || samples[0].LeftOut != 1 || len(samples[0].Metrics) != 1 || samples[0].Metrics[0].Name != train.MetricAccuracy {
			t.Errorf("%s: %+v", line, samples)
		}
	}
	e, err := Explain(strings.NewReader("epoch 1 loss 10,745\nepoch 2 loss 9,123"), 2, Options{})
	if err != nil || !strings.Contains(e.Why, "thousands or decimals") {
		t.Errorf("%q, %v", e.Why, err)
	}
}
