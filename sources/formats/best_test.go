package formats

import "testing"

// The position of a best value is not that of the line, where the line has one of its own.
func TestPositionsOfBestValues(t *testing.T) {
	for line, want := range map[string]string{
		"Progress: 300/1000 (30.0%), Loss: 1.5000, Best: 1.5300 @ step 293": "1 step=300 loss=1.5",
		"iter 300 loss 1.5 best loss 1.53 at step 293":                      "1 step=300 loss=1.5",
		"300/1000 loss: 1.5, min loss: 1.2 (step: 293)":                     "1 step=300 loss=1.5",
		"step 300 loss 1.5 best acc 88.1 (epoch 12)":                        "1 step=300 loss=1.5",
		"epoch 20 loss 0.5 (best: 0.4 at epoch 12)":                         "1 epoch=20 loss=0.5",
		"loss 0.5, best: 0.4, step 20":                                      "1 step=20 loss=0.5",
		"loss 0.5, best 0.4 @ step 20":                                      "1 step=20 loss=0.5",
	} {
		if got := pointsOf(line); got != want {
			t.Errorf("%s:\n got %s\nwant %s", line, got, want)
		}
	}
}
