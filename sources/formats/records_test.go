package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// Which lines below a position, and which rows without one, are measurements.
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
		var points []string
		p := New(Options{})
		for i, line := range strings.Split(c.log, "\n") {
			points = append(points, spell(p.Line(int64(i+1), time.Time{}, []byte(line)).Samples)...)
		}
		points = append(points, spell(p.End().Samples)...)
		if got := strings.Join(points, "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.about, got, c.want)
		}
	}
}

// A metric of a record that is null, or None, is NaN where it was a number in the records
// before. The other numbers of the line count.
func TestNullsOfRecords(t *testing.T) {
	repeat := func(n int, line string) string {
		var all []string
		for i := range n {
			all = append(all, strings.ReplaceAll(line, "#", fmt.Sprint(i)))
		}
		return strings.Join(all, "\n") + "\n"
	}
	train3 := repeat(3, `{"step":#,"loss":1.5,"grad_norm":0.5,"lr":0.1}`)
	points3 := "1 grad_norm=0.5 loss=1.5 lr=0.1\n2 grad_norm=0.5 loss=1.5 lr=0.1\n3 grad_norm=0.5 loss=1.5 lr=0.1\n"
	for _, c := range []struct{ about, log, want string }{
		{"JSON", train3 + `{"step":3,"loss":null,"grad_norm":null,"lr":0.1}` + "\n" + `{"step":4,"loss":null,"grad_norm":null,"lr":0.1}`,
			points3 + "4 grad_norm=NaN loss=NaN lr=0.1\n5 grad_norm=NaN loss=NaN lr=0.1"},
		{"a printed dict", repeat(3, `{'loss': 1.5, 'learning_rate': 0.1, 'epoch': #}`) + `{'loss': None, 'learning_rate': 0.1, 'epoch': 3}`,
			"1 loss=1.5 lr=0.1\n2 loss=1.5 lr=0.1\n3 loss=1.5 lr=0.1\n4 loss=NaN lr=0.1"},
		{"the norm beside a loss of 0", train3 + `{"step":3,"loss":0.0,"grad_norm":null,"lr":0.1}`, points3 + "4 grad_norm=NaN loss=0 lr=0.1"},
		{"the norm alone", train3 + `{"step":3,"loss":1.5,"grad_norm":null,"lr":0.1}`, points3 + "4 loss=1.5 lr=0.1"},
		{"the rate", train3 + `{"step":3,"loss":null,"grad_norm":0.5,"lr":null}`, points3 + "4 grad_norm=0.5 loss=NaN"},
		{"records of validation", repeat(4, `{"step":#,"loss":1.5,"eval_loss":null}`) + `{"step":3,"loss":null,"eval_loss":2.5}` + "\n" + `{"step":4,"loss":1.5,"eval_loss":null}`,
			"1 loss=1.5\n2 loss=1.5\n3 loss=1.5\n4 loss=1.5\n5 eval_loss=2.5\n6 loss=1.5"},
		{"a loss of validation at its end", repeat(3, `{"epoch":#,"loss":1.5,"eval_loss":2.5}`) + `{"epoch":3,"loss":1.5,"eval_loss":null}`,
			"1 eval_loss=2.5 loss=1.5\n2 eval_loss=2.5 loss=1.5\n3 eval_loss=2.5 loss=1.5\n4 eval_loss=NaN loss=1.5"},
		{"measured now and then", `{"step":0,"loss":1.5,"lr":0.1}` + "\n" + repeat(3, `{"step":1#,"loss":null,"lr":0.1}`) + `{"step":20,"loss":1.5,"lr":0.1}`,
			"1 loss=1.5 lr=0.1\n2 lr=0.1\n3 lr=0.1\n4 lr=0.1\n5 loss=1.5 lr=0.1"},
		{"settings", `{"epochs": 3, "step": 1, "lr": 0.1, "loss": null}` + "\n" + `{'lr': 0.2, 'epoch': 3, 'loss': None}`, ""},
		{"settings behind records", train3 + `{"epoch": 3, "lr": 0.2, "optimizer": null}`, strings.TrimSpace(points3)},
	} {
		var points []string
		p := New(Options{})
		for i, line := range strings.Split(c.log, "\n") {
			points = append(points, spell(p.Line(int64(i+1), time.Time{}, []byte(line)).Samples)...)
		}
		points = append(points, spell(p.End().Samples)...)
		if got := strings.Join(points, "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.about, got, c.want)
		}
	}
}

// spell writes each sample as its line and its metrics in order of their names.
func spell(samples []train.Sample) (points []string) {
	for _, s := range samples {
		var metrics []string
		for _, m := range s.Metrics {
			metrics = append(metrics, fmt.Sprintf("%s=%v", m.Name, m.Value))
		}
		slices.Sort(metrics)
		points = append(points, fmt.Sprintf("%d %s", s.Line, strings.Join(metrics, " ")))
	}
	return points
}
