package formats

import (
	"time"

	"github.com/traintop/traintop/train"
)

// strength is how much a line looks like a measurement.
type strength uint8

const (
	weak     strength = iota // nothing that only training prints
	unknown                  // named numbers that no table knows
	rateOnly                 // a learning rate, and nothing else that is known
	metric                   // something that only training prints
	loss                     // a loss of training or evaluation
)

// point is what one line says, before it is decided whether it counts.
type point struct {
	hasStep, hasEpoch bool
	step, epoch       float64
	stepOf, epochOf   float64 // N of n/N, zero when it is not told
	stepFraction      bool
	epochFraction     bool
	fromBar           bool
	scope             train.StepScope
	scopeKnown        bool
	stepPrio          uint8
	stepFirst         bool // the step stands before the epoch: "step=1/739328,epoch=0"
	leading           bool // the position is the first number of the line
	strength          strength
	eval              bool // the line speaks of evaluation
	separated         bool // some name is separated from its value
	part              bool // a loss that is one of several
	remaining         time.Duration
	hasRemaining      bool
	totals            train.ProgressHints // announced beside it
	metrics           []train.Metric
}

// evalAccuracy names the accuracy of an evaluation, as Hugging Face does.
const evalAccuracy = "eval_accuracy"

func (p *point) reset() { *p = point{metrics: p.metrics[:0]} }

func (p *point) positioned() bool { return p.hasStep || p.hasEpoch }

func (p *point) has(name string) bool {
	for i := range p.metrics {
		if p.metrics[i].Name == name {
			return true
		}
	}
	return false
}

func (p *point) add(name string, v float64) {
	if name != "" && !p.has(name) {
		p.metrics = append(p.metrics, train.Metric{Name: name, Value: v})
	}
}

func (p *point) atLeast(s strength) {
	if s > p.strength {
		p.strength = s
	}
}

// evaluate makes a point of training one of evaluation.
func (p *point) evaluate() {
	p.eval = true
	for i := range p.metrics {
		switch m := &p.metrics[i]; {
		case m.Name == train.MetricLoss && !p.has(train.MetricEvalLoss):
			m.Name = train.MetricEvalLoss
		case m.Name == train.MetricAccuracy && !p.has(evalAccuracy):
			m.Name = evalAccuracy
		}
	}
}
