package formats

var litGPT = format{
	name:   `LitGPT`,
	source: `Lightning-AI/litgpt finetune/lora.py`,
	about:  `iter counts batches, step updates`,
	examples: []example{
		{lines: []string{
			`Epoch 1 | iter 2 step 1 | loss train: 1.660, val: n/a | iter time: 548.72 ms (step)`,
		}, want: `step=1 epoch=1 loss=1.66 step_time_ms=548.72`},
	},
}
