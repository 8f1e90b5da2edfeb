package formats

var ignite = format{
	name:   `Ignite`,
	source: `pytorch-ignite and what was built on it`,
	examples: []example{
		{lines: []string{
			`... Epoch [1/4]  [20/100]:  ETA: 0:00:00  lr: 0.00100  total_loss: 1.5999  Iter time: 0.0008 s  Data prep ..`,
		}, want: `step=20 epoch=1 loss=1.5999 lr=0.001`},
	},
}
