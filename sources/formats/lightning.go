package formats

var lightning = format{
	name:   `Lightning`,
	source: `pytorch-lightning 1.x and 2.x, callbacks/progress`,
	about:  `the loss is smoothed; a state may carry the loss of the step before`,
	examples: []example{
		{lines: []string{
			`Epoch 0:  22%|██▏       | 4/18 [00:17<01:02,  4.47s/it, loss=9.926, v_num=193315]`,
		}, want: `step=4 epoch=0 loss=9.926`},
	},
}
