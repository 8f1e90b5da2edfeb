package formats

var torchXLA = format{
	name:   `PyTorch/XLA`,
	source: `pytorch/xla test_utils.py`,
	about:  `every core prints`,
	examples: []example{
		{lines: []string{
			`| Training Device=xla:0/5 Epoch=1 Step=340 Loss=0.00373 Rate=545.27 GlobalRate=300.64 Time=01:52:42`,
		}, want: `step=340 epoch=1 loss=0.00373`},
	},
}
