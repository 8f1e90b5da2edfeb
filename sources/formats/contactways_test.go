package formats

import "testing"

// Ways that logs of people's own loops showed at first contact, each beside what must not be taken
// for the same.
func TestWaysOfFirstContact(t *testing.T) {
	runWays(t, []way{
		{"steps that grow with the epoch", "epoch: 1, lr: 3e-05, steps: 1797 - train loss: 3.0 - valid loss: 2.0\nepoch: 2, lr: 7e-05, steps: 3594 - train loss: 2.5 - valid loss: 1.7", "1 step=1797 epoch=1 eval_loss=2 loss=3 lr=3e-05; 2 step=3594 epoch=2 eval_loss=1.7 loss=2.5 lr=7e-05"},
		{"steps that each epoch has", "epoch: 1, steps: 225 - train loss: 3.0 - valid loss: 2.0\nepoch: 2, steps: 225 - train loss: 2.5 - valid loss: 1.7", "1 epoch=1 eval_loss=2 loss=3; 2 epoch=2 eval_loss=1.7 loss=2.5"},
		{"one record with steps", "epoch: 1, steps: 225 - train loss: 3.0 - valid loss: 2.0\nsaved", "1 epoch=1 eval_loss=2 loss=3"},
		{"operations in a second", "step 10 loss 2.5 239.8 TFLOP/s/GPU\nstep 11 loss 2.4 throughput: 240.1 TFLOPs/s/GPU", "1 step=10 loss=2.5 tflops=239.8; 2 step=11 loss=2.4 tflops=240.1"},
		{"a letter and its mean", "[Epoch: 01] [Batch: 0651/1425] L: 0.397  Avg L: 0.440\n[Epoch: 01] [Batch: 0701/1425] L: 0.405  Avg L: 0.439", "1 step=651 epoch=1 Avg L=0.44 loss=0.397; 2 step=701 epoch=1 Avg L=0.439 loss=0.405"},
		{"a letter and something else", "epoch 1 L: 0.397  Max L: 0.440\nepoch 2 L: 0.396  Max L: 0.430", "1 epoch=1 L=0.397 Max L=0.44; 2 epoch=2 L=0.396 Max L=0.43"},
		{"settings of a run with a number", "=== run_36 start params={'base_lr': 0.013, 'head_lr': 6.8e-05, 'epoch': 11} ===\n[run_36][Epoch 0] val_acc=0.56\n[run_36][Epoch 1] val_acc=0.65", "2 epoch=0 eval_accuracy=0.56; 3 epoch=1 eval_accuracy=0.65"},
		{"a tab behind a bar", " 10%|█▍        | 1/10 [00:15<02:21, 15.76s/it]\tTrain Loss:   5.035\n\tValid Loss:   4.991\n 20%|██▉       | 2/10 [00:31<02:05, 15.71s/it]\tTrain Loss:   4.399\n\tValid Loss:   4.661", "1 step=1 it_per_second=0.06345177664974619 loss=5.035; 2 step=1 eval_loss=4.991; 3 step=2 it_per_second=0.06365372374283895 loss=4.399; 4 step=2 eval_loss=4.661"},
		{"a value in a tag", "Epoch: 1, Train Loss: 0.398, Validation Loss: <b>0.441</b>\nEpoch: 2, Train Loss: <strong>0.38</strong>, Validation Loss: 0.447", "1 epoch=1 eval_loss=0.441 loss=0.398; 2 epoch=2 eval_loss=0.447 loss=0.38"},
		{"a bound is no tag", "Epoch: 1, Train Loss: 0.398, Validation Loss: a>0.441", "1 epoch=1 loss=0.398"},
		{"the batch of the whole run", "Epoch 1, batch 49, global_batch_idx: 50, loss: 0.068\nEpoch 1, batch 99, global_batch_idx: 100, loss: 0.067", "1 step=50 epoch=1 batch=49 loss=0.068; 2 step=100 epoch=1 batch=99 loss=0.067"},
		{"an error that is no level", "== EPOCH:  0 / 5  ==\nError:  9.158\n== EPOCH:  1 / 5  ==\nError:  8.207", "2 epoch=0 loss=9.158; 4 epoch=1 loss=8.207"},
		{"a level that is no error", "Error: epoch 3 loss: 0.5\nERROR: 404", "1 epoch=3 loss=0.5"},
		{"the best of a population by its name", "Gen 1: Best height = 2.9929\nGen 2: Best height = 2.9621", "1 step=1 Best height=2.9929; 2 step=2 Best height=2.9621"},
		{"a generation without a population", "generation 3: member height = 2.9929\ngeneration 4: member height = 2.9621", ""},
		{"rows with nothing in their last columns", "epoch       iteration   main/loss   main/acc   lr      val/main/loss  val/main/acc\n0           100         7.08        0.0092     0.01                                \n0           200         6.48        0.0172     0.02                                \n1           300         6.34        0.0182     0.03    6.51           0.02", "2 step=100 epoch=0 accuracy=0.0092 loss=7.08 lr=0.01; 3 step=200 epoch=0 accuracy=0.0172 loss=6.48 lr=0.02; 4 step=300 epoch=1 accuracy=0.0182 eval_accuracy=0.02 eval_loss=6.51 loss=6.34 lr=0.03"},
		{"the phase and its count in one bracket", "[ Train | 001/020 ] loss = 1.142, acc = 0.267\n[ Valid | 001/020 ] loss = 1.207, acc = 0.251\n[ Train | 002/020 ] loss = 1.042, acc = 0.367\n[ Valid | 002/020 ] loss = 1.107, acc = 0.351", "1 step=1 accuracy=0.267 loss=1.142; 2 step=1 eval_accuracy=0.251 eval_loss=1.207; 3 step=2 accuracy=0.367 loss=1.042; 4 step=2 eval_accuracy=0.351 eval_loss=1.107"},
		{"a word and a count in one bracket", "[ Queue | 001/020 ] size = 1.142\n[ Queue | 002/020 ] size = 1.143", ""},
		{"a rate glued to its name", "ITERATION 01: TRAIN AVG.LOSS 2.3105, (lrate0.008), CROSSVAL AVG.LOSS 2.5135, nnet accepted", "1 step=1 eval_loss=2.5135 loss=2.3105 lr=0.008"},
		{"a letter and that of the evaluation", "E001  L=2.3009  vL=2.4876\nE002  L=2.2009  vL=2.3876", "1 epoch=1 eval_loss=2.4876 loss=2.3009; 2 epoch=2 eval_loss=2.3876 loss=2.2009"},
		{"the loss of a server", "[Round 1] server loss=2.3 acc=0.59\n[Round 2] server loss=2.2 acc=0.61", "1 step=1 accuracy=0.59 loss=2.3; 2 step=2 accuracy=0.61 loss=2.2"},
		{"rows that are not below their columns", "epoch  iteration  main/loss  main/acc  lr\n0 100 7.08\n1 200 6.48", ""},
	})
}
