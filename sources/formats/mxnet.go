package formats

var mxNet = format{
	name:   `MXNet`,
	source: `Apache MXNet 1.x, Sockeye`,
	examples: []example{
		{lines: []string{
			"Epoch[0] Batch [100]\tSpeed: 2345.67 samples/sec\taccuracy=0.89",
		}, want: `step=100 epoch=0 samples_per_second=2345.67 accuracy=0.89`},
		{lines: []string{
			"Epoch[2] Batch [660-680]\tSpeed: 6.30 samples/sec\tLoss=8.925668",
		}, want: `step=680 epoch=2 samples_per_second=6.3 loss=8.925668`},
		{lines: []string{
			`INFO:root:Epoch[0] Validation-accuracy=0.955100`,
		}, want: `epoch=0 eval_accuracy=0.9551`},
	},
}
