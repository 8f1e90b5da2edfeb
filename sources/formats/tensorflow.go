package formats

import "bytes"

var tensorFlow = format{
	name:   `TensorFlow 1`,
	source: `tensorflow 1.x estimator, slim, tutorials`,
	about:  `the value stands before the step`,
	examples: []example{
		{lines: []string{
			`INFO:tensorflow:Step 100 per-step time 0.512s`,
			`INFO:tensorflow:{'Loss/classification_loss': 0.312,`,
			` 'Loss/regularization_loss': 0.15,`,
			` 'Loss/total_loss': 0.674,`,
			`INFO:tensorflow:Step 200 per-step time 0.412s`,
			`INFO:tensorflow:{'Loss/classification_loss': 0.212,`,
			` 'Loss/regularization_loss': 0.15,`,
			` 'Loss/total_loss': 0.574,`,
		}, want: `step=200 loss=0.574`},
		{lines: []string{
			`INFO:tensorflow:loss = 4.264659, step = 100 (124.394 sec)`,
		}, want: `step=100 loss=4.264659`},
		{lines: []string{
			`INFO:tensorflow:global step 2: loss = 72.8609 (17.053 sec/step)`,
		}, want: `step=2 loss=72.8609 step_time_s=17.053`},
		{lines: []string{
			`2015-11-04 11:45:49.133065: step 10, loss = 4.66 (533.8 examples/sec; 0.240 sec/batch)`,
		}, want: `step=10 loss=4.66 samples_per_second=533.8 step_time_s=0.24`},
	},
}

// estimatorDict marks "Saving dict for global step 100: loss = 0.3" as an evaluation
// (tensorflow_estimator/python/estimator/estimator.py).
func estimatorDict(text []byte, pt *point) {
	if pt.strength == loss && bytes.HasPrefix(text, []byte("Saving dict for global step")) {
		pt.evaluate()
	}
}
