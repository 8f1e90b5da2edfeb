package formats

var nvidiaExamples = format{
	name:   `NVIDIA DeepLearningExamples`,
	source: `DLRM, Transformer-XL`,
	examples: []example{
		{lines: []string{
			`Epoch:[0/1] [200/128028]  eta: 1:28:44  loss: 0.1782  step_time: 0.041657  lr: 0.8794`,
		}, want: `step=200 epoch=0 loss=0.1782 lr=0.8794`},
		{lines: []string{
			`[1,0]<stderr>:INFO:tensorflow:step 99 | lr 0.000990000 | loss 9.22 | pplx 10069.60, bpc 13.2977, tok/s 136092`,
		}, want: `step=99 loss=9.22 lr=0.00099 tokens_per_second=136092`},
	},
}
