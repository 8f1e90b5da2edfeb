package formats

var torchVision = format{
	name:   `MetricLogger`,
	source: `torchvision references, DETR, MAE, DINO: utils.py MetricLogger`,
	about:  `the median and, in brackets, the average of all`,
	examples: []example{
		{lines: []string{
			`Epoch: [67]  [10/31]  eta: 0:00:08  lr: 0.000396  loss: 0.0082 (0.0271)  time: 0.4222  data: 0.3565  max mem: 5990`,
		}, want: `step=10 epoch=67 loss=0.0082 lr=0.000396`},
	},
}
