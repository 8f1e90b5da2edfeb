package formats

var jsonLines = format{
	name:   `JSON lines`,
	source: `facebookresearch/deit and what copied it; zap, structlog`,
	about:  `one object on each line`,
	examples: []example{
		{lines: []string{
			`{"train_lr": 0.0009362508365045029, "train_loss": 4.004816210765442, "test_loss": 1.4747849996308333, "test_acc1": 67.596001953125, "epoch": 50, "n_parameters": 11590840}`,
		}, want: `epoch=50 loss=4.004816210765442 eval_loss=1.4747849996308333 lr=0.0009362508365045029`},
		{lines: []string{
			`{"podName": "a-worker-0", "message": "{\"step\": 4, \"loss\": 1.96}", "timestamp": "2026-11-20T09:00:04Z"}`,
		}, want: `step=4 loss=1.96`},
		{lines: []string{
			`{"step": 7, "loss": 1.5, "message": "{\"step\": 4, \"loss\": 1.96}"}`,
		}, want: `step=7 loss=1.5`},
	},
}
