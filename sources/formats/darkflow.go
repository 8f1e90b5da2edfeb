package formats

var darkflow = format{
	name:   `darkflow`,
	source: `thtrieu/darkflow`,
	examples: []example{
		{lines: []string{
			`step 345 - loss 103.25736999511719 - moving ave loss 103.40884770577918`,
		}, want: `step=345 loss=103.25736999511719`},
	},
}
