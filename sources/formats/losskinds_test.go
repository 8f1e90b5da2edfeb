package formats

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// The position of losses is learned where no word states it.
func TestPositionsAreLearned(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"no number grows: the records are counted", "loss: 5.5\nloss: 4.5\nloss: 3.5\nloss: 2.5\nloss: 1.5\nloss: 0.5", "1@1 2@2 3@3 4@4 5@5 6@6"},
		{"too few records are not counted", "loss: 5.5\nloss: 4.5\nloss: 3.5\nloss: 2.5", "1 2 3 4"},
		{"one record is none", "loss: 5.5", ""},
		{"a number grows by steady steps", "shard 10: loss 5.5\nshard 20: loss 4.5\nshard 30: loss 3.5\nshard 40: loss 2.5\nshard 50: loss 1.5", "1@10 2@20 3@30 4@40 5@50"},
		{"it starts anew", "shard 1: loss 5.5\nshard 2: loss 4.5\nshard 1: loss 3.5\nshard 2: loss 2.5\nshard 1: loss 1.5\nshard 2: loss 0.5", "1@1 2@2 3@1 4@2 5@1 6@2"},
		{"a number that grows unsteadily is no step", "seen 10: loss 5.5\nseen 20: loss 4.5\nseen 31: loss 3.5\nseen 40: loss 2.5\nseen 50: loss 1.5", "1@1 2@2 3@3 4@4 5@5"},
		{"a number that stays is no step", "gpu 7: loss 5.5\ngpu 7: loss 4.5\ngpu 7: loss 3.5\ngpu 7: loss 2.5\ngpu 7: loss 1.5", "1@1 2@2 3@3 4@4 5@5"},
		{"kinds are counted apart", strings.Repeat("train loss: 5.5\nval loss: 4.5\ntrain loss: 3.5\nval loss: 2.5\n", 3), "1@1 3@2 5@3 7@4 9@5 2@1 4@2 6@3 8@4 10@5 11@6 12@6"},
		{"the position comes later", "loss: 5.5\nloss: 4.5\nstep 30 loss: 3.5\nloss: 2.5", "1 2 3@30 4@30"},
		{"steps were announced", "Total optimization steps = 97\nloss: 5.5\nloss: 4.5\nloss: 3.5\nloss: 2.5\nloss: 1.5", "2 3 4 5 6"},
		{"each loss is above its position", "loss: 5.5\nround 1 accuracy: 0.5\nloss: 4.5\nround 2 accuracy: 0.6\nloss: 3.5\nround 3 accuracy: 0.7", "2@1 1@1 3@2 4@2 5@3 6@3"},
		{"the position below it never comes", "loss: 5.5\nround 1 accuracy: 0.5\nloss: 4.5\nround 2 accuracy: 0.6\nloss: 3.5", "2@1 1@1 3@2 4@2 5@2"},
		{"a header below the first loss leads the next", "loss: 5.5\nEpoch 1\nloss: 4.5\nEpoch 2\nloss: 3.5", "3 5"},
		{"an error alone is quiet", "error: 5.5\nerror: 4.5\nerror: 3.5\nerror: 2.5\nerror: 1.5\nerror: 0.5", ""},
		{"an error beside a growing number is quiet", "tile 1 error: 5.5\ntile 2 error: 4.5\ntile 3 error: 3.5\ntile 4 error: 2.5\ntile 5 error: 1.5", ""},
		{"an error above its position", "total error: 5.5\nround 1 accuracy: 0.5\ntotal error: 4.5\nround 2 accuracy: 0.6\ntotal error: 3.5\nround 3 accuracy: 0.7", "2@1 1@1 3@2 4@2 5@3 6@3"},
		{"nan is a number", "shard 1: loss 5.5\nshard 2: loss 4.5\nshard 3: loss nan\nshard 4: loss 2.5\nshard 5: loss 1.5", "1@1 2@2 3@3 4@4 5@5"},
	} {
		var points []string
		p := New(Options{})
		take := func(samples []train.Sample) {
			for i := range samples {
				if s := &samples[i]; s.HasStep {
					points = append(points, fmt.Sprintf("%d@%v", s.Line, s.Step))
				} else {
					points = append(points, fmt.Sprint(s.Line))
				}
			}
		}
		for i, line := range strings.Split(c.log, "\n") {
			take(p.Line(int64(i+1), time.Time{}, []byte(line)).Samples)
		}
		take(p.End().Samples)
		if got := strings.Join(points, " "); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.about, got, c.want)
		}
	}
}

// The learned state stays bounded, and costs nothing for each line.
func TestLearningPositionsIsBounded(t *testing.T) {
	p := New(Options{})
	for i := range 20 * mostKinds {
		p.Line(int64(i+1), time.Time{}, fmt.Appendf(nil, "%c%c loss: %d.5", 'a'+i%20, 'a'+i/20%20, i))
	}
	if n := len(p.kinds.known); n > mostKinds {
		t.Errorf("%d kinds are kept, more than %d", n, mostKinds)
	}
	var values [mostNumbers]float64
	text := []byte("shard 10 of 30: loss 5.5, nan, 1e-05, -3, conv1 12%")
	if n := testing.AllocsPerRun(100, func() { kindKey(text, 0, &values) }); n > 0 {
		t.Errorf("the key of a kind costs %v allocations", n)
	}
	want := "[10 30 NaN NaN NaN NaN NaN NaN]"
	if got := fmt.Sprint(values); got != want {
		t.Errorf("the numbers are %s, want %s", got, want)
	}
}

// The error of a log that names no loss is its loss.
func TestErrorsAreLosses(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"no loss is named", "round 1 error: 5.5\nround 2 training error = 4.5", "1 loss=5.5\n2 loss=4.5"},
		{"a loss is named", "round 1 loss: 5.5\nround 2 error: 4.5", "1 loss=5.5\n2 error=4.5"},
		{"a share", "round 1 error: 5.5%", "1 error=5.5"},
		{"a count", "round 1 error: 5", "1 error=5"},
		{"of evaluation", "round 1 test error: 5.5", "1 test error=5.5"},
		{"of another kind", "round 1 reprojection error: 5.5", "1 reprojection error=5.5"},
		{"losses of both parts", "round 1 | train: 9.5% loss= 5.5 | test: 10.5% loss= 4.5", "1 eval_loss=4.5 loss=5.5 test=10.5 train=9.5"},
		{"the rest of an accuracy", "round 1 error: 0.2 accuracy: 0.8\nround 2 error: 30.5% accuracy: 69.5%", "1 accuracy=0.8 error=0.2\n2 accuracy=69.5 error=30.5"},
		{"beside an accuracy", "round 1 error: 5.5 accuracy: 0.5", "1 accuracy=0.5 loss=5.5"},
		{"of training and of evaluation", "epoch 1: train nll 5.5, valid nll 6.5\nepoch 2, train_err: 4.5, val_err: 5.5\nepoch 3 test MSE = 0.5", "1 eval_loss=6.5 loss=5.5\n2 eval_loss=5.5 loss=4.5\n3 test MSE=0.5"},
		{"the name of an objective", "step 1 bce 5.5\nstep 2 ce=4.5 acc=0.5\nstep 3 mse: 0.5, psnr: 12.5\nstep 4 mse: 0.5, mae: 0.4", "1 loss=5.5\n2 accuracy=0.5 loss=4.5\n3 mse=0.5 psnr=12.5\n4 mae=0.4 mse=0.5"},
		{"of a booster", "[1]\ttrain-logloss:0.5\n[2]\ttrain-logloss:0.4", "1 train-logloss=0.5\n2 train-logloss=0.4"},
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
