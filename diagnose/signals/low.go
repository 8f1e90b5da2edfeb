package signals

import (
	"fmt"

	"github.com/traintop/traintop/train"
)

var (
	lowUse = Limit{
		Name: "lowUse", Preset: 30, Least: 1, Most: 100, Unit: "%",
		Meaning: "mean use of a job's GPUs that is low",
		Source:  "found by feel: two thirds of the GPUs would do",
	}
	lowActivity = Limit{
		Name: "lowActivity", Preset: 0.5, Least: 0, Most: 1,
		Meaning: "mean SM activity that is low although use is not",
		Source:  "NVIDIA's DCGM guide: SM activity below 0.5 is likely ineffective use",
	}
	lowFor = Limit{
		Name: "lowFor", Preset: 10, Least: 1, Most: 60, Unit: "min",
		Meaning: "time over which the mean is taken",
		Source:  "found by feel: several steps, and longer than a checkpoint",
	}
	lowGrace = Limit{
		Name: "lowGrace", Preset: 15, Least: 0, Most: 240, Unit: "min",
		Meaning: "how long after the youngest rank began use may be low",
		Source:  "found by feel: loading and compiling come before the first step",
	}
)

// lowWitnesses is how many GPUs represent all of a job.
const lowWitnesses = 64

// Low utilization that is neither idle nor explained by anything else.
func lowRule() rule {
	return rule{
		kind: "low", word: "low use", cause: "low-gpu-utilisation",
		meaning: "the job runs, and its GPUs do little over minutes",
		limits:  []Limit{lowUse, lowActivity, lowFor, lowGrace},
		job:     low,
	}
}

func low(j *job) []Signal {
	if len(j.fresh) == 0 || j.young(j.limits.minutes(&lowGrace)) || quick(j) {
		return nil
	}
	if now, measured := meanUse(j); measured && 100*now < j.limits.of(&idleUse) {
		return nil // they are idle, or about to be, with a signal each
	}
	use, known := meanOver(j, train.GPUUtilization)
	if !known {
		use, known = meanOver(j, train.GPUGraphics)
		use *= 100
	}
	span := j.limits.minutes(&lowFor)
	if known && use < j.limits.of(&lowUse) {
		since, _ := j.lasts("low", j.now.Add(-span), 0)
		return []Signal{{
			Severity: train.SeverityWarning, Rank: -1, Since: since, Quantities: []train.Quantity{train.GPUUtilization},
			Text: fmt.Sprintf("GPUs used %s %% on average%s", whole(use), lasting(j.now, since)),
		}}
	}
	activity, known := meanOver(j, train.GPUSMActive)
	if !known || activity >= j.limits.of(&lowActivity) {
		return nil
	}
	since, _ := j.lasts("low activity", j.now.Add(-span), 0)
	return []Signal{{
		Severity: train.SeverityInfo, Rank: -1, Since: since, Quantities: []train.Quantity{train.GPUSMActive},
		Text: fmt.Sprintf("SM activity %s on average: its kernels use a part of each GPU", ratio(activity)),
	}}
}

// quick is true when no examined GPU is below any of the limits now: for most
// jobs the history is not read.
func quick(j *job) bool {
	for _, g := range j.some(lowWitnesses) {
		if use, _, known := g.use(); known && 100*use < 2*j.limits.of(&lowUse) {
			return false
		}
		if activity, known := g.value(train.GPUSMActive); known && activity < j.limits.of(&lowActivity) {
			return false
		}
	}
	return true
}

// meanOver returns the mean of a quantity over the GPUs of a job and the time
// of lowFor. It is unknown unless half of that time was measured: a job whose
// numbers were measured once has a mean over its GPUs alone.
func meanOver(j *job, q train.Quantity) (mean float64, known bool) {
	span := j.limits.minutes(&lowFor)
	sum, n := 0.0, 0.0
	for _, g := range j.some(lowWitnesses) {
		if _, measured := g.value(q); !measured {
			continue
		}
		w := g.window(q, span, g.step())
		v, steps := w.mean()
		if g.once() || 2*steps < len(w.means) {
			continue
		}
		sum, n = sum+v, n+1
	}
	return sum / max(1, n), n > 0
}
