package signals

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// A row of memory with an uncorrectable error is replaced by a spare one, at
// the next reset. While one waits, the error can come again; when none is left
// the GPU must be replaced.
func remapRule() rule {
	return rule{
		kind: "remap", word: "ECC", cause: "gpu-ecc-error", stale: true,
		meaning: "rows of memory were replaced since the pod began, wait for a reset to be replaced, or could not be (NVIDIA's criterion for a return)",
		gpu:     remap,
		board:   true,
	}
}

func remap(g *gpu) (Signal, bool) {
	s := Signal{Quantities: []train.Quantity{train.GPURowsRemapped, train.GPURemapPending, train.GPURemapFailed}}
	if failed, known := g.Values.Get(train.GPURemapFailed); known && failed > 0 {
		s.Since, _ = g.lasts("remap failed", time.Time{}, 0)
		s.Severity, s.Text = train.SeverityError, "a bad row of its memory could not be replaced: the board has to go"
		return s, true
	}
	if pending, known := g.Values.Get(train.GPURemapPending); known && pending > 0 {
		s.Since, _ = g.lasts("remap pending", time.Time{}, 0)
		s.Severity, s.Text = train.SeverityWarning, "a bad row of its memory waits to be replaced: reset the GPU"
		return s, true
	}
	by, at, w := g.rise(train.GPURowsRemapped)
	s.Since = at
	s.Severity, s.Text = train.SeverityWarning, fmt.Sprintf("%s of its memory replaced after errors", termtext.Count(int(by), "row"))
	return s, w == during
}
