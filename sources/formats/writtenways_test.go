package formats

import "testing"

// Ways in which people write positions, each with cousins and with lines that must stay.
func TestWaysToWritePositions(t *testing.T) {
	runWays(t, []way{
		{"a batch by its letter behind the epoch's", "E03 B0010 loss: 0.5\nE03 B0020 loss: 0.4", "1 step=10 epoch=3 loss=0.5; 2 step=20 epoch=3 loss=0.4"},
		{"both in brackets", "[E1|B100] loss 0.5\n[E1|B200] loss 0.4", "1 step=100 epoch=1 loss=0.5; 2 step=200 epoch=1 loss=0.4"},
		{"a letter that no epoch goes before is a name", "B0010 loss: 0.5\nB0020 loss: 0.4", ""},
		{"capital letters", "EP01 STEP 10 - loss=0.5", "1 step=10 epoch=1 loss=0.5"},
		{"joined by a slash", "ep1/it10 train loss: 0.5", "1 step=10 epoch=1 loss=0.5"},
		{"joined by a dash", "[epoch1-step20] val_loss: 0.5", "1 step=20 epoch=1 eval_loss=0.5"},
		{"joined to their numbers by signs", "epoch_3 loss 0.5\nEpoch-4 loss 0.4\nloss 0.3 (step_50)", "1 epoch=3 loss=0.5; 2 epoch=4 loss=0.4; 3 step=50 epoch=4 loss=0.3"},
		{"a file is no position", "saved epoch_3.pt loss 0.5\nsaved /ckpt/step100/loss", ""},
		{"a count in round brackets behind the epoch", "Epoch 3/10 (20/500): loss=0.5\nEpoch 3 (40/500) loss=0.4", "1 step=20 epoch=3 loss=0.5; 2 step=40 epoch=3 loss=0.4"},
		{"the epoch once more in round brackets", "Epoch 3 (4/10) loss=0.5", "1 epoch=3 loss=0.5"},
		{"epochs of a total", "epochs: 1/20 loss=0.5\nepochs: 2/20 loss=0.4", "1 epoch=1 loss=0.5; 2 epoch=2 loss=0.4"},
		{"epochs behind their count", "1/20 epochs - loss: 0.5\n2/20 epochs - loss: 0.4", "1 epoch=1 loss=0.5; 2 epoch=2 loss=0.4"},
		{"a number of epochs is none", "epochs: 20\nlr: 0.1", ""},
		{"steps behind their number", "after 10 steps train loss: 0.5\n20 steps done, loss 0.4\n30 steps: loss=0.3", "1 step=10 loss=0.5; 2 step=20 loss=0.4; 3 step=30 loss=0.3"},
		{"steps that a mean is taken over", "loss over the last 100 steps: 0.5 step 7", "1 step=7 loss=0.5"},
		{"the position in brackets behind the name", "val_loss (step 10) = 0.5\nval_loss (step 20) = 0.4", "1 step=10 eval_loss=0.5; 2 step=20 eval_loss=0.4"},
		{"the position behind a sign", "train_loss @ step 10: 0.5", "1 step=10 loss=0.5"},
		{"the position at the end of the name", "Training loss epoch 1: 0.5\nTraining loss epoch 2: 0.4", "1 epoch=1 loss=0.5; 2 epoch=2 loss=0.4"},
		{"the rank in front", "rank=0 step 10 loss=0.5\nrank=1 step 10 loss=0.6", "1 step=10 loss=0.5; 2 step=10 loss=0.6"},
		{"a time with its zone", "2023-11-14 22:14:34.123 UTC loss: 0.5 (epoch 1)", "1 epoch=1 loss=0.5"},
		{"both glued, without a sign", "e1b100 loss=0.5\n[E01B0200] loss 0.4\nep3it500 train_loss=0.3", "1 step=100 epoch=1 loss=0.5; 2 step=200 epoch=1 loss=0.4; 3 step=500 epoch=3 loss=0.3"},
		{"a hash is no position", "e1b100 loaded 3 files\ncommit e1b1002 loss 0.5\nblob e2b300c\ne1b100 access 5 items\nloss 0.5", ""},
		{"an ordinal with a full stop", "1. epoch: loss 0.5\n2. epoch, loss 0.4\n1000. iteration loss: 0.3", "1 epoch=1 loss=0.5; 2 epoch=2 loss=0.4; 3 step=1000 epoch=2 loss=0.3"},
		{"a list of notes", "1. epoch config loaded\n2. loss weights 0.5 0.5\n3. epoch count 10", ""},
		{"seconds since 1970 in a record", `{"ts": 1700000000.12, "step": 10, "loss": 0.5}`, "1 step=10 loss=0.5"},
	})
}

// Ways in which people write values and their names.
func TestWaysToWriteValues(t *testing.T) {
	runWays(t, []way{
		{"in bold", "step 10 loss: **0.5** acc: `0.7`", "1 step=10 accuracy=0.7 loss=0.5"},
		{"in the past", "Epoch 1 loss was 0.5", "1 epoch=1 loss=0.5"},
		{"behind an arrow", "step 10 loss → 0.5 val_loss ≈ 0.6", "1 step=10 eval_loss=0.6 loss=0.5"},
		{"from one value to another", "step 10 loss 0.5 → 0.4", "1 step=10 loss=0.5"},
		{"with its spread", "step 10 loss: 0.5±0.1 acc: 0.7±0.2", "1 step=10 accuracy=0.7 loss=0.5"},
		{"with another behind a slash", "step 10 loss: 0.51/0.62 acc: 0.71/0.73", "1 step=10 accuracy=0.71 loss=0.51"},
		{"a count of right answers", "step 10 loss: 0.5 acc: 71/100", "1 step=10 accuracy=0.71 loss=0.5"},
		{"the phase in square brackets", "epoch 1 loss [train]: 0.5 loss [val]: 0.6", "1 epoch=1 eval_loss=0.6 loss=0.5"},
		{"a phase in brackets of its own", "epoch 1 [train] loss: 0.5 [val] loss: 0.6", "1 epoch=1 eval_loss=0.6 loss=0.5"},
		{"joined by a word", "epoch 1 loss 0.5 and val loss 0.6 and val acc 0.7", "1 epoch=1 eval_accuracy=0.7 eval_loss=0.6 loss=0.5"},
		{"behind a word that leads to it", "Epoch 1 - got loss 0.5\nEpoch 2 results loss: 0.4\nEpoch 3 ended with loss = 0.3", "1 epoch=1 loss=0.5; 2 epoch=2 loss=0.4; 3 epoch=3 loss=0.3"},
		{"with a unit", "step 10 loss: 0.5 nats / val_loss: 0.6 nats", "1 step=10 eval_loss=0.6 loss=0.5"},
		{"the accuracy behind the loss of an evaluation", "epoch 1 val loss: 0.5, acc: 0.7", "1 epoch=1 eval_accuracy=0.7 eval_loss=0.5"},
		{"the accuracy of training in front of it", "epoch 1 acc: 0.7, val loss: 0.5", "1 epoch=1 accuracy=0.7 eval_loss=0.5"},
		{"a remark that it is the best", "epoch 1\nval_loss: 0.5 (new best!)\nepoch 2\nval_loss: 0.4 (new best!)", "2 epoch=1 eval_loss=0.5; 4 epoch=2 eval_loss=0.4"},
		{"a best loss is a summary", "epoch 1\nloss: 0.5\nbest loss (so far): 0.4", "2 epoch=1 loss=0.5"},
		{"a tuple of Python 2", "('epoch', 1, 'loss', 0.5, 'acc', 0.7)", "1 epoch=1 accuracy=0.7 loss=0.5"},
		{"a list of words", "epoch 3 ['a', 'b', 7] loss 0.5", "1 epoch=3 loss=0.5"},
		{"a dict with a default", "defaultdict(<class 'float'>, {'epoch': 1, 'loss': 0.5})", "1 epoch=1 loss=0.5"},
		{"a call is a setting", "dict(epoch=1, lr=0.1)", ""},
		{"a dotted name", "epoch 1\n  train.loss: 0.5\n  val.loss: 0.6", "2 epoch=1 loss=0.5; 3 epoch=1 eval_loss=0.6"},
		{"a dotted logger", "epoch 1\ntrain.loop: loss 0.5", "2 epoch=1 loss=0.5"},
		{"decimal commas behind an arrow", "epoch 1 loss => 2,4736\nepoch 2 loss => 2,3736", "1 epoch=1 loss=2.4736; 2 epoch=2 loss=2.3736"},
		{"a part of a name that all lines begin with", "policy loss: 0.5 (step=10)\npolicy loss: 0.4 (step=20)\npolicy loss: 0.3 (step=30)\npolicy loss: 0.2 (step=40)", "1 step=10 policy loss=0.5; 2 step=20 policy loss=0.4; 3 step=30 policy loss=0.3; 4 step=40 policy loss=0.2"},
		{"the rate of the first group", "step 10 loss: 0.5 , LR/group0: 0.1 , LR/group1: 0.2", "1 step=10 LR/group1=0.2 loss=0.5 lr=0.1"},
	})
}

// Ways in which people lay out records: bars, tables and boxes.
func TestWaysToLayOutRecords(t *testing.T) {
	runWays(t, []way{
		{"values behind a closed bar", " 5%|▌         | 10/200 [00:01<00:19,  9.87it/s] loss: 0.5", "1 step=10 it_per_second=9.87 loss=0.5"},
		{"another record behind a closed bar", "100%|██████████| 200/200 [00:20<00:00,  9.87it/s]Epoch 3 loss: 0.5", "1 epoch=3 loss=0.5"},
		{"losses of both phases in front of a bar", "loss 0.5 | val loss 0.6:   5%|▌         | 10/200 [00:01<00:19,  9.87it/s]", "1 step=10 eval_loss=0.6 it_per_second=9.87 loss=0.5"},
		{"bars that programs draw", "[##..................] 20/200 loss 0.5\n|███                 | 30/200 loss 0.4\nTraining ━━━━╸               40/200 0:00:12 loss 0.3", "1 step=20 loss=0.5; 2 step=30 loss=0.4; 3 step=40 loss=0.3"},
		{"a count behind its percentage", " 10% (20 of 200) |##        | loss 0.5", "1 step=20 loss=0.5"},
		{"a bar of clients", "> Client Training: [===================>] 100% (10/10) Loss 2.0", ""},
		{"quotes around all cells", "\"epoch\",\"loss\"\n\"1\",\"0.5\"\n\"2\",\"0.4\"", "2 epoch=1 loss=0.5; 3 epoch=2 loss=0.4"},
		{"semicolons", "epoch;step;loss\n1;10;0.5\n1;20;0.4", "2 step=10 epoch=1 loss=0.5; 3 step=20 epoch=1 loss=0.4"},
		{"a short name of the position", "it,loss\n10,0.5\n20,0.4", "2 step=10 loss=0.5; 3 step=20 loss=0.4"},
		{"cells without a value, as Lightning's CSVLogger leaves them", "epoch,lr,step,train_loss,val_loss\n,0.1,49,,\n0,,49,0.5,\n0,,99,,0.6", "2 step=49 lr=0.1; 3 step=49 epoch=0 loss=0.5; 4 step=99 epoch=0 eval_loss=0.6"},
		{"a column of dates", "time,step,loss\n2024-05-01 10:00:00,10,0.5\n2024-05-01 10:00:10,20,0.4", "2 step=10 loss=0.5; 3 step=20 loss=0.4"},
		{"decimal commas between semicolons", "epoch;loss;val_loss\n0;0,5;0,6\n1;0,4;0,5", "2 epoch=0 eval_loss=0.6 loss=0.5; 3 epoch=1 eval_loss=0.5 loss=0.4"},
		{"tabs with nothing between", "step\tloss\teval_loss\tlr\n10\t0.5\t\t0.1\n20\t\t0.6\t", "2 step=10 loss=0.5 lr=0.1; 3 step=20 eval_loss=0.6"},
		{"commas behind which columns are aligned", "    epoch,   train/box_loss,   lr/pg0\n        1,           1.6237, 0.003321\n        2,           1.5237, 0.006321", "2 epoch=1 lr=0.003321 train/box_loss=1.6237; 3 epoch=2 lr=0.006321 train/box_loss=1.5237"},
		{"a list of records", "history: [{'step': 10, 'loss': 0.5}, {'step': 20, 'loss': 0.4}, {'step': 20, 'eval_loss': 0.6}]", "1 step=10 loss=0.5; 1 step=20 loss=0.4; 1 step=20 eval_loss=0.6"},
		{"a list that is cut", "[{\"step\": 10, \"loss\": 0.5}, {\"step\": 20, \"loss\": 0.4}, {\"step\": 30, \"lo]", "1 step=10 loss=0.5; 1 step=20 loss=0.4"},
		{"a list of results", "[{\"dataset\": 1, \"loss\": 0.5}, {\"dataset\": 2, \"loss\": 0.4}, {\"dataset\": 3, \"loss\": 0.3}, {\"dataset\": 4, \"loss\": 0.3}, {\"dataset\": 5, \"loss\": 0.2}, {\"dataset\": 6, \"loss\": 0.1}]", ""},
		{"a schedule", "schedule: [{'epoch': 0, 'lr': 0.1}, {'epoch': 30, 'lr': 0.01}]", ""},
		{"a list of ranks", "{\"rank\": [0, 1, 2], \"loss\": [0.5, 0.4, 0.3], \"accuracy\": [0.7, 0.8, 0.9]}", ""},
		{"a list of things", "[{\"id\": 1, \"score\": 0.93}, {\"id\": 2, \"score\": 0.8}]", ""},
		{"a list of settings to try", "[{\"lr\": 0.1, \"epochs\": 3, \"step_size\": 7}, {\"lr\": 0.01, \"epochs\": 3, \"step_size\": 7}]", ""},
		{"a list for each metric", "{'loss': [0.5, 0.4], 'val_loss': [0.6, None], 'val_accuracy': [0.7, 0.8]}", "1 epoch=0 eval_accuracy=0.7 eval_loss=0.6 loss=0.5; 1 epoch=1 eval_accuracy=0.8 loss=0.4"},
		{"a list for each metric and one of positions", "{\"steps\": [10, 20], \"losses\": [0.5, 0.4], \"lr\": [0.1, 0.1]}", "1 step=10 loss=0.5 lr=0.1; 1 step=20 loss=0.4 lr=0.1"},
		{"lists of ranks at one position", "{\"step\": 7, \"loss\": [0.5, 0.4], \"acc\": [0.7, 0.8]}", "1 step=7 accuracy=0.7 loss=0.5"},
		{"lists and the epoch in which the run ended", "{\"epoch\": 2, \"train_losses\": [0.5, 0.4], \"val_losses\": [0.6, 0.5], \"learning_rates\": [0.1, 0.1], \"best_epoch\": 1}", "1 epoch=0 eval_loss=0.6 loss=0.5 lr=0.1; 1 epoch=1 eval_loss=0.5 loss=0.4 lr=0.1"},
		{"lists of settings", "{\"lr\": [0.1, 0.01], \"epochs\": [1, 2], \"loss\": [\"mse\", \"mae\"]}", ""},
		{"a loss alone in a list", "{\"loss\": [0.5, 0.4]}", ""},
		{"a heading above positions and values", "Training loss per epoch:\n0: 0.5\n1: 0.4\n2: 0.3\ndone\n3: 0.2", "2 epoch=0 loss=0.5; 3 epoch=1 loss=0.4; 4 epoch=2 loss=0.3"},
		{"a heading that names the columns", "step : val loss\n10 : 0.5\n20 : 0.4\n30 : 0.3\n35 : 0.2", "2 step=10 eval_loss=0.5; 3 step=20 eval_loss=0.4; 4 step=30 eval_loss=0.3; 5 step=35 eval_loss=0.2"},
		{"a heading above percentiles", "loss:\n10: 0.12\n25: 0.33\n50: 0.51\n75: 0.77\n90: 1.20", ""},
		{"headings of other lists", "Loss weights:\n0: 1.0\n1: 0.5\n2: 0.25\nloss per class:\n0: 0.5\n1: 0.4\n2: 0.3\nVersions:\n1: 0.3\n2: 0.4\n3: 1.2", ""},
		{"tasks of srun under a heading that one of them printed", "0: training loss:\n0: 0.5\n1: 0.4\n2: 0.3\n3: 0.2", ""},
		{"another table below one with tabs", "step\tloss\teval_loss\tlr\n10\t0.5\t0.6\t0.1\nranks\tnodes\n16\t2", "2 step=10 eval_loss=0.6 loss=0.5 lr=0.1"},
		{"two rows prove nothing", "loss:\n1: 0.5\n2: 0.4", ""},
		{"a sentence with a comma", "After step one, loss\n1, 2", ""},
		{"decimal commas", "  step      loss  val_loss\n    10    2,4822    2,6822", "2 step=10 eval_loss=2.6822 loss=2.4822"},
		{"two columns between bars", "| epoch | loss |\n|---|---|\n| 1 | 0.5 |\n| 2 | 0.4 |", "3 epoch=1 loss=0.5; 4 epoch=2 loss=0.4"},
		{"two columns between drawn lines", "│ epoch │ loss │\n│ 1     │ 0.5  │\n│ 2     │ 0.4  │", "2 epoch=1 loss=0.5; 3 epoch=2 loss=0.4"},
		{"a drawn box", "┌───────┬─────┐\n│ step  │ 10  │\n│ loss  │ 0.5 │\n└───────┴─────┘", "2 step=10 loss=0.5"},
		{"a drawn box of settings", "┌───────┬─────┐\n│ seed  │ 10  │\n│ model │ gpt │\n└───────┴─────┘", ""},
		{"parts of a loss in JSON over several lines", "{\n  \"step\": 10,\n  \"loss_G\": 0.5,\n  \"loss_D\": 0.6\n}\n{\n  \"step\": 20,\n  \"loss_G\": 0.4,\n  \"loss_D\": 0.5\n}", "2 step=10 loss_D=0.6 loss_G=0.5; 7 step=20 loss_D=0.5 loss_G=0.4"},
		{"objects of phases in JSON over several lines", "{\n  \"epoch\": 1,\n  \"metrics\": {\n    \"train\": {\n      \"loss\": 0.5\n    },\n    \"val\": {\n      \"loss\": 0.6\n    }\n  }\n}", "2 epoch=1 eval_loss=0.6 loss=0.5"},
		{"an object of settings in JSON over several lines", "{\n  \"epoch\": 1,\n  \"train\": {\n    \"loss\": 0.5\n  },\n  \"optimizer\": {\n    \"lr\": 0.1\n  }\n}", ""},
		{"JSON below its position", "Epoch 1:\n{\n  \"train_loss\": 0.5,\n  \"val_loss\": 0.6\n}\nevaluation at step 20\n{\n  \"eval_loss\": 0.5,\n  \"eval_acc\": 0.7\n}", "2 epoch=1 eval_loss=0.6 loss=0.5; 7 step=20 epoch=1 eval_accuracy=0.7 eval_loss=0.5"},
		{"JSON of settings without a position", "step 5 loss 0.5\nsaved\nsettings of the sweep:\n{\n  \"train_loss\": 0.5,\n  \"val_loss\": 0.6\n}", "1 step=5 loss=0.5"},
		{"a dict of pprint", "{'epoch': 1.0,\n 'eval_accuracy': 0.7,\n 'eval_loss': 0.6}\n{'epoch': 2.0,\n 'eval_accuracy': 0.8,\n 'eval_loss': 0.5}", "1 epoch=1 eval_accuracy=0.7 eval_loss=0.6; 4 epoch=2 eval_accuracy=0.8 eval_loss=0.5"},
		{"a dict of pprint below its position", "Epoch 1\n{'loss': 0.5,\n 'eval': {'loss': 0.6}}", "2 epoch=1 eval_loss=0.6 loss=0.5"},
		{"a dict of pprint that another line cuts", "Epoch 1\n{'eval_loss': 0.6,\nsaved\nEpoch 2\n{'eval_loss': 0.5,\nsaved", "2 epoch=1 eval_loss=0.6; 5 epoch=2 eval_loss=0.5"},
		{"settings of pprint", "{'batch_size': 32,\n 'epoch': 10,\n 'lr': 0.1,\n 'model': {'width': 64},\n 'loss': 0.5}\n{'epoch': 10,\n 'lr': 0.1,\n 'amp': True,\n 'step': 3}", ""},
	})
}

type way struct{ about, log, want string }

func runWays(t *testing.T, ways []way) {
	t.Helper()
	for _, w := range ways {
		if got := metricsOf(w.log); got != w.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", w.about, got, w.want)
		}
	}
}
