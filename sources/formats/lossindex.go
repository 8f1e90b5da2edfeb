package formats

import (
	"bytes"
	"math"

	"github.com/traintop/traintop/train"
)

// isIndex reports whether a field is a whole number in brackets right behind the name of a loss,
// and the next one its value: "loss[300] = 1.5", "loss(300): 1.5".
func isIndex(r *pairs, i int) bool {
	if i+1 >= len(r.fields) {
		return false
	}
	f, next := &r.fields[i], &r.fields[i+1]
	if f.separated || f.fraction || f.clock || f.unit != unitNone || f.bracket != '[' && f.bracket != '(' || f.number != math.Trunc(f.number) || f.number < 0 ||
		f.name.empty() || f.name.hi != f.lo-1 || f.hi >= len(r.text) || r.text[f.hi] != ']' && r.text[f.hi] != ')' || !next.separated || !next.name.empty() || next.fraction {
		return false
	}
	if gap := bytes.Trim(r.text[f.hi+1:next.lo], " "); len(gap) != 1 || gap[0] != '=' && gap[0] != ':' {
		return false
	}
	c := r.cache.classify(f.name.of(r.text), &r.words).class
	return c == classLoss || c == classEvalLoss
}

// nameIndexed takes the index of a loss for the position of its line, unless there are several or
// another position is on the line: then it is a part of the name of one of several losses.
func nameIndexed(r *pairs) {
	indexes, first := 0, 0
	for i := range r.fields {
		if isIndex(r, i) {
			indexes, first = indexes+1, i
		}
	}
	if indexes == 0 {
		return
	}
	positioned := r.fields[0].fraction
	for i := range r.fields {
		c := r.cache.classify(r.fields[i].name.of(r.text), &r.words).class
		positioned = positioned || c == classStep || c == classEpoch
	}
	if indexes == 1 && !positioned {
		f, next := &r.fields[first], &r.fields[first+1]
		f.index, next.name, next.separated = true, f.name, true
		return
	}
	for i := 0; i < len(r.fields); i++ {
		if isIndex(r, i) {
			r.fields[i+1].name = span{r.fields[i].name.lo, r.fields[i].hi + 1}
			r.fields = append(r.fields[:i], r.fields[i+1:]...)
		}
	}
}

// judgeIndex takes the index of a loss for the step as long as it grows from line to line, in a
// log without another position. Else the loss is one of several.
func judgeIndex(r *pairs, s *stream, pt *point) {
	at := r.stepAt
	if at < 0 || !pt.hasStep || !r.fields[at].index {
		return
	}
	if !s.unindexed && (s.indexed && pt.step > s.index || !s.indexed && !s.hasStep && !s.hasEpoch) {
		s.indexed, s.index = true, pt.step
		return
	}
	s.unindexed = true
	pt.hasStep, pt.strength = false, metric
	name := r.names.keep(span{r.fields[at].name.lo, r.fields[at].hi + 1}.of(r.text))
	for i := range pt.metrics {
		if n := pt.metrics[i].Name; n == train.MetricLoss || n == train.MetricEvalLoss {
			pt.metrics[i].Name = name
		}
	}
}
