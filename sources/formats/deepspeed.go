package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

var deepSpeed = format{
	name:   `DeepSpeed`,
	source: `deepspeed 0.5 to 0.16, runtime/engine.py and utils/timer.py`,
	about:  `the engine prints no loss`,
	examples: []example{
		{lines: []string{
			`[2023-04-18 01:46:59,142] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=6, lr=[9.649992967150629e-06, 9.649992967150629e-06], mom=[(0.9, 0.95), (0.9, 0.95)]`,
		}, want: `step=10 lr=9.649992967150629e-06`},
		{lines: []string{
			`[2023-04-18 01:46:59,171] [INFO] [timer.py:199:stop] epoch=0/micro_step=10/global_step=10, RunningAvgSamplesPerSec=173.4455644119137, CurrSamplesPerSec=171.97903593624417`,
		}, want: `step=10 epoch=0`},
	},
}

// deepSpeedTimer parses "0/2650, SamplesPerSec=13.2" of DeepSpeed before 0.5:
// epoch/step, not n/N as in other formats.
func deepSpeedTimer(text []byte, pt *point) {
	if !pt.stepFraction || !bytes.Contains(text, []byte("SamplesPerSec=")) || !isDigit(text[0]) {
		return
	}
	pt.hasEpoch, pt.epoch = true, pt.step
	pt.step, pt.stepOf, pt.stepFraction = pt.stepOf, 0, false
	pt.scope, pt.scopeKnown = train.ScopeRun, true
}
