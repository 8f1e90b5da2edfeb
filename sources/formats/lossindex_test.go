package formats

import "testing"

// A number in brackets right behind the name of a loss is its position where it grows from line to
// line and the log has no other.
func TestIndexOfLoss(t *testing.T) {
	for log, want := range map[string]string{
		"loss[10] = 2.95\nloss[20] = 2.9\nloss[30] = 2.85":               "1 step=10 loss=2.95; 2 step=20 loss=2.9; 3 step=30 loss=2.85",
		"loss(10) = 2.95\nloss(20) = 2.9\nloss(30): 2.85":                "1 step=10 loss=2.95; 2 step=20 loss=2.9; 3 step=30 loss=2.85",
		"train_loss[10]: 2.95, lr: 0.1\ntrain_loss[20]: 2.9, lr: 0.2":    "1 step=10 loss=2.95 lr=0.1; 2 step=20 loss=2.9 lr=0.2",
		"epoch 3\nloss[0] = 2.95\nloss[1] = 0.5\nepoch 4\nloss[0] = 2.9": "2 epoch=3; 5 epoch=4",
		"loss[0] = 2.95\nloss[1] = 0.5\nloss[0] = 2.9\nloss[1] = 0.4":    "1 step=0 loss=2.95; 2 step=1 loss=0.5",
		"step 7 loss[0] = 2.95 loss[1] = 0.5":                            "1 step=7",
	} {
		if got := pointsOf(log); got != want {
			t.Errorf("%s:\n got %s\nwant %s", log, got, want)
		}
	}
}
