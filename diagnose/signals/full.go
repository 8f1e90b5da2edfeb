package signals

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var (
	fullMemory = Limit{
		Name: "fullMemory", Preset: 97, Least: 50, Most: 100, Unit: "%",
		Meaning: "share of its memory that a GPU may use",
		Source:  "found by feel: of 80 GB, less than one large activation is left; public rules alert at 90 to 95, which training reaches by design",
	}
	fullFor = Limit{
		Name: "fullFor", Preset: 2, Least: 0, Most: 240, Unit: "min",
		Meaning: "how long", Source: "found by feel: not a single peak",
	}
)

// Memory close to full threatens nothing by itself (caching allocators keep
// what they once had), but a longer sequence will not fit.
func fullRule() rule {
	return rule{
		kind: "full", word: "full", cause: "cuda-out-of-memory",
		meaning: "the GPU's memory is nearly used up: the next larger batch or sequence does not fit",
		limits:  []Limit{fullMemory, fullFor},
		gpu:     full,
	}
}

func full(g *gpu) (Signal, bool) {
	share, known := g.memoryShare()
	if !known || g.GPU.Pod == "" || 100*share < g.limits.of(&fullMemory) {
		return Signal{}, false
	}
	used, _ := g.Values.Get(train.GPUMemoryUsed)
	total, _ := g.Values.Get(train.GPUMemoryTotal)
	past := g.window(train.GPUMemoryUsed, time.Hour, g.step())
	began, _ := past.run(func(v float64) bool { return 100*v/total >= g.limits.of(&fullMemory) })
	since, enough := g.lasts("full", began, g.limits.minutes(&fullFor))
	return Signal{
		Severity: train.SeverityInfo, Since: since, Quantities: []train.Quantity{train.GPUMemoryUsed},
		Text: fmt.Sprintf("memory nearly full: %s of %s", termtext.Bytes(used*mebi), termtext.Bytes(total*mebi)),
	}, enough
}
