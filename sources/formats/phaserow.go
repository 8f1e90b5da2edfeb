package formats

import (
	"bytes"
	"math"
)

// phaseRow reports whether the line is a step, the word for training or validation and a
// value, and nothing else: "250 train 6.3781" of the log.txt of build-nanogpt.
func (r *pairs) phaseRow() bool {
	if len(r.fields) != 2 {
		return false
	}
	step, value := &r.fields[0], &r.fields[1]
	if step.lo != 0 || step.fraction || step.unit != unitNone || step.number != math.Trunc(step.number) || step.hi+1 != value.name.lo {
		return false
	}
	switch string(value.name.of(r.text)) {
	case "train", "val", "valid":
	default:
		return false
	}
	return value.lo == value.name.hi+1 && value.hi == len(r.text) && !value.fraction && value.unit == unitNone && bytes.IndexByte(r.text[value.lo:value.hi], '.') > 0
}

// choosePhaseRow uses the value of such a line as the loss.
func (r *pairs) choosePhaseRow() {
	if r.stepAt != 0 || !r.phaseRow() {
		return
	}
	r.fields[1].separated = true
	if wordPhase(r.fields[1].name.of(r.text)) == phaseEval {
		r.evalAt = 1
	} else {
		r.lossAt = 1
	}
}
