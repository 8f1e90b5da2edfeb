package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

// epochFinal is the newest "Final Loss: 0.5" below an epoch. Printed once it sums up a run;
// printed for each epoch it is the loss of the epoch.
type epochFinal struct {
	epoch  float64
	has    bool
	each   bool         // it came for two epochs in a row
	sample train.Sample // the first, until the second comes
}

// finalOfEpoch accepts a final loss where each epoch has one. The first waits for that of
// the next epoch.
func (s *stream) finalOfEpoch(p *Parser, l *line, pt *point) bool {
	name, found := finalName(&p.pairs)
	if !found || pt.positioned() || !s.hasEpoch {
		return false
	}
	f := &s.final
	next := f.has && s.epoch == f.epoch+1
	if f.has && s.epoch == f.epoch {
		return true
	}
	pt.metrics = append(pt.metrics[:0], train.Metric{Name: name, Value: p.pairs.fields[0].number})
	pt.strength = loss
	switch {
	case next && f.each:
		p.accept(l, pt)
	case next:
		f.each = true
		p.emit(f.sample)
		p.accept(l, pt)
	default:
		f.each, f.sample = false, p.sample(l, pt)
	}
	f.epoch, f.has = s.epoch, true
	return true
}

// finalName returns the metric of a line that has nothing but a final loss.
func finalName(r *pairs) (name string, found bool) {
	if len(r.fields) != 1 || !r.fields[0].separated || r.fields[0].unit != unitNone || r.fields[0].fraction {
		return "", false
	}
	said := r.fields[0].name.of(r.text)
	if !hasFold(said, "final ") {
		return "", false
	}
	switch k := classify(bytes.TrimLeft(said[len("final "):], " "), &r.words); k.class {
	case classLoss:
		return train.MetricLoss, true
	case classEvalLoss:
		return train.MetricEvalLoss, true
	}
	return "", false
}
