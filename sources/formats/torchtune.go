package formats

import "bytes"

// torchtuneBar reads torchtune's description of a bar, "1|1625|Loss: 1.58":
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
