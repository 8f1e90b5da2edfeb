package formats

var nnUNet = format{
	name:   `nnU-Net`,
	source: `MIC-DKFZ/nnUNet v1`,
	about:  `a line for each value; losses are negative`,
	examples: []example{
		{lines: []string{
			`epoch:  6`,
			`2022-02-11 09:34:49.625515: train loss : -0.6584`,
		}, want: `epoch=6 loss=-0.6584`},
	},
}
