package formats

var neuronX = format{
	name:   `NeuronX`,
	source: `AWS neuronx-distributed`,
	about:  `no separators at all`,
	examples: []example{
		{lines: []string{
			`step 1 step_time 244.7649691104889s throughput 3.935193537274158 seq/s loss 13.412860887125134 grad norm 1.9788274765014648`,
		}, want: `step=1 loss=13.412860887125134 step_time_s=244.7649691104889 grad_norm=1.9788274765014648`},
	},
}
