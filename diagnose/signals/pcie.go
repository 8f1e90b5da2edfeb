package signals

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/train"
)

var pcieReplays = Limit{
	Name: "pcieReplays", Preset: 8, Least: 1, Most: 1e9, Unit: "a minute",
	Meaning: "packets that PCIe has to send again",
	Source:  "DCGM_LIMIT_MAX_PCIREPLAY_RATE 8 (NVIDIA/DCGM, dcgm_gpu_hardware_limits.h)",
}

// pcieWindow is the time over which the rate is computed: some intervals of an
// exporter.
const pcieWindow = 5 * time.Minute

func pcieRule() rule {
	return rule{
		kind: "pcie", word: "PCIe", cause: "pcie-degraded",
		meaning: "the GPU's PCIe link loses packets and sends them again",
		limits:  []Limit{pcieReplays},
		gpu:     pcie,
	}
}

func pcie(g *gpu) (Signal, bool) {
	if total, known := g.Values.Get(train.GPUPCIeReplays); !known || total <= 0 {
		return Signal{}, false
	}
	var replays float64
	var at time.Time
	for _, c := range g.changes() {
		if c.Quantity == train.GPUPCIeReplays && c.To > c.From && g.now.Sub(c.At) < pcieWindow {
			replays, at = replays+c.To-c.From, c.At
		}
	}
	rate := replays / pcieWindow.Minutes()
	if rate <= g.limits.of(&pcieReplays) {
		return Signal{}, false
	}
	return Signal{
		Severity: train.SeverityWarning, Since: at, Quantities: []train.Quantity{train.GPUPCIeReplays},
		Text: fmt.Sprintf("PCIe sends %s packets a minute again", whole(rate)),
	}, true
}
