package formats

var composer = format{
	name:   `Composer`,
	source: `mosaicml/composer 0.8 to 0.2x, loggers/console_logger.py`,
	about:  `a head with the step, then a line for each value`,
	examples: []example{
		{lines: []string{
			`[batch=1/100]:`,
			`         Train loss/train/total: 10.9736`,
		}, want: `step=1 loss=10.9736`},
	},
}
