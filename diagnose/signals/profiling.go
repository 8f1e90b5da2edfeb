package signals

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/train"
)

var (
	profilingUse = Limit{
		Name: "profilingUse", Preset: 50, Least: 1, Most: 100, Unit: "%",
		Meaning: "use, or share of the power limit, that counters of 0 contradict",
		Source:  "NVIDIA/DCGM issue 303, dcgm-exporter issue 662: profiling counters stay 0 while the GPU works",
	}
	profilingFor = Limit{
		Name: "profilingFor", Preset: 2, Least: 0, Most: 60, Unit: "min",
		Meaning: "how long", Source: "found by feel: use and counters are not taken at the same instant",
	}
)

// The exporter reports wrong numbers: its profiling module failed, or another
// profiler holds the counters. Other rules must not use them then.
func profilingRule() rule {
	return rule{
		kind: "profiling", word: "counters 0",
		meaning: "the profiling counters (engine, SM, tensor activity) read 0 although the GPU works: the exporter has to be started again",
		limits:  []Limit{profilingUse, profilingFor},
		gpu:     profiling,
	}
}

func profiling(g *gpu) (Signal, bool) {
	if !g.profilingDead() {
		return Signal{}, false
	}
	since, enough := g.lasts("profiling", time.Time{}, g.limits.minutes(&profilingFor))
	at := ""
	if power, known := g.Values.Get(train.GPUPower); known {
		at = fmt.Sprintf(" at %s W", whole(power))
	}
	return Signal{
		Severity: train.SeverityInfo, Since: since,
		Quantities: []train.Quantity{train.GPUGraphics, train.GPUSMActive, train.GPUTensorActive},
		Text:       "profiling counters read 0" + at + ": start its exporter again, or end the profiler that holds them",
	}, enough
}

// profilingDead reports whether the counters contradict themselves. An engine
// that is never active cannot be busy; a tensor core can be idle on a GPU that
// works, so it alone proves nothing.
func (g *gpu) profilingDead() bool {
	engine, known := g.Values.Get(train.GPUGraphics)
	if !known {
		engine, known = g.Values.Get(train.GPUSMActive)
	}
	if !known || engine > 0 {
		return false
	}
	if tensor, measured := g.Values.Get(train.GPUTensorActive); measured && tensor > 0 {
		return false
	}
	least := g.limits.of(&profilingUse)
	if use, measured := g.Values.Get(train.GPUUtilization); measured {
		return use >= least
	}
	share, measured := g.powerShare()
	return measured && 100*share >= least
}
