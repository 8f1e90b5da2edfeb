package formats

import "testing"

// A duration in several units is one of seconds.
func TestDurationsOfSeveralUnits(t *testing.T) {
	for line, want := range map[string]string{
		"Epoch: 5 | Epoch Time: 5m 55s Train Loss: 2.75 | total time: 0h 25m 3s":                                        "1 epoch=5 Epoch Time=355 loss=2.75 total time=1503",
		"8epoch:train:201-250batch: iter_time=1.2e-04, forward_time=0.1, loss=2.5, backward_time=0.1, train_time=0.354": "1 step=250 epoch=8 backward_time=0.1 forward_time=0.1 iter_time=0.00012 loss=2.5 step_time_s=0.354",
		"step 128 loss 2.5 iter_time: 0.5 forward_time: 0.2":                                                            "1 step=128 forward_time=0.2 loss=2.5 step_time_s=0.5",
		"step 128 loss 2.5 time 2h 05m 15s":                                                                             "1 step=128 loss=2.5 time=7515",
		"Epoch: 5 | Train Loss: 2.75 | Elapsed: 1h2m3s":                                                                 "1 epoch=5 Elapsed=3723 loss=2.75",
		"Epoch: 5 | Train Loss: 2.75 | took: 2 min 3.5 sec":                                                             "1 epoch=5 loss=2.75 took=123.5",
		"Epoch: 5 | Train Loss: 2.75 | took: 1d 2h 3m":                                                                  "1 epoch=5 loss=2.75 took=93780",
		"Epoch: 5 | Train Loss: 2.75 | took: 5 min 350 ms/step":                                                         "1 epoch=5 loss=2.75 step_time_ms=350 took=5",
		"Epoch: 5 | Train Loss: 2.75 | took: 5m 90s":                                                                    "1 epoch=5 loss=2.75 took=5",
	} {
		if got := metricsOf(line); got != want {
			t.Errorf("%s:\n got %s\nwant %s", line, got, want)
		}
	}
}
