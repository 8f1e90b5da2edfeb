package formats

import (
	"bytes"
	"math"
	"slices"

	"github.com/traintop/traintop/train"
)

const (
	// nullAfter is after how many numbers in a row a null counts as NaN: what is measured
	// only now and then is null between its numbers.
	nullAfter = 3
	// maxRecordShapes is how many different lists of metrics of records are remembered.
	maxRecordShapes = 4
)

// recordShape is what is known of the records of a log that have the same metrics, by metric.
type recordShape struct {
	metrics []string
	runs    []uint8 // numbers in a row, nullAfter at most
	numbers []bool  // there was a number
	gone    []bool  // the newest value is a null that counts as NaN
}

// recordShapes remembers the newest shapes of a log.
type recordShapes struct {
	all  []recordShape
	next int    // the one that is replaced next
	null []bool // by metric of the newest record: it is null
	kept []int  // where the nulls of the newest record are that count as NaN
}

// of returns the shape of records with these metrics.
func (s *recordShapes) of(metrics []train.Metric) *recordShape {
	for i := range s.all {
		if s.all[i].fits(metrics) {
			return &s.all[i]
		}
	}
	if len(s.all) < maxRecordShapes {
		s.all = append(s.all, recordShape{})
		s.next = len(s.all) - 1
	}
	shape := &s.all[s.next]
	s.next = (s.next + 1) % maxRecordShapes
	n := len(metrics)
	*shape = recordShape{metrics: make([]string, n), runs: make([]uint8, n), numbers: make([]bool, n), gone: make([]bool, n)}
	for i := range metrics {
		shape.metrics[i] = metrics[i].Name
	}
	return shape
}

func (s *recordShape) fits(metrics []train.Metric) bool {
	if len(s.metrics) != len(metrics) {
		return false
	}
	for i := range metrics {
		if s.metrics[i] != metrics[i].Name {
			return false
		}
	}
	return true
}

// number notes that a metric of a record is a number.
func (s *recordShape) number(i int) {
	if s.gone[i] {
		s.gone[i], s.runs[i] = false, 0
	}
	s.numbers[i] = true
	s.runs[i] = min(s.runs[i]+1, nullAfter)
}

// read reads a line that ends as JSON or a printed dict does. orjson, simplejson and
// JavaScript write null for NaN, and Python's None comes of it: a loss that was a number in the
// records before and is null is NaN. A value that is null in records of another kind, such as
// the loss of training in those of validation, was not measured.
func (s *recordShapes) read(r *pairs) *point {
	nulls, namesLoss := bytes.Contains(r.text, []byte("null")) || bytes.Contains(r.text, []byte("None")), r.namesLoss
	pt := readMembers(r, nulls)
	measured := len(r.fields) > 0 && (r.lossAt >= 0 || r.evalAt >= 0)
	switch {
	case !nulls && measured:
		shape := s.of(pt.metrics)
		for i := range pt.metrics {
			shape.number(i)
		}
		return pt
	case !nulls:
		return pt
	}
	known := false
	s.kept = s.kept[:0]
	if measured {
		known = s.judge(r)
	}
	some := len(s.kept) > 0
	r.namesLoss = namesLoss || some
	r.fields = readFields(r.text, r.fields[:0], some)
	if some {
		r.fields = slices.DeleteFunc(r.fields, func(f field) bool {
			return f.null && !slices.Contains(s.kept, f.lo)
		})
	}
	pt = interpret(r)
	pt.recorded = known
	return pt
}

// judge decides which nulls of a record are NaN. known: all metrics that are null were
// numbers in other records.
func (s *recordShapes) judge(r *pairs) (known bool) {
	pt := &r.point
	shape := s.of(pt.metrics)
	s.null = append(s.null[:0], make([]bool, len(pt.metrics))...)
	known = true
	for i := range r.fields {
		if at := nullMetric(r, i); at >= 0 {
			s.null[at] = true
			known = known && (shape.numbers[at] || !r.kinds[i].class.meter())
		}
	}
	same := true // nothing is measured that was not measured in the record before
	for at := range s.null {
		same = same && (s.null[at] || shape.runs[at] > 0)
	}
	if same {
		s.keepNulls(r, shape)
	}
	for at := range s.null {
		switch {
		case !s.null[at]:
			shape.number(at)
		case !shape.gone[at]:
			shape.runs[at] = 0
		}
	}
	return known
}

// keepNulls takes losses that are null for NaN, and other metrics beside a loss that is none: NaN,
// or 0, as transformers prints it.
func (s *recordShapes) keepNulls(r *pairs, shape *recordShape) {
	lead := r.lossAt
	if lead < 0 {
		lead = r.evalAt
	}
	none := s.keepNull(r, shape, lead) || !r.fields[lead].null && (r.fields[lead].number == 0 || math.IsNaN(r.fields[lead].number))
	for i := range r.fields {
		if i != lead && (i == r.evalAt || none && r.kinds[i].class.canBeNaN()) {
			s.keepNull(r, shape, i)
		}
	}
}

// nullMetric returns which metric of the point a field is that is null, -1 for none.
func nullMetric(r *pairs, i int) int {
	if !r.fields[i].null {
		return -1
	}
	name := r.metricName(i)
	return slices.IndexFunc(r.point.metrics, func(m train.Metric) bool { return m.Name == name })
}

// keepNull takes a null for NaN where numbers of the metric were before it.
func (s *recordShapes) keepNull(r *pairs, shape *recordShape, i int) bool {
	at := nullMetric(r, i)
	if at < 0 || shape.runs[at] < nullAfter {
		return false
	}
	shape.gone[at] = true
	s.kept = append(s.kept, r.fields[i].lo)
	return true
}

// canBeNaN reports whether a metric is NaN where training diverges: no rate and no count.
func (c class) canBeNaN() bool {
	switch c {
	case classLoss, classEvalLoss, classObjective, classGradNorm, classAccuracy, classEvalAccuracy, classEvidence:
		return true
	}
	return false
}

// nullAt reports whether a word is JSON's null or Python's None as a value of a name.
func nullAt(text []byte, at, end int) bool {
	if word := string(text[at:end]); word != "null" && word != "None" || at == 0 {
		return false
	}
	before := text[at-1]
	return before == ' ' || before == ':' || before == '='
}

// appendNull appends a word that is null or None behind a name as NaN. It returns where the
// newest field ends.
func appendNull(out []field, text []byte, at, end, last int) (fields []field, newest int) {
	if !nullAt(text, at, end) || len(out) >= maxFields {
		return out, last
	}
	f := field{value: value{number: math.NaN()}, lo: at, hi: end, null: true}
	if nameField(text, last, &f); !f.separated || f.name.empty() || f.bracket != 0 {
		return out, last
	}
	return append(out, f), end
}
