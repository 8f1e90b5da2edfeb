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
			`2|1640|Loss: 1.4839784145355225:   1%|          | 15/1625 [00:12<21:54,  1.23it/s]`,
		}, want: `step=1640 epoch=2 loss=1.4839784145355225`},
		{lines: []string{
			`Step 1 | loss:1.58 lr:2e-05 tokens_per_second_per_gpu:1234`,
		}, want: `step=1 loss=1.58 lr=2e-05`},
	},
}

// torchtuneBar parses torchtune's description of a bar, "1|1625|Loss: 1.58": epoch, step of the run,
// loss (torchtune 0.6, recipes/full_finetune_distributed.py). step is 0 where the description is another.
func torchtuneBar(description []byte, pt *point) (step float64) {
	first := bytes.IndexByte(description, '|')
	if first < 1 || first > 6 || !digits(description, 0, first) {
		return 0
	}
	second := bytes.IndexByte(description[first+1:], '|')
	if second < 1 || !digits(description, first+1, second) {
		return 0
	}
	pt.hasEpoch, pt.epoch = true, float64(atoi(description[:first]))
	return float64(atoi(description[first+1 : first+1+second]))
}
