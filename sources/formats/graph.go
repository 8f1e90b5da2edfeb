package formats

var graphLibraries = format{
	name:   `Graph libraries`,
	source: `DGL and PyG examples, DGL-KE`,
	examples: []example{
		{lines: []string{
			`Epoch 00190 | Loss 1.5225 | TrainAcc 0.9500 | ValAcc 0.6840`,
		}, want: `epoch=190 loss=1.5225 accuracy=0.95 eval_accuracy=0.684`},
		{lines: []string{
			`Epoch: 02, Loss: 0.5519, Val: 0.5895, Test: 0.6288`,
		}, want: `epoch=2 loss=0.5519 Val=0.5895 Test=0.6288`},
		{lines: []string{
			`[proc 0][Train](15000/40000) average loss: 0.2598`,
		}, want: `step=15000 loss=0.2598`},
	},
}
