package formats

var reinforcement = format{
	name:   `Reinforcement learning`,
	source: `ML-Agents, Tianshou, CleanRL, keras-rl`,
	examples: []example{
		{lines: []string{
			`INFO:mlagents.trainers: cpu_test: FindTheTarget: Step: 35000. Time Elapsed: 114.797 s Mean Reward: 0.400. Std of Reward: 0.490. Training.`,
		}, want: `step=35000`},
		{lines: []string{
			`Epoch #1: 50001it [00:40, 1244.54it/s, env_step=50000, len=200, loss=-0.562, loss/clip=-0.584, rew=200.00]`,
		}, want: `step=50000 epoch=1 loss=-0.562`},
		{lines: []string{
			`global_step=3442, episode_reward=15.527101137763129`,
		}, want: `step=3442 episode_reward=15.527101137763129`},
	},
}
