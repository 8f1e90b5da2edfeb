package formats

var translation = format{
	name:   `Translation toolkits`,
	source: `OpenNMT, Marian`,
	examples: []example{
		{lines: []string{
			`[2018-09-20 15:18:39,264 INFO] Step 380000/1000000; acc:  42.02; ppl: 55.22; xent: 4.01; lr: 0.00000; 2214/2168 tok/s;    950 sec`,
		}, want: `step=380000 lr=0 ppl=55.22`},
		{lines: []string{
			`[2019-08-17 13:16:58] Ep. 2 : Up. 497000 : Sen. 32,243,206 : Cost 2.77209687 : Time 337.44s : 28806.18 words/s : L.r. 5.3827e-05`,
		}, want: `step=497000 epoch=2 loss=2.77209687 lr=5.3827e-05`},
	},
}
