package signals

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var (
	unheldUse = Limit{
		Name: "unheldUse", Preset: 10, Least: 1, Most: 100, Unit: "%",
		Meaning: "use above which a GPU that no pod holds is busy",
		Source:  "found by feel: monitoring and a driver's own work stay below",
	}
	unheldMemory = Limit{
		Name: "unheldMemory", Preset: 1024, Least: 1, Most: 1 << 20, Unit: "MiB",
		Meaning: "memory above which something was left behind on a GPU that no pod holds",
		Source:  "facebookresearch/gcm takes 15 MiB; drivers and MIG reserve up to some hundred MiB, which old exporters count as used",
	}
	unheldFor = Limit{
		Name: "unheldFor", Preset: 3, Least: 0, Most: 60, Unit: "min",
		Meaning: "how long that has to be so",
		Source:  "found by feel: a pod that ended is told a little before its numbers fall",
	}
)

// A process uses a GPU that the scheduler considers free: one outside of
// Kubernetes, or one that outlived its pod. The next pod there runs out of
// memory.
func unheldRule() rule {
	return rule{
		kind: "unheld", word: "unheld", cause: "gpu-in-use-by-other",
		meaning: "no pod holds the GPU, and it is busy or its memory is used",
		limits:  []Limit{unheldUse, unheldMemory, unheldFor},
		gpu:     unheld,
	}
}

func unheld(g *gpu) (Signal, bool) {
	if !g.Free || g.GPU.Pod != "" {
		return Signal{}, false
	}
	use, by, known := g.use()
	busy := known && 100*use >= g.limits.of(&unheldUse)
	used, hasMemory := g.Values.Get(train.GPUMemoryUsed)
	if !busy && !(hasMemory && used >= g.limits.of(&unheldMemory)) {
		return Signal{}, false
	}
	since, enough := g.lasts("unheld", time.Time{}, g.limits.minutes(&unheldFor))
	s := Signal{Since: since, Severity: train.SeverityWarning, Quantities: []train.Quantity{train.GPUMemoryUsed}}
	s.Text = fmt.Sprintf("no pod holds it, and %s of its memory are used%s", termtext.Bytes(used*mebi), lasting(g.now, since))
	if busy {
		s.Text = fmt.Sprintf("no pod holds it, and it is %s busy%s", percent(use), lasting(g.now, since))
		s.Quantities = []train.Quantity{by, train.GPUMemoryUsed}
	}
	return s, enough
}
