package formats

var paddle = format{
	name:   `PaddlePaddle`,
	source: `PaddleNLP, PaddleOCR, PaddleSeg, PaddleDetection, PaddleClas 2.x`,
	about:  `pairs; PaddleSeg counts iterations through all epochs`,
	examples: []example{
		{lines: []string{
			`[2022-11-23 11:11:27,064] [    INFO] - loss: 1.0899848, learning_rate: 9.999975326009292e-05, global_step: 10, interval_runtime: 8.2708, epoch: 0.0065`,
		}, want: `step=10 epoch=0.0065 loss=1.0899848 lr=9.999975326009292e-05`},
		{lines: []string{
			"2021-03-30 06:55:57 [INFO]\t[TRAIN] epoch: 1, iter: 20/500, loss: 2.0859, lr: 0.009657, batch_cost: 0.5344, ips: 3.7425 samples/sec | ETA 00:04:16",
		}, want: `step=20 epoch=1 loss=2.0859 lr=0.009657`},
		{lines: []string{
			`[07/21 14:43:00] ppdet.engine INFO: Epoch: [0] [ 20/200] learning_rate: 0.000025 loss_xy: 7.020596 loss: 1037.630493 eta: 10 days, 19:39:33 batch_cost: 6.6231 ips: 4.8315 images/s`,
		}, want: `step=20 epoch=0 lr=0.000025 loss=1037.630493`},
		{lines: []string{
			`ppcls INFO: [Eval][Epoch 0][Iter: 20/157]CELoss: 0.14618, loss: 0.14618, top1: 0.93601`,
		}, want: `step=20 epoch=0 eval_loss=0.14618`},
	},
}
