package formats

import "testing"

// Values in cells have the names behind them, rates of data those in front of them where
// all values have, and two values of one name are those of training and evaluation.
func TestNamesOfCellsRatesAndPairs(t *testing.T) {
	for line, want := range map[string]string{
		"step 300/18865 | loss 1.5 (+0.26z)| lr 8.57e-07 | 3056.36 ms | 42.6% bf16 MFU | 171542 tok/s": "1 step=300 loss=1.5 lr=8.57e-07 mfu=42.6 tokens_per_second=171542",
		"step 300 | loss 1.5 | 12.3K tok/s | 45.3% MFU | 350 ms":                                       "1 step=300 loss=1.5 mfu=45.3 tokens_per_second=12300",
		"step 300 | 2.0 loss | 1.2 grad norm | 0.0001 lr":                                              "1 step=300 grad_norm=1.2 loss=2 lr=0.0001",
		"Step 200 - 2.0 loss - 0.88 acc":                                                               "1 step=200 accuracy=0.88 loss=2",
		"step 5/1000 loss 2.99 tokens/s 45012 lr 3e-4":                                                 "1 step=5 loss=2.99 lr=0.0003 tokens_per_second=45012",
		"step 5 loss 2.99 GB/s 12 tokens/s 45012":                                                      "1 step=5 GB/s=12 loss=2.99 tokens_per_second=45012",
		"step 5 loss 2.99, 1000 tokens/s, lr 3e-4":                                                     "1 step=5 loss=2.99 lr=0.0003 tokens_per_second=1000",
		"epoch 3 train/val loss: 2.95/3.16":                                                            "1 epoch=3 eval_loss=3.16 loss=2.95",
		"epoch 3 loss (train/val): 2.95/3.16":                                                          "1 epoch=3 eval_loss=3.16 loss=2.95",
		"epoch 3 train/val acc: 91.2/88.1":                                                             "1 epoch=3 accuracy=91.2 eval_accuracy=88.1",
		"epoch 3 train_loss/val_loss: 2.95/3.16":                                                       "1 epoch=3 eval_loss=3.16 loss=2.95",
	} {
		if got := metricsOf(line); got != want {
			t.Errorf("%s:\n got %s\nwant %s", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"step 10K/100K loss 2.9": "1 step=10000 loss=2.9", "Step 100/10k loss: 2.9": "1 step=100 loss=2.9", "[0.1K/10K] loss 2.9": "1 step=100 loss=2.9", "step 3/10 loss 2.9": "1 step=3 loss=2.9",
	} {
		if got := pointsOf(line); got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// The unit of a rate behind something else names the number that follows, also several times;
// where values come before their names, the name in front of a rate is of the value before it.
func TestNamesAroundRates(t *testing.T) {
	for line, want := range map[string]string{
		"step 29 loss 2.710 samples/s 12 tokens/s 45029":                                  "1 step=29 loss=2.71 samples_per_second=12 tokens_per_second=45029",
		"step 29 loss 2.710 ms/step 350 tokens/s 45029":                                   "1 step=29 loss=2.71 step_time_ms=350 tokens_per_second=45029",
		"step 29 loss 2.710 s/it 0.35 it/s 2.9 lr 0.1":                                    "1 step=29 it_per_second=2.9 loss=2.71 lr=0.1 step_time_s=0.35",
		"step 29 loss 2.710 samples/s 12 tokens/s 9 steps/s 3":                            "1 step=29 it_per_second=3 loss=2.71 samples_per_second=12 tokens_per_second=9",
		"step 29 loss 2.710 speed 12 samples/s 45029 tokens/s":                            "1 step=29 loss=2.71 samples_per_second=12 tokens_per_second=45029",
		"2.710 loss 45029 tok/s step 29":                                                  "1 step=29 loss=2.71 tokens_per_second=45029",
		"2.710 loss 0.5 grad_norm 45029 tok/s step 29":                                    "1 step=29 grad_norm=0.5 loss=2.71 tokens_per_second=45029",
		"step 29: 2.710 loss, 45029 tok/s":                                                "1 step=29 loss=2.71 tokens_per_second=45029",
		"step 29 Speed: 189.95 samples/sec 8499.62 tokens/sec 1.59 updates/sec, loss=2.7": "1 step=29 loss=2.7 samples_per_second=189.95 tokens_per_second=8499.62",
		"step 29 loss 2.71 speed 45029 tok/s":                                             "1 step=29 loss=2.71 tokens_per_second=45029",
		"step 29 loss 1.550 tokens/s: 3.2 M":                                              "1 step=29 loss=1.55 tokens_per_second=3.2e+06",
		"step 29 loss 1.550, tokens/s: 3.2 M, lr: 0.1":                                    "1 step=29 loss=1.55 lr=0.1 tokens_per_second=3.2e+06",
		"step 29 loss 1.550 throughput 12.3 K tokens/s":                                   "1 step=29 loss=1.55 tokens_per_second=12300",
		"step 29 loss 1.550 throughput: 12.3K tokens/s lr 0.1":                            "1 step=29 loss=1.55 lr=0.1 tokens_per_second=12300",
		"step 29 loss 1.550 speed: 1.5ksamples/s":                                         "1 step=29 loss=1.55 samples_per_second=1500",
		"step 29 loss 1.550 memory: 2.2 M":                                                "1 step=29 loss=1.55 memory=2.2",
		"step 29 loss 1.550 tokens/s: 3 K 12":                                             "1 step=29 K=12 loss=1.55 tokens_per_second=3",
		"epoch 3 | train loss 1.5 acc 0.88 | val loss 2.2 acc 0.80":                       "1 epoch=3 accuracy=0.88 eval_accuracy=0.8 eval_loss=2.2 loss=1.5",
		"epoch 3 | loss 1.5 acc 0.88 | val acc 0.80 loss 2.2":                             "1 epoch=3 accuracy=0.88 eval_accuracy=0.8 eval_loss=2.2 loss=1.5",
		"epoch 3 | train loss 1.5 | val loss 2.2 acc 0.80 | lr 0.1":                       "1 epoch=3 eval_accuracy=0.8 eval_loss=2.2 loss=1.5 lr=0.1",
		"epoch 3, train loss: 1.5, val loss: 2.2, acc: 0.80":                              "1 epoch=3 accuracy=0.8 eval_loss=2.2 loss=1.5",
		"epoch 3 | val loss 2.2 | train loss 1.5 acc 0.88":                                "1 epoch=3 accuracy=0.88 eval_loss=2.2 loss=1.5",
	} {
		if got := metricsOf(line); got != want {
			t.Errorf("%s:\n got %s\nwant %s", line, got, want)
		}
	}
}
