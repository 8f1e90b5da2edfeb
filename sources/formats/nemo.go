package formats

var neMo = format{
	name:   `NeMo`,
	source: `NVIDIA NeMo 1 and 2`,
	about:  `the iteration counts within the epoch, global_step does not`,
	examples: []example{
		{lines: []string{
			`(pretraining, pid=4112) Training epoch 2, iteration 7/999 | lr: 6.897e-06 | global_batch_size: 512 | global_step: 45 | reduced_train_loss: 11.02 | train_step_timing in s: 47.12 | consumed_samples: 23552`,
		}, want: `step=45 epoch=2 loss=11.02 lr=6.897e-06 step_time_s=47.12`},
		{lines: []string{
			`Epoch 0: :  47%|████▋     | 7/15 [06:19<07:13, reduced_train_loss=11.50, global_step=5.000, consumed_samples=12288.0, train_step_timing in s=49.50]`,
		}, want: `epoch=0 loss=11.5 step_time_s=49.5`},
	},
}
