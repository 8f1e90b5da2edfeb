package formats

var transformers = format{
	name:   `Hugging Face Trainer`,
	source: `transformers 4.x and 5.x, trainer.py; also TRL, axolotl, LLaMA-Factory, Unsloth`,
	about:  `a dict; its step is the one of the bar before it`,
	examples: []example{
		{lines: []string{
			` 32%|███▏      | 283/873 [25:44<47:06,  4.79s/it]`,
			`{'loss': 0.8635, 'learning_rate': 0.0001369640787949015, 'epoch': 0.97}`,
		}, want: `step=283 epoch=0.97 loss=0.8635 lr=0.0001369640787949015`},
		{lines: []string{
			`{'eval_loss': 0.8106440901756287, 'eval_runtime': 9.5817, 'eval_samples_per_second': 10.437, 'epoch': 0.2}`,
		}, want: `epoch=0.2 eval_loss=0.8106440901756287`},
	},
}
