package formats

import (
	"bytes"
	"slices"

	"github.com/traintop/traintop/train"
)

// finishDict removes the loss from the last dict of a run: there it is the mean of the
// whole run (transformers 4.x, trainer.py, train_runtime).
func finishDict(pt *point) {
	if !pt.has("train_runtime") {
		return
	}
	pt.metrics = slices.DeleteFunc(pt.metrics, func(m train.Metric) bool { return m.Name == train.MetricLoss })
}

// finalMetrics reports whether a line belongs to the summary that a run prints at its
// end: the TrainOutput that it returns, and the block that log_metrics prints
// (transformers 4.x, trainer_pt_utils.py) down to its last "name = value".
func (s *stream) finalMetrics(text []byte) bool {
	if bytes.Contains(text, []byte("***** train metrics *****")) {
		s.finalBlock = true
		return true
	}
	s.finalBlock = s.finalBlock && bytes.Contains(text, []byte(" = "))
	return s.finalBlock || bytes.HasPrefix(text, []byte("TrainOutput("))
}

// stepOfBar gives a dict the step of its bar. The bar is redrawn after the step that it
// counts, so it may be one behind; it is used once.
func (s *stream) stepOfBar(sample *train.Sample) {
	if !s.recentFresh {
		return
	}
	if _, trained := sample.Value(train.MetricLoss); trained && s.recentOf > s.barTotal {
		s.barTotal = s.recentOf
	}
	if s.recentOf != s.barTotal {
		return
	}
	sample.Step, sample.HasStep, sample.Scope = s.recent, true, train.ScopeRun
	s.recentFresh = false
}
