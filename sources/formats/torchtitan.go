package formats

var torchTitan = format{
	name:   `torchtitan`,
	source: `pytorch/torchtitan torchtitan/components/metrics.py`,
	about:  `colours between the fields`,
	examples: []example{
		{lines: []string{
			"[rank0]:[titan] 2026-05-18 16:04:46,338 - root - INFO - \x1b[36mstep: 14  \x1b[32mloss:  3.24405  grad_norm:  0.8319  memory:  9.46GiB(64.99%)  tps: 7,282  tflops: 0.52  mfu: 0.17%\x1b[39m",
		}, want: `step=14 loss=3.24405 grad_norm=0.8319 tokens_per_second=7282 tflops=0.52 mfu=0.17`},
	},
}
