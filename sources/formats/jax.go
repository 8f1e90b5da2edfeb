package formats

var jaxTrainers = format{
	name:   `JAX trainers`,
	source: `AI-Hypercomputer/maxtext, google/flax examples, CLU metric writers`,
	examples: []example{
		{lines: []string{
			`completed step: 2, seconds: 5.658, TFLOP/s/device: 135.158, Tokens/s/device: 8687.815, total_weights: 196608, loss: 11.689`,
		}, want: `step=2 loss=11.689 step_time_s=5.658 tflops=135.158`},
		{lines: []string{
			`INFO:absl:eval epoch: 1, loss: 0.0592, accuracy: 98.00`,
		}, want: `epoch=1 eval_loss=0.0592 eval_accuracy=98`},
		{lines: []string{
			`I0325 14:01:33.201636 130295542103168 logging_writer.py:48] [100] train_accuracy=0.9, train_loss=0.3`,
		}, want: `step=100 loss=0.3`},
	},
}
