package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

// paddleSeg sets the scope of PaddleSeg's iterations, which count through all epochs:
// "[TRAIN] epoch: 1, iter: 20/500, loss: 2.0859" (PaddleSeg 2.x,
// paddleseg/core/train.py).
func paddleSeg(text []byte, pt *point) {
	if pt.stepFraction && bytes.HasPrefix(text, []byte("[TRAIN] epoch")) {
		pt.scope, pt.scopeKnown = train.ScopeRun, true
	}
}
