package formats

var timm = format{
	name:   `timm`,
	source: `huggingface/pytorch-image-models train.py`,
	about:  `Train: is the epoch`,
	examples: []example{
		{lines: []string{
			`Train: 0 [ 100/2502 (  4%)]  Loss:  7.023479 (7.0235)  Time: 3.680s,  139.14/s  (3.680s,  139.14/s)  LR: 1.000e-06  Data: 1.776 (1.776)`,
		}, want: `step=100 epoch=0 loss=7.023479 lr=1e-06 samples_per_second=139.14`},
	},
}
