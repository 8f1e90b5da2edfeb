package formats

var speech = format{
	name:   `Speech toolkits`,
	source: `k2-fsa/icefall, ESPnet 2, SpeechBrain, NVIDIA tacotron2, Coqui TTS`,
	examples: []example{
		{lines: []string{
			`2022-04-28 19:02:58,303 INFO [train.py:757] Epoch 1, batch 40, loss[loss=0.4558, simple_loss=0.705, pruned_loss=1.033, over 2470.00 frames.], tot_loss[loss=0.5085, simple_loss=0.7641], batch size: 38, lr: 2.98e-03`,
		}, want: `step=40 epoch=1 loss=0.4558 lr=0.00298`},
		{lines: []string{
			`[gpu01:0/2] 2020-07-19 08:49:04,080 (trainer:464) INFO: 1epoch:train:1-682batch: iter_time=2.878e-04, forward_time=0.134, loss=123.963, loss_att=77.448, acc=0.013, lr_0=3.460e-06`,
		}, want: `epoch=1 loss=123.963 lr=3.46e-06`},
		{lines: []string{
			`speechbrain.utils.train_logger - epoch: 1, lr: 1.00e+00 - train loss: 9.45e-01 - valid loss: 1.23, valid CER: 35.42, valid WER: 39.14`,
		}, want: `epoch=1 lr=1 loss=0.945 eval_loss=1.23`},
		{lines: []string{
			`Train loss 100 0.302735 Grad Norm 0.958112 4.36s/it`,
		}, want: `step=100 loss=0.302735 grad_norm=0.958112`},
		{lines: []string{
			`   --> STEP: 49/377 -- GLOBAL_STEP: 370050`,
			`     | > loss_disc: 2.45601  (2.46310)`,
		}, want: `step=370050 loss_disc=2.45601`},
	},
}
