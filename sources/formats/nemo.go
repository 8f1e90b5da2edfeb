package formats

var neMo = format{
	name:   `NeMo`,
	source: `NVIDIA NeMo 2`,
	about:  `the iteration counts within the epoch, global_step does not`,
	examples: []example{
		{lines: []string{
			`(pretraining, pid=4112) Training epoch 2, iteration 7/999 | lr: 6.897e-06 | global_batch_size: 512 | global_step: 45 | reduced_train_loss: 11.02 | train_step_timing in s: 47.12 | consumed_samples: 23552`,
		}, want: `step=45 epoch=2 loss=11.02 lr=6.897e-06 step_time_s=47.12`},
	},
}
