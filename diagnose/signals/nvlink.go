package signals

import (
	"fmt"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var nvlinkErrors = Limit{
	Name: "nvlinkErrors", Preset: 1, Least: 1, Most: 1e9, Unit: "errors",
	Meaning: "CRC, replay and recovery errors of NVLink since the pod began",
	Source:  "facebookresearch/gcm: threshold 0; DCGM_LIMIT_MAX_NVLINK_ERROR 1 (NVIDIA/DCGM, dcgm_gpu_hardware_limits.h)",
}

func nvlinkRule() rule {
	return rule{
		kind: "nvlink", word: "NVLink", cause: "nvlink-error", stale: true,
		meaning: "NVLink repeats or loses data since the pod began",
		limits:  []Limit{nvlinkErrors},
		gpu:     nvlink,
		board:   true,
	}
}

func nvlink(g *gpu) (Signal, bool) {
	by, at, w := g.rise(train.GPUNVLinkErrors)
	if w != during || by < g.limits.of(&nvlinkErrors) {
		return Signal{}, false // unknown for a counter since boot
	}
	return Signal{
		Severity: train.SeverityWarning, Since: at, Quantities: []train.Quantity{train.GPUNVLinkErrors},
		Text: fmt.Sprintf("%s, the last %s ago", termtext.Count(int(by), "NVLink error"), termtext.Duration(g.now.Sub(at))),
	}, true
}
