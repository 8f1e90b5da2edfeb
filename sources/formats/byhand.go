package formats

var byHand = format{
	name:   `By hand`,
	source: `what people write in their own loops, dlib`,
	examples: []example{
		{lines: []string{
			`604 [D loss: 0.000411, acc.: 100.00%] [G loss: 1381.413574]`,
		}, want: `step=604 accuracy=100`},
		{lines: []string{
			`Train Epoch: 0 [  51200/10000000 (1%)] Data (t): 0.500 Batch (t): 1.021, 500.1/s, 62.5/s/gpu LR: 0.000500 Logit Scale: 14.286 Loss: 8.9012 (8.9012)`,
		}, want: `step=51200 epoch=0 loss=8.9012 lr=0.0005 samples_per_second=500.1`},
		{lines: []string{
			`Epoch [1/75], Step [110/464], Loss: 0.31109, Disc Loss: 3.86298, Dur Loss: 0.44024, LM Loss: 1.08086`,
		}, want: `step=110 epoch=1 loss=0.31109`},
		{lines: []string{
			`2025-06-20 14:17:10 I [train.py:103] Batch 90 Loss: 7.24291, Speed: 9.41 samples/sec, lr: 0.000010`,
		}, want: `step=90 loss=7.24291 lr=0.00001 samples_per_second=9.41`},
		{lines: []string{
			`0: [RANK 3] Epoch 0 | Batchsize: 32 | Steps: 235 | Loss: 0.24456023513240382`,
		}, want: `epoch=0 loss=0.24456023513240382`},
		{lines: []string{
			`Epoch 1: Loss=0.1234, Accuracy=56.78%`,
		}, want: `epoch=1 loss=0.1234 accuracy=56.78`},
		{lines: []string{
			`level=info msg="train" step=100 loss=0.123 lr=1e-4`,
		}, want: `step=100 loss=0.123 lr=1e-4`},
		{lines: []string{
			`step#: 22954  learning rate: 0.0001  average loss: 1.36111      steps without apparent progress: 2360`,
		}, want: `step=22954 loss=1.36111 lr=0.0001`},
		{lines: []string{
			`430 | loss 4.3750 | lr 9.000000e-04 | 7370.89ms`,
		}, want: `step=430 loss=4.375 lr=9e-4`},
		{lines: []string{
			`Epoch 3 @ 11:29 PM : 0.9722 C.E. Loss, 96.29% Accuracy`,
		}, want: `epoch=3 loss=0.9722 accuracy=96.29`},
		{lines: []string{
			`Epoch: 001/020 | Train. Acc.: 95.060% | Loss: 0.1574`,
			`Epoch: 001/020 | Test. Acc.: 97.430% | Loss: 0.0829`,
		}, want: `epoch=1 eval_loss=0.0829 eval_accuracy=97.43`},
		{lines: []string{
			`Epoch 0/24`,
			`----------`,
			`train Loss: 0.6123 Acc: 0.6512`,
			`val Loss: 0.3123 Acc: 0.8712`,
		}, want: `epoch=0 eval_loss=0.3123`},
	},
}
