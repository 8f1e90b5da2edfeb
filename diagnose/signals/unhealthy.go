package signals

import (
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// The vendor's own check is trusted as it is: AMD's gpu_health, DCGM's health
// watches.
func unhealthyRule() rule {
	return rule{
		kind: "unhealthy", word: "error", cause: "gpu-xid-error", stale: true,
		meaning: "the vendor's own health check is not content with the GPU",
		gpu:     unhealthy,
		board:   true,
	}
}

// healthFailed is DCGM's DCGM_HEALTH_RESULT_FAIL; 10 is a warning
// (dcgm_structs.h, 4.5; dcgm-exporter 4.8 exports it as
// DCGM_EXP_GPU_HEALTH_STATUS).
const healthFailed = 20

func unhealthy(g *gpu) (Signal, bool) {
	healthy, known := g.Values.Get(train.GPUHealthy)
	worst := 0.0
	var parts []string
	for i := range g.Events {
		if e := &g.Events[i]; e.Kind == "health" && e.Count > 0 {
			worst = max(worst, e.Count)
			if e.Name != "ALL" {
				parts = append(parts, e.Name)
			}
		}
	}
	failed := known && healthy == 0
	if !failed && worst == 0 {
		return Signal{}, false
	}
	since, _ := g.lasts("unhealthy", time.Time{}, 0)
	s := Signal{Severity: train.SeverityWarning, Since: since, Quantities: []train.Quantity{train.GPUHealthy}}
	s.Text = "its vendor's health check warns"
	if failed || worst >= healthFailed {
		s.Severity, s.Text = train.SeverityError, "its vendor's health check fails"
	}
	if len(parts) > 0 {
		s.Text += ": " + strings.Join(parts, ", ")
	}
	return s, true
}
