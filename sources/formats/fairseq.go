package formats

var fairseq = format{
	name:   `fairseq`,
	source: `fairseq 0.6 to 0.12, metaseq`,
	about:  `the value now and, in brackets, the average`,
	examples: []example{
		{lines: []string{
			`| epoch 010  2000 / 8223 loss=1.27 (1.50), wps=962, wpb=908, bsz=32, lr=0.001, clip=100%, gnorm=2.1427`,
		}, want: `step=2000 epoch=10 loss=1.27 lr=0.001 grad_norm=2.1427`},
		{lines: []string{
			`2020-07-17 06:57:45 | INFO | train_inner | epoch 001:    100 / 160368 loss=14.065, ppl=17143.1, wps=0, ups=0, num_updates=100, lr=1e-06, gnorm=4.168`,
		}, want: `step=100 epoch=1 loss=14.065 lr=1e-06`},
		{lines: []string{
			`| epoch 010 | valid on 'valid' subset | valid loss 1.94 | valid ppl 3.83`,
		}, want: `epoch=10 eval_loss=1.94`},
	},
}
