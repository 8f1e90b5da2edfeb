package formats

var mindSpore = format{
	name:   `MindSpore`,
	source: `MindSpore 1.x and 2.x, mindyolo`,
	examples: []example{
		{lines: []string{
			`epoch: 1 step: 5004, loss is 4.8995576`,
		}, want: `step=5004 epoch=1 loss=4.8995576`},
		{lines: []string{
			`2024-12-25 09:58:42,787 [INFO] Epoch 1/200, Step 100/3995, imgsize (640, 640), loss: 11.6707, lbox: 3.6262, cur_lr: 0.09924906492233276`,
		}, want: `step=100 epoch=1 loss=11.6707 lr=0.09924906492233276`},
	},
}
