package formats

var msSwift = format{
	name:   `ms-swift`,
	source: `modelscope/ms-swift 2.x and 3.x`,
	about:  `step and total in one string`,
	examples: []example{
		{lines: []string{
			`{'loss': 1.40159426, 'grad_norm': 9.4375, 'learning_rate': 5.79e-06, 'token_acc': 0.64041773, 'epoch': 0.48, 'global_step/max_steps': '45/94', 'percentage': '47.87%', 'remaining_time': '1m 35s'}`,
		}, want: `step=45 epoch=0.48 loss=1.40159426 lr=5.79e-06`},
	},
}
