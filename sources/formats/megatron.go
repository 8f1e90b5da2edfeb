package formats

var megatron = format{
	name:   `Megatron-LM`,
	source: `NVIDIA/Megatron-LM megatron/training/training.py, Megatron-DeepSpeed, GPT-NeoX`,
	about:  `printed by the last rank; without a loss when every iteration was skipped`,
	examples: []example{
		{lines: []string{
			` [2024-04-06 02:59:36] iteration       43/     100 | consumed samples:         5504 | elapsed time per iteration (ms): 5444.9 | throughput per GPU (TFLOP/s/GPU): 239.8 | learning rate: 8.600000E-06 | lm loss: 1.825991E+00 | load_balancing_loss: 1.019746E+00 | loss scale: 1.0 | grad norm: 1.426 |`,
		}, want: `step=43 loss=1.825991 lr=8.6e-06 grad_norm=1.426 tflops=239.8`},
		{lines: []string{
			` validation loss at iteration 1000 | lm loss value: 2.345678E+00 | lm loss PPL: 1.044E+01 |`,
		}, want: `step=1000 eval_loss=2.345678`},
	},
}
