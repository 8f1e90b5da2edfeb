package formats

var caffe = format{
	name:   `Caffe`,
	source: `BVLC/caffe solver.cpp`,
	examples: []example{
		{lines: []string{
			`I1109 10:34:34.280992  9709 solver.cpp:219] Iteration 360 (0.170469 iter/s, 58.6617s/10 iters), loss = 0.0140731`,
		}, want: `step=360 loss=0.0140731`},
		{lines: []string{
			`I1109 10:34:34.281081  9709 sgd_solver.cpp:105] Iteration 360, lr = 7.8125e-07`,
		}, want: `step=360 lr=7.8125e-07`},
	},
}
