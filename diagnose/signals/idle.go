package signals

import (
	"fmt"
	"math"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var (
	idleUse = Limit{
		Name: "idleUse", Preset: 5, Least: 0, Most: 50, Unit: "%",
		Meaning: "use below which a GPU is idle",
		Source:  "KempnerInstitute/kempnerpulse: idle is an engine active for less than 5 %",
	}
	idlePower = Limit{
		Name: "idlePower", Preset: 35, Least: 1, Most: 100, Unit: "% of the power limit",
		Meaning: "power above which a GPU is not idle whatever its use says",
		Source:  "H100: 69 W idle, 630 W at work (our captures); 35 % and more is communication",
	}
	idleFor = Limit{
		Name: "idleFor", Preset: 10, Least: 1, Most: 1440, Unit: "min",
		Meaning: "how long it has to be idle",
		Source:  "found by feel: longer than loading a model or writing a checkpoint; wseaton/gpu-pruner takes GPUs away after 30",
	}
	idleGrace = Limit{
		Name: "idleGrace", Preset: 15, Least: 0, Most: 1440, Unit: "min",
		Meaning: "how long after its pod began a GPU may be idle",
		Source:  "found by feel: images, data and compilation come before the first step",
	}
)

// A pod holds a GPU and nothing uses it. The duration covers the history, and
// grows beyond it while the program runs.
func idleRule() rule {
	return rule{
		kind: "idle", word: "idle", cause: "low-gpu-utilisation",
		meaning: "a pod holds the GPU, and it does nothing",
		limits:  []Limit{idleUse, idlePower, idleFor, idleGrace},
		gpu:     idle, together: idleTogether,
	}
}

func idle(g *gpu) (Signal, bool) {
	use, by, known := g.use()
	least := g.limits.of(&idleUse) / 100
	if g.GPU.Pod == "" || !known || use >= least || g.young(g.limits.minutes(&idleGrace)) || !g.powerIdle() {
		return Signal{}, false
	}
	past := g.window(by, store.GPUHistory, g.step())
	began, _ := past.run(func(v float64) bool { return v/scale(by) < least })
	switch {
	case began.IsZero():
		began = g.now // no history: measured once
	case began.Before(g.held):
		began = g.held
	}
	// One reading of 0 % proves nothing, so a single measurement needs a
	// history.
	since, _ := g.lasts("idle", began, 0)
	return Signal{
		Severity: train.SeverityWarning, Since: since, Quantities: []train.Quantity{by, train.GPUPower},
		Text: "held, idle" + lasting(g.now, since),
	}, g.now.Sub(since) >= g.limits.minutes(&idleFor)
}

// powerIdle is false when the power contradicts an idle GPU. Slices of a GPU
// report the power of the whole GPU, which contradicts nothing.
func (g *gpu) powerIdle() bool {
	share, known := g.powerShare()
	return !known || g.GPU.MIG.Instance != "" || 100*share < g.limits.of(&idlePower)
}

func idleTogether(j *job, all []Signal) string {
	var wasted time.Duration
	for i := range all {
		wasted += j.now.Sub(all[i].Since)
	}
	longest := all[0].Since
	for i := range all {
		if all[i].Since.Before(longest) {
			longest = all[i].Since
		}
	}
	sliced := map[train.GPUID]bool{}
	for i := range j.gpus {
		if g := &j.gpus[i].GPU; g.MIG != (train.MIG{}) {
			sliced[g.ID()] = true
		}
	}
	idle := 0
	for i := range all {
		if sliced[all[i].GPU] {
			idle++
		}
	}
	who := termtext.GPUs(len(all), idle)
	if len(all) < len(j.gpus) {
		who = fmt.Sprintf("%d of %s", len(all), termtext.GPUs(len(j.gpus), len(sliced)))
	}
	return fmt.Sprintf("%s held, idle%s%s", who, lasting(j.now, longest), gpuHours(wasted))
}

// gpuHours returns the cost: " (25 GPU-hours)"; nothing below half an hour.
func gpuHours(d time.Duration) string {
	if d < 30*time.Minute {
		return ""
	}
	if hours := d.Hours(); hours < 10 {
		return fmt.Sprintf(" (%.1f GPU-hours)", hours)
	}
	return fmt.Sprintf(" (%d GPU-hours)", int(math.Round(d.Hours())))
}
