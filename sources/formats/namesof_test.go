package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// Names, steps and values of ordinary logs, each beside lines that must stay as they are.
func TestNamesStepsAndValues(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"the size of a batch behind the measurements", "[003200/50000] VIMEO  | loss 0.06 | 3.12 it/s | batch 16\n[003210/50000] WMS    | loss 0.20 | 3.11 it/s | batch 16", "1 step=3200 it_per_second=3.12 loss=0.06; 2 step=3210 it_per_second=3.11 loss=0.2"},
		{"a batch right behind an epoch", "[3/100] batch 16 loss: 0.5\n[3/100] batch 17 loss: 0.4", "1 step=16 loss=0.5; 2 step=17 loss=0.4"},
		{"a batch behind the loss of an epoch", "Epoch 3/100 loss: 0.5 batch: 16", "1 step=16 epoch=3 loss=0.5"},
		{"a number before what was measured in a phase", "0 Train accuracy: 0.90 Test accuracy 0.89\n1 Train accuracy: 0.92 Test accuracy 0.91", "1 step=0 accuracy=0.9 eval_accuracy=0.89; 2 step=1 accuracy=0.92 eval_accuracy=0.91"},
		{"a number before counts of a phase", "2 Train images: 100\n3 Test images: 20", ""},
		{"the loss behind the end of an epoch", "Epoch 9 complete. Average loss: 0.53\nEpoch 10 done. acc=0.7\nEpoch 11 completed loss: 0.4", "1 epoch=9 loss=0.53; 2 epoch=10 accuracy=0.7; 3 epoch=11 loss=0.4"},
		{"an abbreviation in a name", "Steps : 30, Mel-Spec. Error : 0.37, Avg. Loss : 0.5", "1 step=30 Mel-Spec. Error=0.37 loss=0.5"},
		{"how long an epoch took", "Epoch 1 loss: 0.5\nEpoch 1 completed in 473.85s | Avg Loss: 0.4", "1 epoch=1 loss=0.5; 2 epoch=1 loss=0.4"},
		{"the best of so many answers", "epoch: 3, top 1 acc: 0.23, top 5 acc: 0.61", "1 epoch=3 top 1 acc=0.23 top 5 acc=0.61"},
		{"a value called top", "step 3 loss 0.5 top 7", "1 step=3 loss=0.5 top=7"},
		{"rows of a table of layers", "   | Name      | Type         | Params | Mode  | FLOPs\n0  | mae       | BrainMAE     | 978 K  | train | 0\n12 | test_sens | BinaryRecall | 0      | train | 0\n13 | test_spec | BinaryRecall | 0      | train | 0", ""},
		{"a number and measurements between bars", "430 | loss 4.37 | lr 9.0e-04\n440 | loss 4.31 | lr 9.0e-04", "1 step=430 loss=4.37 lr=0.0009; 2 step=440 loss=4.31 lr=0.0009"},
		{"allocations of Julia's @time", "(:epoch, 1, :trn, 0.91, :tst, 0.92)\n  1.008728 seconds (1.45 M allocations: 254.741 MiB, 3.22% gc time)\n(:epoch, 2, :trn, 0.93, :tst, 0.94)\n  1.108728 seconds (1.46 M allocations: 255.741 MiB, 3.22% gc time)", "1 epoch=1 trn=0.91 tst=0.92; 3 epoch=2 trn=0.93 tst=0.94"},
		{"how long the stages of a detector take", "epoch 3 loss: 0.5\nspeed: {'preprocess': 0.11, 'inference': 2.2, 'loss': 0.0002, 'postprocess': 1.6}", "1 epoch=3 loss=0.5"},
		{"seconds since 1970", "time: 1591835837.72, epoch: 1, batch: 300, train loss: 0.07\ntime: 1591835867.72, epoch: 1, batch: 400, train loss: 0.06", "1 step=300 epoch=1 loss=0.07; 2 step=400 epoch=1 loss=0.06"},
		{"seconds of a step", "time: 1.72, epoch: 1, batch: 300, train loss: 0.07", "1 step=300 epoch=1 loss=0.07 step_time_s=1.72"},
		{"a count in brackets", "[TRACKING] iter=97, loss=1.34\n[LOSS EVAL 98/100] Starting evaluation...\n[TRACKING] iter=98, loss=1.35\n[LOSS EVAL 99/100] Starting evaluation...", "1 step=97 loss=1.34; 3 step=98 loss=1.35"},
		{"an accuracy in brackets", "Epoch 4 [accuracy 98/100]\nEpoch 5 [accuracy 99/100]", "1 epoch=4 accuracy=0.98; 2 epoch=5 accuracy=0.99"},
		{"hours that are left", "2603/7000: loss=1.1 hours left=9.3\n2604/7000: loss=1.2 hours left=9.2", "1 step=2603 loss=1.1; 2 step=2604 loss=1.2"},
		{"a small step of a derivative is no epoch", "e: 1e-14 Error: 0.029\ne: 1e-13 Error: 0.028\ne: 1e-12 Error: 0.027", ""},
		{"a letter before an epoch", "e: 3 loss: 0.5\ne: 4 loss: 0.4", "1 epoch=3 loss=0.5; 2 epoch=4 loss=0.4"},
		{"numbers of tokens", "Token: 9, ID: 24\nToken: 10, ID: 31\nToken: 11, ID: 2\nToken: 12, ID: 77\nToken: 13, ID: 15", ""},
		{"a number before a record", "010, train/loss: 0.12.\n020, train/loss: 0.11.", "1 step=10 loss=0.12; 2 step=20 loss=0.11"},
		{"the index of an answer", "step 4 loss: 0.5\n[DEBUG] gen[1] reward=-1.18\nstep 5 loss: 0.4\n[DEBUG] gen[1] reward=-1.17\nstep 6 loss: 0.3\n[DEBUG] gen[0] reward=-1.16", "1 step=4 loss=0.5; 3 step=5 loss=0.4; 2 step=4 reward=-1.18; 4 step=5 reward=-1.17; 5 step=6 loss=0.3; 6 step=6 reward=-1.16"},
		{"a step that a checkpoint names", "Saving dict for global step 5468: accuracy = 0.85, global_step = 5468, loss = 0.72", "1 step=5468 eval_accuracy=0.85 eval_loss=0.72"},
		{"a logger with a dotted name right before the position", "INFO:rl4co.models.zoo.eas.search:0/20 |  Reward: -15.52 \nINFO:rl4co.models.zoo.eas.search:1/20 |  Reward: -15.32 ", "1 step=0 Reward=-15.52; 2 step=1 Reward=-15.32"},
		{"a share behind its count", "step 250 loss 3.2\nHellaSwag accuracy: 3047/10042=0.3034\nstep 500 loss 3.1\nHellaSwag accuracy: 3151/10042=0.3138", "1 step=250 loss=3.2; 3 step=500 loss=3.1; 2 step=250 HellaSwag accuracy=0.3034; 4 step=500 HellaSwag accuracy=0.3138"},
		{"a measure that gets better", "Step 500 ppl: 5.4\nModel is improving ppl: inf --> 5.4.\nStep 600 ppl: 5.1\nModel is improving ppl: inf --> 5.1.", "1 step=500 ppl=5.4; 3 step=600 ppl=5.1"},
		{"a key that counts nan", `{"global_step": 7, "loss": 0.5, "number of nan iterations": 0.0}`, "1 step=7 loss=0.5 number of nan iterations=0"},
		{"the joint loss of an evaluation", "Epoch 6/500, Validation Joint Loss: 146.2, Validation MLE: 146.1\nEpoch 7/500, Validation Joint Loss: 140.2, Validation MLE: 141.1", "1 epoch=6 Validation MLE=146.1 eval_loss=146.2; 2 epoch=7 Validation MLE=141.1 eval_loss=140.2"},
		{"the only loss of a line", "Epoch 1 reconstruction loss: 0.5\nEpoch 2 reconstruction loss: 0.4", "1 epoch=1 loss=0.5; 2 epoch=2 loss=0.4"},
		{"the loss of one model", "Epoch 1 LSTM loss: 0.5, 12 s\nEpoch 2 LSTM loss: 0.4, 12 s", "1 epoch=1 loss=0.5; 2 epoch=2 loss=0.4"},
		{"the losses of two models", "Epoch 1 LSTM loss: 0.5, CNN loss: 0.6", "1 epoch=1 CNN loss=0.6 LSTM loss=0.5"},
		{"parts of a loss", "Epoch 1 recon loss: 0.5 kl loss: 0.1 loss: 0.6\nEpoch 2 recon loss: 0.4 kl loss: 0.1", "1 epoch=1 kl loss=0.1 loss=0.6 recon loss=0.5; 2 epoch=2 kl loss=0.1 recon loss=0.4"},
		{"the loss of a critic", "step 1 policy loss: 0.5\nstep 2 policy loss: 0.4", "1 step=1 policy loss=0.5; 2 step=2 policy loss=0.4"},
		{"one loss in a dict", "Losses {'ner': 172.9}\nLosses {'ner': 151.2}\nLosses {'ner': 140.3}", "1 loss=172.9; 2 loss=151.2; 3 loss=140.3"},
		{"a dict of something else", "Sizes {'ner': 172.9}\nSizes {'ner': 151.2}\nSizes {'ner': 140.3}", ""},
	} {
		if got := metricsOf(c.log); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", c.about, got, c.want)
		}
	}
}

// metricsOf returns the points of a log with all their metrics.
func metricsOf(log string) string {
	var all []string
	p := New(Options{})
	add := func(samples []train.Sample) {
		for i := range samples {
			all = append(all, metricsText(&samples[i]))
		}
	}
	for i, line := range strings.Split(log, "\n") {
		add(p.Line(int64(i+1), time.Time{}, []byte(line)).Samples)
	}
	add(p.End().Samples)
	return strings.Join(all, "; ")
}

func metricsText(s *train.Sample) string {
	text := fmt.Sprint(s.Line)
	if s.HasStep {
		text += fmt.Sprintf(" step=%v", s.Step)
	}
	if s.HasEpoch {
		text += fmt.Sprintf(" epoch=%v", s.Epoch)
	}
	var metrics []string
	for _, m := range s.Metrics {
		metrics = append(metrics, fmt.Sprintf(" %s=%v", m.Name, m.Value))
	}
	slices.Sort(metrics)
	return text + strings.Join(metrics, "")
}
