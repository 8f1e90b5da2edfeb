package formats

import "testing"

// Ways in which loops write their losses and positions, each beside what must not be taken for the same.
func TestWaysOfLoops(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"two brackets in front of parts of a loss", "[1/25][100/1583]\tLoss_D: 1.2\tLoss_G: 1.1\n[1/25][200/1583]\tLoss_D: 1.1\tLoss_G: 1.0\n[1/25][300/1583]\tLoss_D: 1.0\tLoss_G: 0.9\n[1/25][400/1583]\tLoss_D: 0.9\tLoss_G: 0.8", "1 step=100 epoch=1 Loss_D=1.2 Loss_G=1.1; 2 step=200 epoch=1 Loss_D=1.1 Loss_G=1; 3 step=300 epoch=1 Loss_D=1 Loss_G=0.9; 4 step=400 epoch=1 Loss_D=0.9 Loss_G=0.8"},
		{"short names of both losses", "ep 1 tl 0.52 vl 0.61\nE:2 TL:0.51 VL:0.62 VA:56.6\nepoch 3 train_l 0.51 val_l 0.63\nepoch 4 L_tr 0.51 L_te 0.64", "1 epoch=1 eval_loss=0.61 loss=0.52; 2 epoch=2 VA=56.6 eval_loss=0.62 loss=0.51; 3 epoch=3 eval_loss=0.63 loss=0.51; 4 epoch=4 eval_loss=0.64 loss=0.51"},
		{"a short name alone", "epoch 1 l=0.52 k=0.61\nepoch 2 l=0.51 k=0.62", "1 epoch=1 k=0.61 l=0.52; 2 epoch=2 k=0.62 l=0.51"},
		{"the phases behind the loss", "EPOCH 1:\n  batch 1000 loss: 1.6\nLOSS train 1.6 valid 0.42", "2 step=1000 epoch=1 loss=1.6; 3 step=1000 epoch=1 eval_loss=0.42 loss=1.6"},
		{"a total behind the word for losses", "Epoch 9 Loss => total: 55.7, g: 32.3\nEpoch 10 Loss => total: 55.4, g: 32.0", "1 epoch=9 g=32.3 loss=55.7; 2 epoch=10 g=32 loss=55.4"},
		{"a total beside parts", "step 5 total 2.31 cls 1.15 box 1.16\nstep 6: total=2.2 pde=1.2 bc=1.0", "1 step=5 box=1.16 cls=1.15 loss=2.31; 2 step=6 bc=1 loss=2.2 pde=1.2"},
		{"a total of something else", "step 5 loss 0.5\nstep 6 total: 2.31 free: 1.15\nstep 7 total: 2.31 free: 1.15", "1 step=5 loss=0.5; 2 step=6 free=1.15 total=2.31; 3 step=7 free=1.15 total=2.31"},
		{"a bar without a joint", "Epoch 1 [████░░░░] 100/1000 loss 0.5\nEpoch 1 [█████░░░] 200/1000 loss 0.4", "1 step=100 epoch=1 loss=0.5; 2 step=200 epoch=1 loss=0.4"},
		{"the count behind the cell of the phase", "Epoch 1\ntrain | 100/1000 | loss 0.5\nvalid | loss 0.6", "2 step=100 epoch=1 loss=0.5; 3 step=100 epoch=1 eval_loss=0.6"},
		{"the step in brackets behind the epoch", "Epoch [1/100] (400) train_mae: 2.2, lr: 0.1\nEpoch [2/100] (800) train_mae: 2.1, lr: 0.1", "1 step=400 epoch=1 lr=0.1 train_mae=2.2; 2 step=800 epoch=2 lr=0.1 train_mae=2.1"},
		{"letters for the epoch and the batch", "e1 i100 loss 0.5\ne1 i200 loss 0.4\ne2 | i100 | loss: 0.3", "1 step=100 epoch=1 loss=0.5; 2 step=200 epoch=1 loss=0.4; 3 step=100 epoch=2 loss=0.3"},
		{"letters of a hash", "e1 i100 lost\ne2 i200 lost", ""},
		{"a loss glued to its name", "EPOCH[1/1000] loss0.546-|Sample:9.19|\nEPOCH[2/1000] loss0.446-|Sample:9.2|", "1 epoch=1 Sample=9.19 loss=0.546; 2 epoch=2 Sample=9.2 loss=0.446"},
		{"a mean over steps", "Average loss over steps 0-100: 2.5\nAverage loss over steps 100-200: 2.4", "1 step=100 loss=2.5; 2 step=200 loss=2.4"},
		{"what was processed", "Processed 100 steps. Current loss: 2.5\nProcessed 200 steps. Current loss: 2.4", "1 step=100 loss=2.5; 2 step=200 loss=2.4"},
		{"a word behind an epoch", "[epoch 0] GAUC 0.71\n[epoch 1] GAUC 0.72", "1 epoch=0 GAUC=0.71; 2 epoch=1 GAUC=0.72"},
		{"a sentence about an epoch", "Epoch 1 took 12.5\nEpoch 2 took 12.6\nEpoch 3 started on node 1.5\nEpoch 4 started on node 2.5", ""},
		{"nnet of R", "# weights:  19\ninitial  value 3.3\niter  10 value 2.3\niter  20 value 1.3", "3 step=10 loss=2.3; 4 step=20 loss=1.3"},
		{"evaluations of several runs", "# Val Loss: 0.48, Test Accuracy: 0.80\npython run.py\n# Val Loss: 1.13, Test Accuracy: 0.73", ""},
		{"rows of a test", "tests/test_loss.py::test_loss[0.1] PASSED [ 10%]\ntests/test_loss.py::test_loss[0.2] PASSED [ 20%]", ""},
		{"a head of two lines", "                 Train             Valid\n Epoch      Loss      Acc     Loss      Acc\n     1    2.3053   0.5754   2.5162   0.5708\n     2    2.2053   0.5854   2.4162   0.5808", "3 epoch=1 accuracy=0.5754 eval_accuracy=0.5708 eval_loss=2.5162 loss=2.3053; 4 epoch=2 accuracy=0.5854 eval_accuracy=0.5808 eval_loss=2.4162 loss=2.2053"},
		{"other languages", "第 1 个epoch的训练损失为 0.53，验证损失为 0.65\nЭпоха: 2 | Лосс на обучении: 0.53 | Лосс на валидации: 0.65\nEpoche 3: Trainingsverlust 0.53, Validierungsverlust 0.65\n第4/10轮 训练loss：0.53 验证loss：0.65\nЭпоха 5, функция потерь 0.53", "1 epoch=1 eval_loss=0.65 loss=0.53; 2 epoch=2 eval_loss=0.65 loss=0.53; 3 epoch=3 eval_loss=0.65 loss=0.53; 4 epoch=4 eval_loss=0.65 loss=0.53; 5 epoch=5 loss=0.53"},
		{"what Marian validated", "[2021-05-01 10:10:00] [valid] Ep. 1 : Up. 400 : cross-entropy : 2.23 : new best", "1 step=400 epoch=1 eval_loss=2.23"},
		{"a generation of a group", "Joined group at generation 3 with assignment: {error=0, offset=4}\nJoined group at generation 4 with assignment: {error=0, offset=5}", ""},
		{"an epoch that was the best", "epoch 3 loss 0.5\nAccording to cer, epoch 2 was the best: loss = 0.3", "1 epoch=3 loss=0.5"},
		{"the result of a test below a bar", " 81% (145 of 177) |####    | Elapsed Time: 0:03:59\n100% (177 of 177) |########| Elapsed Time: 0:04:54\nTest - WER: 0.21, CER: 3.54, loss: 25.16", ""},
		{"words without a blank", "epoch 1 trainloss: 0.52 valloss: 0.61 valacc: 0.71\nepoch 2 trainloss: 0.51 valloss: 0.62 valacc: 0.72", "1 epoch=1 eval_accuracy=0.71 eval_loss=0.61 loss=0.52; 2 epoch=2 eval_accuracy=0.72 eval_loss=0.62 loss=0.51"},
		{"words that are no loss without a blank", "weightloss: 0.52\nheatloss: 0.61\nweightloss: 0.51", ""},
		{"names in front of dashes", "epoch 1 loss - 0.52 acc - 0.43\nepoch 2 loss - 0.51 acc - 0.44", "1 epoch=1 accuracy=0.43 loss=0.52; 2 epoch=2 accuracy=0.44 loss=0.51"},
		{"both losses behind a count", "[1/20] train_loss=0.52 | val_loss=0.61\n[2/20] train_loss=0.51 | val_loss=0.62", "1 epoch=1 eval_loss=0.61 loss=0.52; 2 epoch=2 eval_loss=0.62 loss=0.51"},
		{"both losses behind a count of steps", "Epoch 1/3\n[100/200] train_loss=0.52 val_loss=0.61\n[200/200] train_loss=0.51 val_loss=0.62", "2 step=100 epoch=1 eval_loss=0.61 loss=0.52; 3 step=200 epoch=1 eval_loss=0.62 loss=0.51"},
		{"on which batch", "After 100 training step(s), loss on training batch is 0.52.\nAfter 200 training step(s), loss on training batch is 0.51.", "1 step=100 loss=0.52; 2 step=200 loss=0.51"},
		{"a loss after examples", "Loss after 0100 examples: 0.52\nLoss after 0200 examples: 0.51", "1 step=100 loss=0.52; 2 step=200 loss=0.51"},
		{"a window in brackets", "Episode 100, Reward: 1.5, Avg Reward (last 100 ep): 2.5\nEpisode 200, Reward: 1.6, Avg Reward (100 ep): 2.6", "1 step=100 Avg Reward=2.5 Reward=1.5; 2 step=200 Avg Reward=2.6 Reward=1.6"},
		{"the phase behind the value", "Epoch 1\n Loss: 0.52(train)\n Loss: 0.61(valid)", "2 epoch=1 loss=0.52; 3 epoch=1 eval_loss=0.61"},
		{"a total beside losses", "epoch 1 embedding_loss=0.12, classifier_loss=0.34, total=0.46\nepoch 2 embedding_loss=0.11, classifier_loss=0.33, total=0.44", "1 epoch=1 classifier_loss=0.34 embedding_loss=0.12 loss=0.46; 2 epoch=2 classifier_loss=0.33 embedding_loss=0.11 loss=0.44"},
		{"parts of a loss beside both", "Epoch 1: train=0.52 (recon=0.4, kl=0.12) val=0.61\nEpoch 2: train=0.51 (recon=0.4, kl=0.11) val=0.62", "1 epoch=1 eval_loss=0.61 kl=0.12 loss=0.52 recon=0.4; 2 epoch=2 eval_loss=0.62 kl=0.11 loss=0.51 recon=0.4"},
		{"batches in other languages", "Эпоха [1/20], Батч: 100, Loss: 0.52\n에포크 1, 배치 200/400, 로스: 0.51\nエポック 1/20, バッチ 300/400, 損失: 0.5", "1 step=100 epoch=1 loss=0.52; 2 step=200 epoch=1 loss=0.51; 3 step=300 epoch=1 loss=0.5"},
		{"numbers of a test that look like a tutorial's", "3 5% (of 60) 2.5 MB\n12 of 20 (3 6%) 2.5", ""},
		{"an epoch that is cut short", "epo:[1/100] iter:[20/1279] loss: 2.5\nepo:[2/100] iter:[20/1279] loss: 2.25\n", "1 step=20 epoch=1 loss=2.5; 2 step=20 epoch=2 loss=2.25"},
	} {
		if got := metricsOf(c.log); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", c.about, got, c.want)
		}
	}
}
