package formats

import "testing"

// Two numbers in front of a record are its epoch and its step once they have grown.
func TestPairsAtTheHead(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"a colon", "1:100 train loss 0.5\n1:200 train loss 0.4\n2:100 train loss 0.3", "1 step=100 epoch=1 loss=0.5; 2 step=200 epoch=1 loss=0.4; 3 step=100 epoch=2 loss=0.3"},
		{"brackets", "(0, 0) => loss 0.5\n(0, 10) => loss 0.4\n(0, 20) => loss 0.3", "1 step=0 epoch=0 loss=0.5; 2 step=10 epoch=0 loss=0.4; 3 step=20 epoch=0 loss=0.3"},
		{"a dash", "1-100 | loss: 0.5\n1-200 | loss: 0.4\n1-300 | loss: 0.3\n1-400 | accuracy: 0.7", "1 step=100 epoch=1 loss=0.5; 2 step=200 epoch=1 loss=0.4; 3 step=300 epoch=1 loss=0.3; 4 step=400 epoch=1"},
		{"an angle", "<1, 100> loss 0.5\n<1, 200> loss 0.4\n<1, 300> loss 0.3", "1 step=100 epoch=1 loss=0.5; 2 step=200 epoch=1 loss=0.4; 3 step=300 epoch=1 loss=0.3"},
		{"a second number that does not grow", "(1, 64) loss 0.5\n(2, 64) loss 0.4\n(3, 64) loss 0.3", "1 loss=0.5; 2 loss=0.4; 3 loss=0.3"},
		{"two records prove nothing", "(1, 100) => loss 0.5\n(1, 200) => loss 0.4", "1 loss=0.5; 2 loss=0.4"},
		{"times of day without a loss", "10:30 node 3.5 ready\n10:31 node 4.5 ready\n10:32 node 5.5 ready", ""},
		{"pairs of a match", "1:100 score 0.5 of hosts\n1:200 score 0.4 of hosts\n1:300 score 0.3 of hosts", ""},
		{"thousands", "1,100, loss 0.5\n1,200, loss 0.4\n1,300, loss 0.3\n1,400, loss 0.2\n1,500, loss 0.1", "1 step=1100 loss=0.5; 2 step=1200 loss=0.4; 3 step=1300 loss=0.3; 4 step=1400 loss=0.2; 5 step=1500 loss=0.1"},
	} {
		if got := pointsOf(c.log); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", c.about, got, c.want)
		}
	}
}

// Positions and values that are written in other ways, each beside what must not be taken for
// the same.
func TestMoreWaysToWriteARecord(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"two n/N", "1/20 300/4000 loss 0.5\n1/20 400/4000 loss 0.4", "1 step=300 epoch=1 loss=0.5; 2 step=400 epoch=1 loss=0.4"},
		{"two n/N of nodes", "3/4 3/4 nodes 71.9\n3/4 4/4 nodes 72.9", ""},
		{"a counter and its total", "0 300: loss 0.9\n1 300: loss 0.8\n2 300: loss 0.7\n3 300: loss 0.6\n4 300: loss 0.5", "1 step=0 loss=0.9; 2 step=1 loss=0.8; 3 step=2 loss=0.7; 4 step=3 loss=0.6; 5 step=4 loss=0.5"},
		{"a number behind the epoch", "Epoch 1 300: loss 0.5\nEpoch 1 400 loss 0.4", "1 step=300 epoch=1 loss=0.5; 2 step=400 epoch=1 loss=0.4"},
		{"the size of the epoch behind it", "Epoch 0 300: loss=3.0\nEpoch 1 300: loss=2.9\nEpoch 2 300: loss=2.8", "1 epoch=0 loss=3; 2 epoch=1 loss=2.9; 3 epoch=2 loss=2.8"},
		{"a size with two records of each epoch", "Epoch 0 300: loss=3.0\nEpoch 0 300: val_loss=3.1\nEpoch 1 300: loss=2.9\nEpoch 1 300: val_loss=3.0", "1 epoch=0 loss=3; 2 epoch=0 eval_loss=3.1; 3 epoch=1 loss=2.9; 4 epoch=1 eval_loss=3"},
		{"one record with a number behind the epoch", "Epoch 1 300: loss 0.5", "1 step=300 epoch=1 loss=0.5"},
		{"samples behind the epoch", "Epoch 1 300 samples, loss 0.5", "1 epoch=1 loss=0.5"},
		{"brackets in front of the word", "[3/20] epoch: loss 0.5\n[4/20] epoch. Avg loss: 0.4", "1 epoch=3 loss=0.5; 2 epoch=4 loss=0.4"},
		{"letters for epoch and batch", "e=1 b=300 loss=0.5\ne=1 b=400 loss=0.4", "1 step=300 epoch=1 loss=0.5; 2 step=400 epoch=1 loss=0.4"},
		{"a dash in front of the value", "Epoch 1 - loss - 0.5\nEpoch 2 - loss - 0.4", "1 epoch=1 loss=0.5; 2 epoch=2 loss=0.4"},
		{"a dash between fields", "Epoch 1 - 0.5s - loss: 0.5", "1 epoch=1 loss=0.5"},
		{"a dash that joins the value", "Epoch-0460: Valid_loss-9.30670357, cost time-0.1729s", "1 epoch=460 eval_loss=9.30670357"},
		{"a version behind a dash", "Epoch 3 loaded focal_loss-2", ""},
		{"the loss of validation in brackets", "step 100 loss 0.5 (val 0.6)\nstep 200 loss 0.4 (val 0.5)", "1 step=100 loss=0.5 eval_loss=0.6; 2 step=200 loss=0.4 eval_loss=0.5"},
		{"the mean in brackets", "step 100 loss 0.5 (mean 0.6)", "1 step=100 loss=0.5"},
		{"two letters for validation", "Epoch 3, Tr. loss 0.5 Va. loss 0.6", "1 epoch=3 loss=0.5 eval_loss=0.6"},
		{"a loss in small letters behind an accuracy of validation", "[001/005] Train Acc: 0.421898 Loss: 2.086656 | Val Acc: 0.440558 loss: 1.971946", "1 epoch=1 loss=2.086656 eval_loss=1.971946"},
		{"a record in the two cells of a row", "| Epoch   2 | Train: loss=2.257, acc= 39.6% |\n| Epoch   4 | Train: loss=2.272, acc= 39.6% |", "1 epoch=2 loss=2.257; 2 epoch=4 loss=2.272"},
		{"a number and what it measures, without a sign", "   1 train loss  0.64516 test acc: 91.65% duration 7.57s\n   2 train loss  0.40602 test acc: 94.74% duration 7.01s", "1 step=1 loss=0.64516; 2 step=2 loss=0.40602"},
		{"an error without a sign", "iterations 5000 error 0.0009128 rate 0.06\niterations 10000 error 0.0006627 rate 0.06", "1 step=5000 loss=0.0009128; 2 step=10000 loss=0.0006627"},
		{"the sum and the mean of a loss", `{"name": "validation", "epoch": 12, "cumulative loss": 57.67, "average loss": 2.74}`, "1 epoch=12 eval_loss=2.74"},
		{"what sums up an evaluation", "Epoch: [1]  [8/9]  eta: 0:00:17  loss: 0.0938 (0.1454)  lr: 0.000100\nEpoch: [1] Total time: 0:02:37 (17.5319 s / it)\n[Train] averaged stats: loss: 0.0938 (0.1454)  lr: 0.000100\n[Val] averaged stats: loss: 0.0732 (0.0732)", "1 step=8 epoch=1 loss=0.0938 lr=0.0001; 4 step=8 epoch=1 eval_loss=0.0732"},
		{"the phase counts", "Train 159, loss: 1.38, train acc: 0.95\nTest 159, loss: 1.40, test acc: 0.93\nTrain 160, loss: 1.37, train acc: 0.95\nTest 160, loss: 1.39, test acc: 0.94", "1 step=159 loss=1.38; 3 step=160 loss=1.37; 2 step=159 eval_loss=1.4; 4 step=160 eval_loss=1.39"},
		{"a counter with a name that no table has", "-------第 1 轮训练开始------\n训练次数：100, Loss：1.98\n训练次数：200, Loss：1.90\n训练次数：300, Loss：1.73\n整体测试集上的Loss: 262.6\n-------第 2 轮训练开始------\n训练次数：800, Loss：1.25\n训练次数：900, Loss：1.14", "2 step=100 epoch=1 loss=1.98; 3 step=200 epoch=1 loss=1.9; 4 step=300 epoch=1 loss=1.73; 5 step=300 epoch=1 eval_loss=262.6; 7 step=800 epoch=2 loss=1.25; 8 step=900 epoch=2 loss=1.14"},
		{"a size is no counter", "Epoch 1\nsize: 64, loss: 0.5\nsize: 64, loss: 0.4\nsize: 64, loss: 0.3", "2 epoch=1 loss=0.5; 3 epoch=1 loss=0.4; 4 epoch=1 loss=0.3"},
		{"the line of a file is no counter", "Epoch 1\ntrain.py:64: loss: 0.5\ntrain.py:64: loss: 0.4\ntrain.py:64: loss: 0.3", "2 epoch=1 loss=0.5; 3 epoch=1 loss=0.4; 4 epoch=1 loss=0.3"},
		{"a tuple of names and one of values", "(i, loss(x...)) = (1, 0.5 (tracked))\n(i, loss(x...)) = (2, 0.4 (tracked))", "1 step=1 loss=0.5; 2 step=2 loss=0.4"},
		{"a tuple of shapes", "(rows, columns) = (3, 0.5)\n(rows, columns) = (4, 0.4)", ""},
		{"rows that name their epoch below a heading", "Training Loss (per epoch)\nEpoch  0: +29.87  (first)\nEpoch 10: -56.86\nEpoch 20: -90.63", "2 epoch=0 loss=29.87; 3 epoch=10 loss=-56.86; 4 epoch=20 loss=-90.63"},
	} {
		if got := pointsOf(c.log); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", c.about, got, c.want)
		}
	}
}

// A line may end anywhere behind its numbers.
func TestPairsAtTheEndOfALine(t *testing.T) {
	for _, text := range []string{"3 100.", "3 100", "3:100.", "(3, 100)", "(3, 100).", "3 100.5", "3 100. ", "[3", "3:"} {
		if _, _, _, rest, ok := pairAtHead([]byte(text)); ok {
			t.Errorf("%q has a record behind its numbers: %q", text, rest)
		}
	}
}
