package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// What is a measurement of the lines below a position, and of rows without one.
func TestRecordsWithoutAPosition(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"a setting stays", "Step 2: load\nTraining samples: 536\nStep 4: train\nTraining samples: 536\nStep 6: judge\nTraining samples: 536", ""},
		{"a measurement changes", "Step 2: load\nmean residual: 5.5\nStep 4: train\nmean residual: 4.5", "2 mean residual=5.5\n4 mean residual=4.5"},
		{"a duration alone", "step 18\nweights updated, time cost: 2.26s\nstep 19\nweights updated, time cost: 2.70s\nstep 20\nweights updated, time cost: 2.56s", ""},
		{"a loss behind a metric of evaluation", "epoch:0 train step:10 loss: 11.5\nEND valid top1: 0.01 top5: 0.06 loss: 8.25", "1 loss=11.5\n2 END valid top1=0.01 eval_loss=8.25 top5=0.06"},
		{"a loss of training behind it", "epoch:0 train step:10 loss: 11.5\nvalid top1: 0.01 train loss: 8.25", "1 loss=11.5"},
		{"a loss behind a setting of evaluation", "epoch:0 train step:10 loss: 11.5\nEpoch 1\nval_split: 0.2 loss: 8.25", "1 loss=11.5\n3 loss=8.25 val_split=0.2"},
		{"names joined by a comma", "step 10 loss 23.5\nloss_a,loss_b 7.5 5.5\nstep 20 loss 22.5\nloss_a,loss_b 6.5 4.5", "1 loss=23.5\n3 loss=22.5\n2 loss_a=7.5 loss_b=5.5\n4 loss_a=6.5 loss_b=4.5"},
		{"names joined, with another number of values", "Epoch: [0][10/400]\tLoss 23.5\nEpoch: [0][20/400] train,loss 7.5", "1 loss=23.5\n2 loss=7.5"},
		{"columns of losses", "total loss\tbox loss\tclass loss\n46.5\t0.25\t0.5", "2 box loss=0.25 class loss=0.5 loss=46.5"},
		{"numbers without tabs below them", "total loss\tbox loss\tclass loss\n46.5 0.25 0.5", ""},
		{"the best so far behind a loss", "Epoch 4 - loss=3.25\nValidation - loss=2.5 best_loss=2.75", "1 loss=3.25\n2 best_loss=2.75 eval_loss=2.5"},
		{"the best so far before a loss", "Epoch 4 - loss=3.25\nbest_loss=2.75 best epoch=3 loss=2.5", "1 loss=3.25"},
		{"a word of the best so far", "Epoch 4 - loss=3.25\nValidation - loss=2.5 is the best", "1 loss=3.25"},
		{"letters of two losses", "Epoch 1 | L: 3.5, A: 8.5% | VL: 3.25, VA: 10.5%", "1 A=8.5 VA=10.5 eval_loss=3.25 loss=3.5"},
		{"a letter alone", "Epoch 1 | L: 3.5 | K: 3.25", ""},
		{"columns that are not all losses", "name\tbox loss\tclass loss\n46.5\t0.25\t0.5", ""},
	} {
		var told []string
		p := New(Options{})
		for i, line := range strings.Split(c.log, "\n") {
			told = append(told, spell(p.Line(int64(i+1), time.Time{}, []byte(line)).Samples)...)
		}
		told = append(told, spell(p.End().Samples)...)
		if got := strings.Join(told, "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.about, got, c.want)
		}
	}
}

// spell writes each sample as its line and its metrics in order of their names.
func spell(samples []train.Sample) (told []string) {
	for _, s := range samples {
		var metrics []string
		for _, m := range s.Metrics {
			metrics = append(metrics, fmt.Sprintf("%s=%v", m.Name, m.Value))
		}
		slices.Sort(metrics)
		told = append(told, fmt.Sprintf("%d %s", s.Line, strings.Join(metrics, " ")))
	}
	return told
}
