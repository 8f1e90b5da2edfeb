package formats

var pytorchExamples = format{
	name:   `PyTorch examples and tutorials`,
	source: `pytorch/examples imagenet and mnist, pytorch/tutorials`,
	about:  `mnist counts samples`,
	examples: []example{
		{lines: []string{
			"Epoch: [0][  10/5005]\tTime  0.123 ( 0.456)\tData  0.001 ( 0.050)\tLoss 6.9123e+00 (6.9876e+00)\tAcc@1   0.00 (  0.12)",
		}, want: `step=10 epoch=0 loss=6.9123`},
		{lines: []string{
			"Train Epoch: 1 [1000/60000 (7%)]\tLoss: 1.641364",
		}, want: `step=1000 epoch=1 loss=1.641364`},
		{lines: []string{
			"Train Epoch: 1 [59000/60000 (98%)]\tLoss: 0.041364",
			`Test set: Average loss: 0.1338, Accuracy: 9590/10000 (96%)`,
			"Train Epoch: 2 [59000/60000 (98%)]\tLoss: 0.031364",
			`Test set: Average loss: 0.1138, Accuracy: 9690/10000 (97%)`,
		}, want: `epoch=2 eval_loss=0.1138`},
		{lines: []string{
			"[0/25][100/1583]\tLoss_D: 0.2916\tLoss_G: 5.0312\tD(x): 0.9012",
		}, want: `step=100 epoch=0 Loss_D=0.2916`},
		{lines: []string{
			`loss: 0.693147  [60000/60000]`,
			`Test Error: `,
			` Accuracy: 40.1%, Avg loss: 2.171232 `,
			`loss: 0.593147  [   64/60000]`,
			`Test Error: `,
			` Accuracy: 50.1%, Avg loss: 1.871232 `,
		}, want: `eval_loss=1.871232 eval_accuracy=50.1`},
		{lines: []string{
			`[1,  2000] loss: 2.173`,
		}, want: `step=2000 epoch=1 loss=2.173`},
		{lines: []string{
			`loss: 0.693147  [   64/60000]`,
		}, want: `step=64 loss=0.693147`},
	},
}
