package signals

import (
	"fmt"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Errors that ECC corrects are no signal: clouds tolerate millions of them.
func eccRule() rule {
	return rule{
		kind: "ecc", word: "ECC", cause: "gpu-ecc-error", stale: true,
		meaning: "memory errors that ECC could not correct since the pod began; corrected ones are silent",
		gpu:     ecc,
		board:   true,
	}
}

func ecc(g *gpu) (Signal, bool) {
	by, at, w := g.rise(train.GPUECCUncorrected)
	s := Signal{Since: at, Quantities: []train.Quantity{train.GPUECCUncorrected}}
	errors := termtext.Count(int(by), "uncorrectable memory error")
	switch w {
	case during:
		s.Severity, s.Text = train.SeverityError, fmt.Sprintf("%s, the last %s ago", errors, termtext.Duration(g.now.Sub(at)))
	case unseen:
		s.Severity, s.Text = train.SeverityWarning, errors+" since its driver was loaded"
	case earlier:
		s.Severity, s.Cause, s.Text = train.SeverityInfo, noCause, errors+" before this pod began"
	}
	return s, w != never
}
