package formats

var boosters = format{
	name:   `XGBoost and LightGBM`,
	source: `XGBoost 0.7 to 2, LightGBM 2 to 4`,
	about:  `the round in brackets, then set and metric`,
	examples: []example{
		{lines: []string{
			"[3]\tvalidation_0-rmse:119.218",
		}, want: `step=3 validation_0-rmse=119.218`},
		{lines: []string{
			`[LightGBM] [Info] Iteration:64, training binary_logloss : 0.306851`,
		}, want: `step=64`},
		{lines: []string{
			"[100]\ttraining's l2: 0.17\tvalid_1's rmse: 0.21",
		}, want: `step=100`},
	},
}
