package formats

var rlhf = format{
	name:   `RLHF trainers`,
	source: `volcengine/verl, OpenRLHF, DeepSpeed-Chat`,
	about:  `no plain loss: rewards and parts of losses`,
	examples: []example{
		{lines: []string{
			`(TaskRunner pid=87031) step:83 - actor/entropy_loss:0.317 - actor/kl_loss:0.024 - actor/pg_loss:0.000 - actor/lr:0.000 - critic/rewards/mean:0.906`,
		}, want: `step=83 lr=0`},
		{lines: []string{
			`Episode [1/200]:   2%|▏         | 12/629 [47:35<40:02:15, 233.61s/it, policy_loss=-0.0774, actor_lr=5e-7, kl=0, reward=0.338]`,
		}, want: `step=12 lr=5e-7 reward=0.338`},
		{lines: []string{
			`Train epoch [3/3]:  62%|██████▎   | 5/8 [00:11<00:05,  1.94s/it, act_loss=0.0466, reward=0.288, kl=0, act_lr=2.44e-7]`,
		}, want: `step=5 epoch=3 lr=2.44e-7 reward=0.288`},
	},
}
