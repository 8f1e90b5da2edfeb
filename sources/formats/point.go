package formats

import (
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// strength is how certainly a line is a measurement.
type strength uint8

const (
	weak     strength = iota // nothing that only training prints
	unknown                  // names that no table has
	rateOnly                 // a learning rate, and nothing else that is known
	metric                   // something that only training prints
	loss                     // a loss of training or evaluation
)

// point is the content of one line, before it is decided whether it counts.
type point struct {
	hasStep, hasEpoch bool
	step, epoch       float64
	stepOf, epochOf   float64 // N of n/N, zero if there is none
	stepFraction      bool
	epochFraction     bool
	fromBar           bool
	scope             train.StepScope
	scopeKnown        bool
	stepPrio          uint8
	batch             bool    // the step is called a batch, and there is no epoch
	stepFirst         bool    // the step precedes the epoch: "step=1/739328,epoch=0"
	steps             float64 // "steps: 235" beside an epoch
	trainSteps        bool    // those steps are marked as of training
	leading           bool    // the position is the first number of the line
	strength          strength
	eval              bool   // the line is about evaluation
	separated         bool   // some name is separated from its value
	recorded          bool   // what is null on the line was a number on other lines
	part              bool   // its loss is one of several components
	objective         bool   // its loss is named by the function that it is: "L1_loss", "mse"
	function          []byte // that name on a line without a position: other functions are other curves
	guessed           bool   // its loss is an error, in a log that names no loss
	remaining         time.Duration
	hasRemaining      bool
	totals            train.ProgressHints // printed beside it
	leftOut           int32               // values that are not among the metrics, since there are too many
	metrics           []train.Metric
}

// evalAccuracy is the name of an evaluation's accuracy, as in Hugging Face.
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

// add adds a metric, and returns false if the point has one of that name.
func (p *point) add(name string, v float64) bool {
	if name == "" {
		return true
	}
	if p.has(name) {
		return false
	}
	p.metrics = append(p.metrics, train.Metric{Name: name, Value: v})
	return true
}

func (p *point) atLeast(s strength) {
	if s > p.strength {
		p.strength = s
	}
}

// rename changes the name of a metric.
func (p *point) rename(from, to string) {
	for i := range p.metrics {
		if p.metrics[i].Name == from && !p.has(to) {
			p.metrics[i].Name = to
			return
		}
	}
}

// remove drops a metric that has a value.
func (p *point) remove(name string, value float64) {
	for i := range p.metrics {
		if m := &p.metrics[i]; m.Name == name && m.Value == value {
			p.metrics = slices.Delete(p.metrics, i, i+1)
			return
		}
	}
}

// evaluate changes a point of training to one of evaluation.
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
