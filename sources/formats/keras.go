package formats

var keras = format{
	name:   `Keras`,
	source: `Keras 2 and 3, utils/generic_utils.py Progbar`,
	about:  `the epoch stands on the line before`,
	examples: []example{
		{lines: []string{
			`Epoch 1/30`,
			`100/100 [==============================] - 94s 940ms/step - loss: 0.6316 - acc: 0.7760 - val_loss: 0.8940 - val_acc: 0.7778`,
		}, want: `step=100 epoch=1 loss=0.6316 eval_loss=0.894`},
	},
}
