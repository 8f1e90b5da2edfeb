package formats

var mxNet = format{
	name:   `MXNet`,
	source: `Apache MXNet 1.x, Sockeye`,
	examples: []example{
		{lines: []string{
			"Epoch[0] Batch [100]\tSpeed: 2345.67 samples/sec\taccuracy=0.89",
		}, want: `step=100 epoch=0 samples_per_second=2345.67 accuracy=0.89`},
		{lines: []string{
			`INFO:root:Epoch[0] Validation-accuracy=0.955100`,
		}, want: `epoch=0 eval_accuracy=0.9551`},
	},
}
