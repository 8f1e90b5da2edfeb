package formats

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// Rules of the general reader that logs of other ecosystems showed, each beside what must
// not be taken for the same.
func TestShapesOfOtherEcosystems(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"a duration of epochs is no epoch", "Epoch 3 loss: 0.5\n50 epochs: 1.1981 hours\nEpoch 4\nloss: 0.4", "1 epoch=3 loss=0.5; 4 epoch=4 loss=0.4"},
		{"epochs of a fraction stay a position", "epochs:0.15 loss:0.5", "1 epoch=0.15 loss=0.5"},
		{"a record that has its step itself keeps it below another position", "seen 10: loss 0.9\nseen 20: loss 0.8\nseen 30: loss 0.7\nseen 40: loss 0.6\nseen 50: loss 0.5\nEpoch 1 of 3\nseen 60: loss 0.4", "1 step=10 loss=0.9; 2 step=20 loss=0.8; 3 step=30 loss=0.7; 4 step=40 loss=0.6; 5 step=50 loss=0.5; 7 step=60 epoch=1 loss=0.4"},
		{"the bar of training below that of an evaluation", "Validating\nTrain epoch 1: 100%|██████████| 196/196 [00:46<00:00,  4.20it/s, loss=1.95]", "2 step=196 epoch=1 loss=1.95"},
		{"a bar without a word below that of an evaluation", "Validating\n 50%|█████     | 10/20 [00:06<00:06,  3.22it/s, loss=1.95]", "2 eval_loss=1.95"},
		{"the rate of one group of parameters", "step: 3/10 | loss: 0.5 | matrix lr 5.0e-07", "1 step=3 loss=0.5 lr=5e-07"},
		{"a scale and a limit of the rate are none", "step: 3/10 | loss: 0.5 | lr scale 0.5 | max lr 0.1", "1 step=3 loss=0.5"},
		{"the rate of the model goes first", "step: 3/10 | loss: 0.5 | lr 0.2 | head_lr 0.1", "1 step=3 loss=0.5 lr=0.2"},
		{"the loss of the noise that a diffusion model predicts", "Epoch 1/20 train_eps_loss=0.53 val_mae=inf lr=0.001", "1 epoch=1 loss=0.53 lr=0.001"},
		{"settings of a loss and of a rate of noise", "step 4 eps=0.1 focal_loss_weight=0.5 loss=0.7", "1 step=4 loss=0.7"},
		{"a table of shares of the time", "timing     ep    count  train  error  other      epoch      total\nTIMING      1        4   92.8    3.8    3.3       0.41       0.49\nTIMING      2        4   91.7    4.5    3.9       0.34       0.83", "2 epoch=0.41; 3 epoch=0.34"},
		{"an error beside a few others", "Iteration: 1 Error: 0.31 gate: 3.3\nIteration: 2 Error: 0.25 gate: 3.4", "1 step=1 loss=0.31; 2 step=2 loss=0.25"},
		{"costs of routes", "raw       : {'time': 0.53, 'cost': 0.08}\nstabilized: {'time': 0.46, 'cost': 0.11}\nraw       : {'time': 0.52, 'cost': 0.07}\nstabilized: {'time': 0.45, 'cost': 0.12}\nraw       : {'time': 0.51, 'cost': 0.06}\nraw       : {'time': 0.50, 'cost': 0.05}\nraw       : {'time': 0.49, 'cost': 0.04}", ""},
		{"costs below an epoch", "Epoch 1\ncost: 0.5\nEpoch 2\ncost: 0.4", "2 epoch=1 loss=0.5; 4 epoch=2 loss=0.4"},
		{"a final loss of each epoch", "Epoch 1/3\nFinal Loss: 0.5\nEpoch 2/3\nFinal Loss: 0.4\nEpoch 3/3\nFinal Loss: 0.3", "2 epoch=1 loss=0.5; 4 epoch=2 loss=0.4; 6 epoch=3 loss=0.3"},
		{"a final loss of the run", "Epoch 2 loss: 0.4\nEpoch 3 loss: 0.3\nFinal Loss: 0.3", "1 epoch=2 loss=0.4; 2 epoch=3 loss=0.3"},
		{"a final loss of each fold", "Epoch 3 loss: 0.3\nFinal Loss: 0.3\nEpoch 3 loss: 0.2\nFinal Loss: 0.2", "1 epoch=3 loss=0.3; 3 epoch=3 loss=0.2"},
		{"the counter of a loop behind a tag", "[TRAIN(0,1,3)]: i: 5, train_loss: 1.38\n[TRAIN(0,1,8)]: i: 6, train_loss: 1.37", "1 step=5 loss=1.38; 2 step=6 loss=1.37"},
		{"a counter behind other values", "[worker 3] port: 80, i: 5, loss: 1.38", ""},
		{"arguments in braces behind a name", "Epoch 1 - Huber Loss {alpha: 1}: 0.37", "1 epoch=1 loss=0.37"},
		{"a dict behind a name is none", "step 4 {loss: 1}: 0.37", "1 step=4 loss=1"},
		{"a number glued to the next name", "Iteration:2000Average loss at step 2000 : 133.5", "1 step=2000 loss=133.5"},
		{"a full stop joins the epoch and its number", "---Epoch.7 loss: 0.5", "1 epoch=7 loss=0.5"},
		{"a file is no epoch", "saved epoch.7.pt with loss: 0.5\nsaved step-7.pt", ""},
		{"a broadcast call of the loss", "Epoch 7\nsum(loss.(x, y)) = 647.9 (tracked)", "2 epoch=7 loss=647.9"},
		{"a bare number before the count of batches is the epoch", "   2  100 /  320 loss = 0.64", "1 step=100 epoch=2 loss=0.64"},
		{"with a full stop it is the number of an item", "2.  100/320: loss = 0.64", "1 step=100 loss=0.64"},
		{"parts on the lines below the whole loss", "step 5 whole_loss = 2.5\nstep 5 L1_loss = 0.5\nstep 6 whole_loss = 2.4", "1 step=5 loss=2.5; 2 step=5; 3 step=6 loss=2.4"},
		{"without a whole loss the function is the loss", "step 5 L1_loss = 0.5\nstep 6 L1_loss = 0.4", "1 step=5 loss=0.5; 2 step=6 loss=0.4"},
		{"a numbered squared error", "1 - Mean Squared Error := 0.31\n2 - Mean Squared Error := 0.25", "1 step=1 loss=0.31; 2 step=2 loss=0.25"},
		{"a numbered list is none", "1 - Install packages: 12\n2 - Run tests: 13", ""},
		{"words of Chinese without a blank", "Epoch 1 训练完成 | 平均训练损失: 0.7\nEpoch 2 | 平均总损失: 0.6 | 总步数: 900", "1 epoch=1 loss=0.7; 2 epoch=2 loss=0.6"},
		{"a best loss in Chinese is a summary", "Epoch 1 loss: 0.7\n最佳验证损失: 0.6\n最终验证损失: 0.6", "1 epoch=1 loss=0.7"},
		{"an elided article in French", "Epoch 12\n  Perte d'entraînement: 0.0012\n  Perte de validation: 0.0018", "2 epoch=12 loss=0.0012; 3 epoch=12 eval_loss=0.0018"},
		{"the d of a discriminator", "step 4 d_loss: 0.5 loss: 0.7", "1 step=4 loss=0.7"},
		{"a best loss in French", "Epoch 12\nMeilleure perte: 0.0012", ""},
		{"a table with a head in Korean", "에폭 | 훈련 손실 | 검증 손실 | 시간\n    1 | 0.68 | 0.54 | 28.3s\n최종 검증 손실: 0.54", "2 epoch=1 loss=0.68 eval_loss=0.54"},
		{"a rate between the epoch and its first batch", "Epoch 1/50\nLearning rate: 1.00e-06\n  Batch 1/218\n    Loss: 0.99", "2 epoch=1 lr=1e-06; 4 step=1 epoch=1 loss=0.99"},
		{"a rate below a heading that nothing follows", "Epoch 1/50\nLearning rate: 1.00e-06\nEpoch 2/50\nLearning rate: 1.00e-06\ndone", ""},
		{"a loss of packets is none", "round 1: packet loss: 10%, rtt avg: 0.391 ms\nround 2: packet loss: 0%, rtt avg: 0.377 ms\nstep 3: packet_loss=2.5 jitter=0.03\nstep 4: packet_loss=1.5 jitter=0.02", ""},
		{"the losses of an epoch above its end", "************ Epoch=1 start ************\nTrain loss: 0.5\n************ Epoch=1 end ************\nTrain loss: 0.4\n************ Epoch=2 end ************", "2 epoch=1 loss=0.5; 4 epoch=2 loss=0.4"},
		{"the epoch behind its number", "3/100 in 0 epoch finished at 0:00:21 from start, Loss is 1.2 Acc is 0.6\n4/100 in 0 epoch finished at 0:00:24 from start, Loss is 1.1 Acc is 0.7", "1 step=3 epoch=0 loss=1.2; 2 step=4 epoch=0 loss=1.1"},
		{"a number of epochs is none", "3/100 in 5 epochs finished, Loss is 1.2", "1 step=3 loss=1.2"},
		{"the position between the loss and its value", "loss of iteration 0 : 1.67\naccuracy is: 0.86\nloss of iteration 20 : 1.55\naccuracy is: 0.92", "1 step=0 loss=1.67; 3 step=20 loss=1.55; 2 step=0; 4 step=20"},
		{"a phase in brackets behind the name", "Epoch:0, Current step: 1000, Loss(train): 6.5, Loss(val): 6.4\nEpoch:0, Current step: 2000, Loss(train): 5.8, Loss (val): 5.7", "1 step=1000 epoch=0 loss=6.5 eval_loss=6.4; 2 step=2000 epoch=0 loss=5.8 eval_loss=5.7"},
		{"the letter of a counter behind a position", "batch i:2, episode_len:39\nkl:0.01, loss:5.3, entropy:4.3\nbatch i:3, episode_len:46\nkl:0.02, loss:5.1, entropy:4.4", "2 step=2 loss=5.3; 1 step=2; 3 step=3; 4 step=3 loss=5.1"},
		{"a batch glued to its number beside an epoch", "epoch0; batch0; g_loss: 4.2; loss: 1.2\nepoch0; batch1; g_loss: 4.1; loss: 1.1", "1 step=0 epoch=0 loss=1.2; 2 step=1 epoch=0 loss=1.1"},
		{"a batch glued to its number alone", "resnet50 batch32 fp16: loss: 1.2\nresnet50 batch64 fp16: loss: 1.1", "1 loss=1.2; 2 loss=1.1"},
		{"numbers of epochs and of steps are settings", "model=patchtst batch_size=256 learning_rate=1e-5 epochs=2000 steps=2000\nstep=200 loss=0.5", "2 step=200 loss=0.5"},
		{"a position in the plural beside a loss", "steps: 200 epochs: 2 loss: 0.5\nsteps: 300 epochs: 3 loss: 0.4", "1 step=200 loss=0.5; 2 step=300 loss=0.4"},
		{"symbols and their values", "(:epoch, 1, :dloss, 0.8f0, :gloss, 1.2f0)\n(:epoch, 2, :dloss, 0.7f0, :gloss, 1.4f0)", "1 epoch=1; 2 epoch=2"},
		{"symbols alone", "(:epoch, :loss)\n(:epoch, 2, :loss)", ""},
		{"the loss of an evaluation before training", "testing in eval mode\nepoch: 0, loss is: 2.5\nepoch: 0, loss is: 0.6\ntesting in eval mode\nepoch: 0, loss is: 0.4\nepoch: 1, loss is: 0.3", "2 epoch=0 eval_loss=2.5; 3 epoch=0 loss=0.6; 5 epoch=0 eval_loss=0.4; 6 epoch=1 loss=0.3"},
		{"one loss of each epoch below an evaluation", "Evaluating\nepoch: 0, loss is: 2.5\nEvaluating\nepoch: 1, loss is: 0.6", "2 epoch=0 loss=2.5; 4 epoch=1 loss=0.6"},
		{"one loss below an evaluation", "Evaluating\nepoch: 0, loss is: 2.5", "2 epoch=0 loss=2.5"},
		{"steps before training begins", "step -2 loss: 1.7\nstep -1 loss: 1.6\nstep 0 loss: 1.5\nstep 1 loss: 1.4", "1 loss=1.7; 2 loss=1.6; 3 step=0 loss=1.5; 4 step=1 loss=1.4"},
		{"a loss above the record that has its position", "loss: 0.35\nhigher corrcoef: 0.72 in batch: 140, save model\nloss: 0.22\nhigher corrcoef: 0.73 in batch: 150, save model\nloss: 0.24\nhigher corrcoef: 0.74 in batch: 160, save model", "1 step=140 loss=0.35; 2 step=140; 3 step=150 loss=0.22; 4 step=150; 5 step=160 loss=0.24; 6 step=160"},
		{"a loss below the record that begins with its position", "loss: 0.35\nEpisode 4 length: 10\nloss: 0.22\nEpisode 5 length: 12\nloss: 0.24", "3 step=4 loss=0.22; 2 step=4; 4 step=5; 5 step=5 loss=0.24"},
		{"the size of a window behind the loss", "step 500 average loss over last 100 steps: 0.52\nstep 600 average loss over last 100 steps: 0.42\nStep 700, loss of last 10 batches 0.4", "1 step=500 loss=0.52; 2 step=600 loss=0.42; 3 step=700 loss=0.4"},
		{"the size of a window behind the step", "Average loss at step 100 over the last 50 batches = 3.4\nAverage loss at step 150 over the last 50 batches = 3.1", "1 step=100 loss=3.4; 2 step=150 loss=3.1"},
		{"the size of a window in brackets", "iter 10: loss (avg of 20 iters): 2.5\niter 20: loss (avg of 20 iters): 2.4\niter 30: loss (last 20): 2.3", "1 step=10 loss=2.5; 2 step=20 loss=2.4; 3 step=30 loss=2.3"},
		{"a loss after steps and one of an iteration", "loss after 100 steps: 0.5\nloss after 200 steps: 0.4\nloss of iteration 20 : 1.55", "1 step=100 loss=0.5; 2 step=200 loss=0.4; 3 step=20 loss=1.55"},
		{"a list of steps in a dump of settings", "SOLVER:\n  BASE_LR: 0.002\n  STEPS: (20, 35)\n  MAX_ITER: 40\n  CHECKPOINT_PERIOD: 40\nSOLVER:\n  BASE_LR: 0.002\n  STEPS: (50, 80)\n  CHECKPOINT_PERIOD: 100", ""},
		{"a class that is called UP", "y_val: {'DOWN': 517, 'NEUTRAL': 475, 'UP': 468}\ny_test: {'DOWN': 664, 'NEUTRAL': 587, 'UP': 572}\ny_val: {'DOWN': 510, 'NEUTRAL': 478, 'UP': 460}", ""},
		{"the shuffle buffer of TensorFlow", "Epoch 1\n2024-03-31 22:08:00.847277: I tensorflow/core/kernels/data/shuffle_dataset_op.cc:422] ShuffleDatasetV3:4: Filling up shuffle buffer (this may take a while): 1740326 of -2\nEpoch 2\n2024-03-31 22:09:00.857786: I tensorflow/core/kernels/data/shuffle_dataset_op.cc:422] ShuffleDatasetV3:4: Filling up shuffle buffer (this may take a while): 3390768 of -2", ""},
		{"a data frame", "       loss  accuracy  val_loss\n0  0.693100      0.51    0.6820\n1  0.612300      0.63    0.6010\nsaved", "2 step=0 loss=0.6931 eval_loss=0.682; 3 step=1 loss=0.6123 eval_loss=0.601"},
		{"a data frame in a file", ",loss,val_loss\n0,0.69,0.68\n1,0.61,nan\n2,0.51,0.58", "2 step=0 loss=0.69 eval_loss=0.68; 3 step=1 loss=0.61 eval_loss=NaN; 4 step=2 loss=0.51 eval_loss=0.58"},
		{"one row below words of losses", "loss accuracy\n3 0.5 0.6", ""},
		{"rows below words of losses that are no frame", "loss accuracy\n3 0.5 0.6\n3 0.4 0.7\n4 0.4 0.7", ""},
		{"a count of iterations is no loss", "number of iteration 20 : 1.55\nnumber of iteration 40 : 1.45", ""},
		{"settings that name a part of the loss", "step 5 loss 0.5\nconfig: {'seed': 61, 'epoch': None, 'dry_run': False, 'rope': True, 'auxiliary_loss_multiplier': 0.1}", "1 step=5 loss=0.5"},
		{"the calls of NCCL between steps", "step 1 loss 0.5\n[0] NCCL INFO AllReduce: opCount 0 count 671\nstep 2 loss 0.4\n[0] NCCL INFO AllReduce: opCount 1 count 671\nstep 3 loss 0.3\n[0] NCCL INFO AllReduce: opCount 2 count 671", "1 step=1 loss=0.5; 3 step=2 loss=0.4; 5 step=3 loss=0.3"},
		{"arguments that name what is measured", "task=detect, mode=train, epochs=10, time=None, patience=100, batch=16, save=True, device=None, lr0=0.01, iou=0.7, amp=True, box=7.5", ""},
		{"a result of JSON with flags stays one", `{"training_iteration": 3, "done": false, "restored": false, "trial": null, "episode_reward_mean": 0.7}`, "1 step=3"},
		{"a record with flags and a loss stays one", "{'step': 5, 'loss': 0.5, 'ema': True, 'best': False, 'saved': None}", "1 step=5 loss=0.5"},
		{"the bar of prompts that a model answers", "Step 3 loss: 0.5\nProcessed prompts:   1%|▏         | 5/500 [00:07<09:52,  1.20s/it, est. speed input: 187.09 toks/s, output: 2.1 toks/s]\nProcessed prompts: 100%|██████████| 500/500 [00:17<00:00,  9.20it/s, est. speed input: 1187.09 toks/s, output: 92.1 toks/s]\nStep 4 loss: 0.4", "1 step=3 loss=0.5; 4 step=4 loss=0.4"},
		{"a bar of training that generates", "Generating and training:   1%|▏         | 5/500 [00:07<09:52,  1.20s/it, loss=0.5]", "1 step=5 loss=0.5"},
		{"the steps of an episode are its length", "Episode 7 reward: 12.5 loss: 0.5 Steps: 200\nEpisode 8 reward: 13.5 loss: 0.4 Steps: 200", "1 step=7 loss=0.5; 2 step=8 loss=0.4"},
		{"steps in front of the episodes are the position", "steps: 24999, episodes: 1000, loss: 0.5\nsteps: 49999, episodes: 2000, loss: 0.4", "1 step=24999 loss=0.5; 2 step=49999 loss=0.4"},
		{"the prefix of Tornado and logzero", "[I 210629 00:29:43 models:110] step 5 loss: 0.5\n[I 12:00:01.123 NotebookApp] step 6 loss: 0.4\n[D 2024-01-05 12:00:02.123 ServerApp] step 7 loss: 0.3", "1 step=5 loss=0.5; 2 step=6 loss=0.4; 3 step=7 loss=0.3"},
		{"two whole numbers in front of a loss", "234 1024 train loss: 0.5 valid loss: 0.6\n235 512 train loss: 0.4", "1 step=1024 epoch=234 loss=0.5 eval_loss=0.6; 2 step=512 epoch=235 loss=0.4"},
		{"two numbers of a table in front of a setting", "234 1024 loss weight: 0.5\n235 512 loss weight: 0.4", ""},
		{"the name and the value as items of a list", "epoch 1, phase train, step 10, loss_train, 0.833\nepoch 1, phase valid, step 20, val_loss, 0.7", "1 step=10 epoch=1 loss=0.833; 2 step=20 epoch=1 eval_loss=0.7"},
		{"items of a list that name no loss", "epoch 1, step 10, loss_weight, 0.833\nepoch 2, step 20, temperature, 0.7", ""},
		{"steps of training that grow in an epoch", "Epoch id: 1, Training steps: 100, Avg loss: 0.9\nEvaluating...\nVal Acc: 0.6\nEpoch id: 1, Training steps: 200, Avg loss: 0.7", "1 step=100 epoch=1 loss=0.9; 4 step=200 epoch=1 loss=0.7"},
		{"steps of training that stay are how many there are", "Epoch 1, training steps: 391, loss: 0.9\nEpoch 2, training steps: 391, loss: 0.7", "1 epoch=1 loss=0.9; 2 epoch=2 loss=0.7"},
		{"a rate in German, Spanish, Portuguese and French", "Epoch 1 Verlust: 0.5, Lernrate: 0.01\nEpoch 2 loss: 0.4, tasa de aprendizaje: 0.02\nEpoch 3 loss: 0.3, taxa de aprendizado: 0.03\nEpoch 4 loss: 0.2, taux d'apprentissage: 0.04", "1 epoch=1 loss=0.5 lr=0.01; 2 epoch=2 loss=0.4 lr=0.02; 3 epoch=3 loss=0.3 lr=0.03; 4 epoch=4 loss=0.2 lr=0.04"},
		{"the time of a row in brackets behind its columns", "epoch  train_loss  valid_loss  accuracy\n1      0.085720    0.090742    0.970018  (00:01)\n2      0.076532    0.067959    0.978836  (00:01)", "2 epoch=1 loss=0.08572 eval_loss=0.090742; 3 epoch=2 loss=0.076532 eval_loss=0.067959"},
		{"columns whose names have blanks", "epoch  train loss  valid loss  error_rate\n1      1.175709    0.318438    0.099800    (00:18)", "2 epoch=1 loss=1.175709 eval_loss=0.318438"},
		{"a remark in brackets behind a row", "Iter     Train Loss    Val Loss\n0        3.28          3.30      (from a checkpoint)\n500      2.15          2.18", "2 step=0 loss=3.28 eval_loss=3.3; 3 step=500 loss=2.15 eval_loss=2.18"},
		{"values in brackets behind a row are no remark", "epoch  train_loss  valid_loss\n1 0.5 0.6 0.7 (0.8)", ""},
		{"what R's print writes around a text", "[1] \"[1]:  train loss:0.60\"\n[1] \"[2]:  train loss:0.52\"\n[1] \"epoch: 3 loss: 0.4\"", "1 step=1 loss=0.6; 2 step=2 loss=0.52; 3 epoch=3 loss=0.4"},
		{"the batches that a line sums up, in front of their name", "1epoch:train:1-682batch: loss=123.9, lr_0=0.5\n1epoch:train:683-1364batch: loss=68.7, lr_0=0.5", "1 step=682 epoch=1 loss=123.9 lr=0.5; 2 step=1364 epoch=1 loss=68.7 lr=0.5"},
		{"a range in front of another name", "epoch 1 loss: 0.5 over 1-20words\nchr1-22batch: loss: 0.5", "1 epoch=1 loss=0.5"},
		{"the variable of the loop behind the epoch", "[epoch: 0, i:  4999] avg mini-batch loss: 2.3\n[epoch: 0, i:  9999] avg mini-batch loss: 2.1\nepoch: 1, batch_idx: 5, j: 7, loss: 2.0", "1 step=4999 epoch=0 loss=2.3; 2 step=9999 epoch=0 loss=2.1; 3 step=5 epoch=1 loss=2"},
		{"an iteration of all below the steps of the record before", "Total timesteps: 983040\nIteration time: 0.50s\nLearning iteration 10/101\nValue function loss: 0.0017\nSurrogate loss: -0.0024\nTotal timesteps: 1081344\nIteration time: 0.50s\nLearning iteration 11/101\nValue function loss: 0.0016\nSurrogate loss: -0.0023", "4 step=10; 5 step=10; 2 step=983040; 7 step=10; 9 step=11; 10 step=11"},
		{"how long learning took is no rate", "epoch 3 loss: 0.5 (collection: 0.362s, learning 0.135s)\nepoch 4 loss: 0.4, learning: 12 ms", "1 epoch=3 loss=0.5; 2 epoch=4 loss=0.4"},
		{"a loss of packets that is not called one", "│ Pérdida: 0.8%               │\n│ Latencia: 35ms              │\nloss: 15.3%\nloss: 12%\nloss: 11%\nloss: 10%\nloss: 9%", ""},
		{"a loss in percent beside a position", "epoch 1 loss: 15.3%\nepoch 2 loss: 12.1%", "1 epoch=1 loss=15.3; 2 epoch=2 loss=12.1"},
		{"a squared error that is called a loss", "Epoch: 001/180 | Training Mean Squared Error Loss: 0.14\nEpoch: 002/180 | Validation Mean Absolute Error Loss: 0.15 | loss of reward error: 3", "1 epoch=1 loss=0.14; 2 epoch=2"},
		{"the window of a mean behind its name", "step78 loss(avg8) 0.38\nstep 79 loss (mean 10): 0.37\nstep 80 loss(layer8) 0.36", "1 step=78 loss=0.38; 2 step=79 loss=0.37; 3 step=80"},
		{"what Keras says right behind a bar", "Epoch 22/150\n517/518 [============================>.] - ETA: 0s - loss: 3.91Epoch 00022: val_loss improved from 4.10324 to 4.08165, saving model\n518/518 [==============================] - 537s 1s/step - loss: 3.92 - val_loss: 4.08", "2 step=517 epoch=22 loss=3.91; 3 step=518 epoch=22 loss=3.92 eval_loss=4.08"},
		{"losses of several names without a position", "MSE Loss: 0.0300\nBCE Loss: 0.1974\nCE Loss:  0.2939", ""},
		{"one loss again without a position", "MSE Loss: 0.0300\nMSE Loss: 0.1974\nCE Loss:  0.2939", "1 loss=0.03; 2 loss=0.1974"},
		{"games are episodes", "Game number: 010590  Frame number: 07943478  Average reward: 115.7\nGame number: 010600  Frame number: 07958788  Average reward: 118.1\nGame 12 Score 3 Record: 9\nGame 13 Score 4 Record: 9", "1 step=10590; 2 step=10600; 3 step=12; 4 step=13"},
		{"games that measure nothing", "Game 12 started\nGame server: 8 players\nGame 13 ended after 20 s", ""},
		{"a test's loss in two letters", "Iteration: 0, tr_loss: 1.2, te_loss: 1.3\nIteration: 1, tr_loss: 1.1, te_loss: 1.2", "1 step=0 loss=1.2 eval_loss=1.3; 2 step=1 loss=1.1 eval_loss=1.2"},
		{"an epoch and a step joined by a dash", "<EPOCH:46-step:11>: tr_loss: 0.69, acc:93.33%\nepoch: 47-step: 12 loss: 0.5", "1 step=11 epoch=46 loss=0.69; 2 step=12 epoch=47 loss=0.5"},
		{"an epoch and a step in the name of a file", "saved run:46-step:11.ckpt\nsaved run-46-step=11.ckpt", ""},
		{"losses of faces", "Epoch: [0] [ 400/4003] ArcFace loss: 17.6\nEpoch: [0] [ 410/4003] CosFace loss: 17.5", "1 step=400 epoch=0 loss=17.6; 2 step=410 epoch=0 loss=17.5"},
		{"a rate in traditional Chinese", "Epoch 1/20 - 訓練損失: 0.8 | 當前學習率: 0.00002 | 驗證損失: 0.7\nEpoch 2/20 - 訓練損失: 0.6 | 学习率: 0.00001", "1 epoch=1 loss=0.8 eval_loss=0.7 lr=2e-05; 2 epoch=2 loss=0.6 lr=1e-05"},
		{"a rate on the line below each epoch", "Epoch 1 loss: 0.8\ncurrent lr: 0.1\nEpoch 2 loss: 0.7\ncurrent lr: 0.1\nEpoch 3 loss: 0.6\nsaved\ncurrent lr: 0.05", "1 epoch=1 loss=0.8; 3 epoch=2 loss=0.7; 2 epoch=1 lr=0.1; 4 epoch=2 lr=0.1; 5 epoch=3 loss=0.6; 7 epoch=3 lr=0.05"},
		{"a rate below one epoch", "Epoch 1 loss: 0.8\nlr: 0.1\nlr: 0.01\nlr: 0.001", "1 epoch=1 loss=0.8"},
		{"the step right below the results of an evaluation", "***** Eval results *****\nglobal_step = 20\nloss = 9.2\naccuracy = 0.06", "3 step=20 eval_loss=9.2; 4 step=20"},
		{"an epoch right below an evaluation", "Evaluating\nEpoch 3/10\nloss = 9.2", "3 epoch=3 loss=9.2"},
		{"the losses of all epochs in one list", "training\nTrain losses: [0.9, 0.7, 0.8]\nval_losses = [0.95, nan, 0.85]", "2 epoch=0 loss=0.9; 2 epoch=1 loss=0.7; 2 epoch=2 loss=0.8; 3 epoch=0 eval_loss=0.95; 3 epoch=1 eval_loss=NaN; 3 epoch=2 eval_loss=0.85"},
		{"the same list again behind the epochs", "Epoch 0 loss: 0.9\nEpoch 1 loss: 0.7\nTrain losses: [0.9, 0.7, 0.8]", "1 epoch=0 loss=0.9; 2 epoch=1 loss=0.7"},
		{"lists that are of no epochs", "loss: [0.9, 0.7, 0.8]\nlosses: ['a', 'b', 'c']\nuse losses: [1, 2, 3]", ""},
		{"the precision of one evaluation", "mmdet - INFO - Epoch(val) [1][37]\tbbox_mAP: 0.25, bbox_mAP_50: 0.5", "1 epoch=1"},
		{"a name in front of an epoch and its batch", "Loss at epoch 3 batch 9: 2.5\nTrain loss of epoch 3, batch 10: 2.4\nThe train loss of epoch3-batch-11:12.5\nEpoch 3 - train loss at batch 12: 2.2", "1 step=9 epoch=3 loss=2.5; 2 step=10 epoch=3 loss=2.4; 3 step=11 epoch=3 loss=12.5; 4 step=12 epoch=3 loss=2.2"},
		{"a name in front of a glued epoch", "Loss of epoch3: 2.5\nLoss of epoch4: 2.4", "1 epoch=3 loss=2.5; 2 epoch=4 loss=2.4"},
		{"a batch that belongs to a model", "loss of resnet50-batch32: 1.5\nloss of resnet50-batch64: 1.4", ""},
		{"a dict that is called settings", "Training parameters: {'iterations': 30000, 'feature_lr': 0.0028, 'opacity_lr': 0.02}\nArgs: {'step': 300, 'lr': 0.0028, 'loss': 0.5}\nHyperparams = {'epoch': 3, 'lr': 0.1}", ""},
		{"a result behind its settings", "params: {'lr': 0.1, 'iterations': 100} loss: 0.5\nparams: {'lr': 0.01, 'iterations': 200} loss: 0.4", "1 step=100 loss=0.5 lr=0.1; 2 step=200 loss=0.4 lr=0.01"},
		{"a size of batches beside a rate", "Creating a cross entropy batch=10 SGD LR=0.005 Trainer\nbatch    0: mean loss = 0.6932\nbatch  500: mean loss = 0.7084", "2 step=0 loss=0.6932; 3 step=500 loss=0.7084"},
		{"a value that equals", "Avg loss after epoch 1, is equal to 1.85\nAvg loss after epoch 2, equals 1.76\nEpoch 3: the loss is equal to 1.5", "1 epoch=1 loss=1.85; 2 epoch=2 loss=1.76; 3 epoch=3 loss=1.5"},
		{"the heading of an evaluation", "Epoch:1|Loss:[0.82]\n\nEpoch 1/25 validation results:\n   Loss: 0.83\nEpoch:2|Loss:[0.78]\n\nEpoch 2/25 验证结果:\n   Loss: 0.79", "1 epoch=1 loss=0.82; 4 epoch=1 eval_loss=0.83; 5 epoch=2 loss=0.78; 8 epoch=2 eval_loss=0.79"},
		{"headings of training", "Epoch 1/25 train and validation:\n   Loss: 0.83\nEpoch 2/25 results:\n   Loss: 0.79", "2 epoch=1 loss=0.83; 4 epoch=2 loss=0.79"},
		{"ordinals of what a word counts", "第 100 步：loss=2.3\n第2轮 loss: 0.8\n第 6 个 epoch 损失: 0.4\n7번째 스텝의 손실: 0.3\n8번째 에포크 손실: 0.2", "1 step=100 loss=2.3; 2 epoch=2 loss=0.8; 3 epoch=6 loss=0.4; 4 step=7 epoch=6 loss=0.3; 5 epoch=8 loss=0.2"},
		{"ordinals of something else", "第 3 章 loss: 0.5\n第 4 章 loss: 0.4\n3번째 시도: 0.5", "1 loss=0.5; 2 loss=0.4"},
		{"Turkish", "Epok 1 train    Kayıp: 0.02 | Doğruluk: 99.7%\nEpok 1 val      Kayıp: 0.03\nEpok 2/5 - Eğitim kaybı: 0.5, Doğrulama kaybı: 0.6", "1 epoch=1 loss=0.02; 2 epoch=1 eval_loss=0.03; 3 epoch=2 loss=0.5 eval_loss=0.6"},
		{"two phases in one name", "Epoch[ 1]>>> Train/Test loss: 0.0078/0.0714, Acc.: 95.81/97.84\nEpoch[ 2]>>> loss (train/val) = 0.5 / 0.6\nEpoch[ 3]>>> train/val loss: 0.4/0.45", "1 epoch=1 loss=0.0078 eval_loss=0.0714; 2 epoch=2 loss=0.5 eval_loss=0.6; 3 epoch=3 loss=0.4 eval_loss=0.45"},
		{"one phase with a total", "Epoch 1 train loss: 0.5 val: 3/7\nEpoch 2 test/acc: 3/7 loss: 0.4", "1 epoch=1 loss=0.5; 2 epoch=2 loss=0.4"},
		{"a module and its line in front of the level", "2020-07-19 08:49:04,080 (trainer:464) INFO: 1epoch:train:1-682batch: loss=123.9\n(loss:464) info 3", "1 step=682 epoch=1 loss=123.9"},
		{"a record with a flag stays one", "{'step': 5, 'd_loss': 0.5, 'ema': True}\n{'step': 6, 'd_loss': 0.4, 'ema': True}", "1 step=5; 2 step=6"},
	} {
		if got := pointsOf(c.log); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", c.about, got, c.want)
		}
	}
}

// pointsOf writes the samples of a log: line, position, losses and learning rate.
func pointsOf(log string) string {
	var points []string
	p := New(Options{})
	take := func(samples []train.Sample) {
		for i := range samples {
			points = append(points, pointText(&samples[i]))
		}
	}
	for i, line := range strings.Split(log, "\n") {
		take(p.Line(int64(i+1), time.Time{}, []byte(line)).Samples)
	}
	take(p.End().Samples)
	return strings.Join(points, "; ")
}

func pointText(s *train.Sample) string {
	text := fmt.Sprint(s.Line)
	if s.HasStep {
		text += fmt.Sprintf(" step=%v", s.Step)
	}
	if s.HasEpoch {
		text += fmt.Sprintf(" epoch=%v", s.Epoch)
	}
	for _, name := range [...]string{train.MetricLoss, train.MetricEvalLoss, train.MetricLR} {
		if v, has := s.Value(name); has {
			text += fmt.Sprintf(" %s=%v", name, v)
		}
	}
	return text
}
