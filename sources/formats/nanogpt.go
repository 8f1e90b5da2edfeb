package formats

var nanoGPT = format{
	name:   `nanoGPT`,
	source: `karpathy/nanoGPT train.py, build-nanogpt, nanochat, llm.c`,
	examples: []example{
		{lines: []string{
			`iter 2920: loss 3.9883, time 1099.34ms, mfu 15.34%`,
		}, want: `step=2920 loss=3.9883 step_time_ms=1099.34 mfu=15.34`},
		{lines: []string{
			`step 3000: train loss 4.0390, val loss 4.0427`,
		}, want: `step=3000 loss=4.039 eval_loss=4.0427`},
		{lines: []string{
			`step 00100/21400 (0.47%) | loss: 5.123456 | lrm: 1.00 | dt: 345.67ms | tok/sec: 1,516,789 | bf16_mfu: 48.12 | epoch: 1 | total time: 0.58m`,
		}, want: `step=100 epoch=1 loss=5.123456 tokens_per_second=1516789`},
		{lines: []string{
			`step 1: train loss 4.301069 (took 1288.673000 ms)`,
		}, want: `step=1 loss=4.301069`},
		{lines: []string{
			`250 val 6.4102`,
			`250 train 6.378113`,
		}, want: `step=250 loss=6.378113`},
	},
}
