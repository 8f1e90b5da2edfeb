package formats

import "bytes"

var torchTune = format{
	name:   `torchtune`,
	source: `torchtune 0.2 to 0.6, recipes`,
	about:  `epoch|step|loss in the description of a bar`,
	examples: []example{
		{lines: []string{
			`1|1625|Loss: 1.5839784145355225: 100%|██████████| 1625/1625 [21:54<00:00,  1.23it/s]`,
		}, want: `step=1625 epoch=1 loss=1.5839784145355225`},
		{lines: []string{
			`Step 1 | loss:1.58 lr:2e-05 tokens_per_second_per_gpu:1234`,
		}, want: `step=1 loss=1.58 lr=2e-05`},
	},
}

// torchtuneBar parses torchtune's description of a bar, "1|1625|Loss: 1.58":
// epoch, step, loss (torchtune 0.6, recipes/full_finetune_distributed.py).
func torchtuneBar(description []byte, pt *point) {
	first := bytes.IndexByte(description, '|')
	if first < 1 || first > 6 || !digits(description, 0, first) {
		return
	}
	second := bytes.IndexByte(description[first+1:], '|')
	if second < 1 || !digits(description, first+1, second) {
		return
	}
	pt.hasEpoch, pt.epoch = true, float64(atoi(description[:first]))
}
