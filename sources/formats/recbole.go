package formats

var recBole = format{
	name:   `RecBole`,
	source: `RUCAIBox/RecBole 1.x`,
	examples: []example{
		{lines: []string{
			`23 May 14:00    INFO  epoch 5 training [time: 0.98s, train loss: 7450.7010]`,
		}, want: `epoch=5 loss=7450.701`},
	},
}
