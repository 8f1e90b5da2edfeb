package formats_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/train"
)

// read feeds lines to a new parser and collects its readings.
func read(o formats.Options, lines ...string) (all formats.Reading) {
	p := formats.New(o)
	take := func(r formats.Reading) {
		all.Samples = append(all.Samples, r.Samples...)
		all.Marks = append(all.Marks, r.Marks...)
		if r.Hints != nil {
			all.Hints = r.Hints
		}
	}
	for i, line := range lines {
		take(p.Line(int64(i+1), time.Time{}, []byte(line)))
	}
	take(p.End())
	return all
}

// short formats a sample: "3: rank 1 step 10 loss 2.5".
func short(s train.Sample) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d:", s.Line)
	if s.Rank >= 0 {
		fmt.Fprintf(&b, " rank %d", s.Rank)
	}
	if s.HasEpoch {
		fmt.Fprintf(&b, " epoch %g", s.Epoch)
	}
	if s.HasStep {
		fmt.Fprintf(&b, " step %g%s", s.Step, [...]string{"", " of epoch", " in samples"}[s.Scope])
	}
	for _, m := range s.Metrics {
		fmt.Fprintf(&b, " %s %g", m.Name, m.Value)
	}
	return b.String()
}

func TestSamples(t *testing.T) {
	f := func(lines string, want ...string) {
		t.Helper()
		var got []string
		for _, s := range read(formats.Options{}, strings.Split(lines, "\n")...).Samples {
			got = append(got, short(s))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s\n%s", lines, d)
		}
	}
	// The prefix of a line contains its rank, and each rank has its own position.
	f("[1,0]<stderr>:epoch: 3\n[1,1]<stderr>:epoch: 4\n[1,0]<stderr>:train loss: 0.5\n[1,1]<stderr>:train loss: 0.6",
		"3: rank 0 epoch 3 loss 0.5", "4: rank 1 epoch 4 loss 0.6")
	f("0: [RANK 3] Epoch 0 | Loss: 0.25", "1: rank 3 epoch 0 loss 0.25")
	f("2024-01-01T00:00:00.000000001Z [pod/bert-worker-0/pytorch] [rank2]: step: 5 loss: 1.5", "1: rank 2 step 5 loss 1.5")
	f("12: step 7 loss 2", "1: rank 12 step 7 loss 2")

	for _, prefix := range []string{
		"node1: ", "10.0.0.1: ", "ip-10-0-0-1: ", "worker-0  | ", "pod/train-worker-0 | ", "[titan] 2024-01-01 00:00:00,000 - root - INFO - ",
		"Mar 14 10:00:00 gpu01 python[123]: ", "03/14 10:00:00 AM ", "03/14/2023 10:00:00 - INFO - __main__ -   ", "INFO:root:", "INFO:__main__:",
		"[2023-03-14 10:00:00,123][__main__][INFO] - ", "2023-03-14 10:00:00.123 | INFO     | train:main:12 - ",
	} {
		f(prefix+"Epoch 2/10\n"+prefix+"5/20 [==>...] - ETA: 5s - loss: 0.5", "2: epoch 2 step 5 of epoch loss 0.5")
		f(prefix+"Epoch: [3][ 50/100] loss: 0.5", "1: epoch 3 step 50 of epoch loss 0.5")
	}
	f("Rank 2 | step 1 loss 0.5\n[GPU3] step 2 loss 0.5\n[cuda:4] step 3 loss 0.5",
		"1: rank 2 step 1 loss 0.5", "2: rank 3 step 2 loss 0.5", "3: rank 4 step 3 loss 0.5")

	// Of several losses one is the loss, the others keep their names.
	f("step 1 loss_cls: 0.1 total_loss: 0.9 loss scale: 65536", "1: step 1 loss_cls 0.1 loss 0.9 loss scale 65536")
	f("step 1 actor_loss 0.1 critic_loss 0.2 lr 0.1", "1: step 1 actor_loss 0.1 critic_loss 0.2 lr 0.1")

	// A record may have the name under one key and the value under another.
	f(`{"metric": "train_loss", "value": 0.3, "step": 5}`, "1: step 5 loss 0.3")
	f(`{"step": 5, "value": 0.3, "key": "val_loss", "timestamp": 1633000000}`, "1: step 5 eval_loss 0.3")
	f("{metricName: loss, metricValue: 0.3; step: 4}", "1: step 4 loss 0.3")

	// The words alone are the losses, unless they may be accuracies.
	f("Epoch 6 \u2014 train: 0.51 \u2014 val: 0.62", "1: epoch 6 loss 0.51 eval_loss 0.62")
	f("epoch 8 | train 2.3 | val 2.4", "1: epoch 8 loss 2.3 eval_loss 2.4")
	f("[Epoch 6] Evaluation metric 'epoch_loss'=5.1", "1: epoch 6 loss 5.1")

	// Parameters of an HTTP request are no measurement.
	f(`10.0.0.1 - - [10/Oct/2023:13:55:36 +0000] "GET /x?step=3&loss=1 HTTP/1.1" 200 2326`)

	// A process's number in front of a whole line is no step.
	f("[0] {'loss': 1.2, 'learning_rate': 1e-05, 'epoch': 0.1}", "1: rank 0 epoch 0.1 loss 1.2 lr 1e-05")
	f("[1] Epoch 3 loss: 0.4", "1: rank 1 epoch 3 loss 0.4")

	// Values as they are printed.
	f("step 1,024 loss 2.5 tps: 7,282 mfu: 34.29% time 562.11ms", "1: step 1024 loss 2.5 tokens_per_second 7282 mfu 34.29 step_time_ms 562.11")
	f("step: 3 loss: -inf grad_norm: NaN", "1: step 3 loss -Inf grad_norm NaN")
	f("epoch: 1, loss: 1, lr: 2", "1: epoch 1 loss 1 lr 2")
	f("step 3 loss=0.5 (0.75), acc 9590/10000", "1: step 3 loss 0.5 accuracy 0.959")

	// Steps within an epoch, in samples, and of the run.
	f("Train Epoch: 1 [640/60000 (1%)]\tLoss: 0.5", "1: epoch 1 step 640 in samples loss 0.5")
	f("Epoch [1][50/100] loss: 0.5", "1: epoch 1 step 50 of epoch loss 0.5")
	f("epoch 1 iter 5/100 global_step 105 loss 0.5", "1: epoch 1 step 105 loss 0.5")

	f("[step=2/739328,epoch=0] loss=2", "1: epoch 0 step 2 loss 2")
	f("step 4 acc: 9890/10000 (98.90%) loss 2", "1: step 4 accuracy 98.9 loss 2")
	f("epoch 1 | 5 / 10 loss=2\nepoch 1 | words/batch 906 | loss 1.5\nepoch 2 | 1 / 10 loss=1", "1: epoch 1 step 5 of epoch loss 2", "2: epoch 1 words/batch 906 loss 1.5", "3: epoch 2 step 1 of epoch loss 1")

	// A rate and a duration are no step and no loss.
	f("fps step: 51234 epoch: 1/500 frames: 65536 loss: 2", "1: epoch 1 fps step 51234 frames 65536 loss 2")
	f("epoch 1 loss 2\n====> Epoch: 1, cost 350.23 s", "1: epoch 1 loss 2")
	f("epoch=3 success. epoch cost 88 ms. train cost 87 ms. validation cost 1 ms.")
	f("epoch 604000 loss: 2", "1: epoch 604000 loss 2")

	// A word before a value shows that it is of an evaluation.
	f("Epoch 1: Train: loss 0.5 | Val: loss 0.6", "1: epoch 1 loss 0.5 eval_loss 0.6")
	f("[Valid] epoch 2 loss: 0.6", "1: epoch 2 eval_loss 0.6")
	f("/data/valid/x.py:12] epoch 2 loss: 0.6", "1: epoch 2 loss 0.6")

	// Unknown names count from their second time on, and the first one with them.
	f("epoch 1 wobble: 3\nepoch 2 wobble: 4", "1: epoch 1 wobble 3", "2: epoch 2 wobble 4")
	f("epoch 1 wobble: 3\nepoch 1 wobble: 3")

	// A summary is no point.
	f("epoch 3 loss 0.5\nfinal loss: 0.4\nBest val loss: 0.3\nAveraged stats: loss: 0.2", "1: epoch 3 loss 0.5")

	// Control characters that a collector wrote as text.
	f("\x1b[32mstep: 1\x1b[0m loss: 2#015step: 2 loss: 1", "1: step 1 loss 2", "1: step 2 loss 1")
	f(`{"log":"step 3 loss 2.5\n","stream":"stdout","time":"2024-01-01T00:00:00Z"}`, "1: step 3 loss 2.5")
	f("step：３ loss")
	f("步骤：5，损失：0.25，学习率：1e-4", "1: step 5 loss 0.25 lr 0.0001")
}

func TestSettingsAreNoSamples(t *testing.T) {
	for _, lines := range []string{
		"Namespace(batch_size=32, epoch=10, lr=0.001, loss=0.5)",
		"{'epoch': 10, 'lr': 0.001, 'shuffle': True}",
		"  lr ............ 0.00015\n  epoch ......... 3\n  loss_scale ..... 12",
		"epoch: 100\nlr: 0.1\nmomentum: 0.9\nepoch: 50\nlr: 0.2",
		"Step 3/12 : RUN pip install torch==2.1.0\nStep 4/12 : RUN pip install numpy==1.2",
		"  File \"train.py\", line 120, in <module>\n    loss = 0.0  # step 3\nValueError: loss 3 at step 12",
		"python train.py --epoch 3 --lr 0.1 --loss 0.5",
		"***** train metrics *****\n  epoch       =     3.0\n  train_loss  =  0.6521",
		"TrainOutput(global_step=4, training_loss=0.6521, metrics={'train_runtime': 4.2, 'train_loss': 0.6521, 'epoch': 1.0})",
		"wandb: train/loss 0.31\nwandb: train/global_step 5000",
		"Attempted loss scale: 65536, reducing to 32768 at step 10",
		`level=INFO msg="epoch verified" epoch=1206745 ms=9131` + "\n" + `level=INFO msg="epoch verified" epoch=1206746 ms=8724`,
		`time="2024-05-01T10:00:00Z" level=info msg="sync" step=3 total=10 duration=1.2` + "\n" + `time="2024-05-01T10:00:05Z" level=info msg="sync" step=4 total=10 duration=1.3`,
		"Epoch 00007: reducing learning rate of group 0 to 1.0000e-04.",
		"Epoch 00005: val_loss improved from 0.51 to 0.49, saving model",
		"model.safetensors: 100%|██████████| 4.97G/4.97G [00:10<00:00, 300MB/s, loss=1]",
		"Map: 100%|██████████| 1000/1000 [00:01<00:00, 912.12 examples/s]",
	} {
		if got := read(formats.Options{}, strings.Split(lines, "\n")...).Samples; len(got) > 0 {
			t.Errorf("%q gives %s", lines, short(got[0]))
		}
	}
}

func TestOutlook(t *testing.T) {
	f := func(lines string, want train.ProgressHints) {
		t.Helper()
		got := read(formats.Options{}, strings.Split(lines, "\n")...).Hints
		if got == nil {
			got = &train.ProgressHints{}
		}
		if d := cmp.Diff(want, *got); d != "" {
			t.Errorf("%s\n%s", lines, d)
		}
	}
	f(">>   Total optimization steps = 1,024\n>>   Num Epochs = 3", train.ProgressHints{TotalSteps: 1024, TotalEpochs: 3})
	f("Starting training for 5 epochs...", train.ProgressHints{TotalEpochs: 5})
	f("Starting training..., iters: 400", train.ProgressHints{TotalSteps: 400})
	f("Starting training from checkpoint, steps: 400, loss 0.5", train.ProgressHints{})
	f("Epoch [1/5], Step [10/464], loss: 2", train.ProgressHints{StepsPerEpoch: 464, TotalEpochs: 5})
	f("Iter(train) [10/270]  eta: 1 day, 0:00:27  loss: 5", train.ProgressHints{TotalSteps: 270, Remaining: 24*time.Hour + 27*time.Second, Line: 1})
	f("step 3 loss 2 remaining: 33s", train.ProgressHints{Remaining: 33 * time.Second, Line: 1})
	f("{'loss': 1, 'global_step/max_steps': '45/94', 'remaining_time': '1m 35s'}", train.ProgressHints{TotalSteps: 94, Remaining: 95 * time.Second, Line: 1})
	f("{'loss': 1, 'global_step/max_steps': '45/94', 'remaining_time': '1h 39m 38s'}", train.ProgressHints{TotalSteps: 94, Remaining: time.Hour + 39*time.Minute + 38*time.Second, Line: 1})
	f("Epoch: [67]  [10/31]  eta: 0:00:08  loss: 0.5  time: 0.4222", train.ProgressHints{StepsPerEpoch: 31})
	f("Epoch [1][1200/7517]\teta: 4:44:04, time: 0.593, loss: 0.4606", train.ProgressHints{StepsPerEpoch: 7517, Remaining: 4*time.Hour + 44*time.Minute + 4*time.Second, Line: 1})
	f("Epoch 0:  22%|██▏       | 4/18 [00:17<01:02,  4.47s/it, loss=9.926]", train.ProgressHints{StepsPerEpoch: 18})
	f("Steps:  10%|█         | 100/1000 [01:00<09:00,  1.67it/s, loss=0.1]", train.ProgressHints{TotalSteps: 1000, Remaining: 9 * time.Minute, Line: 1})
	f("[local.py:41] Setting work unit notes: 2.5 steps/s, 10.0% (100/1000), ETA: 6m (3m : 8.4% data)", train.ProgressHints{TotalSteps: 1000, Remaining: 6 * time.Minute, Line: 1})
	f("Compiling [32 / 41] cc/python_bindings.cc", train.ProgressHints{})
	f("Step 3/12 : RUN true", train.ProgressHints{})
}

func TestMarks(t *testing.T) {
	f := func(line string, want train.MarkKind) {
		t.Helper()
		got := train.MarkKind("")
		if marks := read(formats.Options{}, line).Marks; len(marks) > 0 {
			got = marks[0].Kind
		}
		if got != want {
			t.Errorf("%q marks %q, want %q", line, got, want)
		}
	}
	f("2022/08/22 15:52:50 - mmengine - INFO - Saving checkpoint at 1 epochs", train.MarkCheckpoint)
	f("  successfully saved checkpoint from iteration    1000 to /ckpt", train.MarkCheckpoint)
	f("Saving model checkpoint to out/checkpoint-500", train.MarkCheckpoint)
	f("0: Epoch 0 | Training snapshot saved at ./snapshot.pt", train.MarkCheckpoint)
	f("Checkpoints will be saved to /work by HardDiskBackend.", "")
	f("Did not save the model output_dir/pytorch_model.bin because a flag is False", "")
	f("Resuming from checkpoint out/checkpoint-500", train.MarkResumed)
	f("=> loaded checkpoint 'model.pth' (epoch 90)", train.MarkResumed)
	f("Loading checkpoint shards:  50%|█████     | 2/4 [00:04<00:04,  2.1s/it]", "")
	f("resume: False", "")
	f("Training completed. Do not forget to share your model", train.MarkFinished)
	f("`Trainer.fit` stopped: `max_epochs=10` reached.", train.MarkFinished)
	f("[Rank 0] 训练完成！", train.MarkFinished)
	f("Optimization Finished!", train.MarkFinished)
	f("Epoch 3 training finished", "")
}

// A line that reports that the model was saved as training ended is both.
func TestSavedAtTheEndIsFinished(t *testing.T) {
	for line, want := range map[string]string{
		"INFO train: training finished, model saved to /out":            "[checkpoint finished]",
		"Training complete. Best model saved at checkpoints/best.pt":    "[checkpoint finished]",
		"Epoch 3 training finished, saving checkpoint to /ckpt/epoch-3": "[checkpoint]",
		"Finished training step 400, saved checkpoint to /ckpt":         "[checkpoint]",
	} {
		var kinds []train.MarkKind
		for _, m := range read(formats.Options{}, line).Marks {
			kinds = append(kinds, m.Kind)
		}
		if got := fmt.Sprint(kinds); got != want {
			t.Errorf("%q marks %s, want %s", line, got, want)
		}
	}
}

func TestMarksKnowTheStep(t *testing.T) {
	marks := read(formats.Options{}, "step 40 loss 2", "saving checkpoint to out").Marks
	if len(marks) != 1 || !marks[0].HasStep || marks[0].Step != 40 || marks[0].Line != 2 {
		t.Errorf("got %+v", marks)
	}
}

func TestPersonalPatterns(t *testing.T) {
	patterns, err := formats.Compile([]formats.Pattern{{
		Name: "mine", Match: `<<(?P<step>\d+) of (?P<total>\d+)>> (?P<loss>\S+) (?P<wobble>\S+)`, Example: "<<3 of 10>> 0.5 7",
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := read(formats.Options{Patterns: patterns}, "<<4 of 10>> nan 8")
	if len(got.Samples) != 1 || short(got.Samples[0]) != "1: step 4 loss NaN wobble 8" || got.Hints == nil || got.Hints.TotalSteps != 10 {
		t.Errorf("got %+v", got)
	}
}

func TestPatternsSayWhatIsWrong(t *testing.T) {
	f := func(p formats.Pattern, want string) {
		t.Helper()
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", p, err, want)
		}
	}
	f(formats.Pattern{Name: "a", Match: `(?P<loss`, Example: "x"}, `pattern "a": error parsing regexp`)
	f(formats.Pattern{Name: "b", Match: `loss (\S+)`, Example: "loss 1"}, "no named group")
	f(formats.Pattern{Name: "c", Match: `loss (?P<loss>\S+)`}, "no example")
	f(formats.Pattern{Name: "d", Match: `loss (?P<loss>\S+)`, Example: "loss none"}, "does not read a number from its example")
}

// Random lines of words and numbers, without a step and a loss, are no samples however
// often they occur.
func TestNothingIsInvented(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"pod", "node", "cache", "worker", "took", "ms", "bytes", "=", ":", "|", "[", "]", "(", ")", "-", "loading", "rank", "INFO", "3/4", "50%", "12:00:01", "0x1f", "v1.2.3"}
	p := formats.New(formats.Options{})
	for n := range int64(20000) {
		var line strings.Builder
		for range r.IntN(12) {
			if r.IntN(3) == 0 {
				fmt.Fprintf(&line, "%g ", r.Float64()*100)
			} else {
				line.WriteString(words[r.IntN(len(words))] + " ")
			}
		}
		if got := p.Line(n, time.Time{}, []byte(line.String())); len(got.Samples) > 0 {
			t.Fatalf("%q gives %s", line.String(), short(got.Samples[0]))
		}
	}
}
