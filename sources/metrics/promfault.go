package metrics

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// PromMalformed is an answer with a success status that is not the Prometheus
// API's.
type PromMalformed struct {
	// Came describes the content, as the end of "the answer is ".
	Came string
	// Page: it is a web page.
	Page bool
	// Cause is the error where reading stopped, nil if the answer was read to its end.
	Cause error
}

// Error describes the content in one line.
func (e *PromMalformed) Error() string { return "the answer is " + e.Came }

// Unwrap returns why reading stopped.
func (e *PromMalformed) Unwrap() error { return e.Cause }

// PromTooMany reports that an answer had more series than the limit. Those before
// the limit are read.
type PromTooMany struct{ Most int }

// Error contains how many were read.
func (e *PromTooMany) Error() string {
	return fmt.Sprintf("more than %d series, of which the others are left out", e.Most)
}

// Crowded reports that there are more series than one answer may have: of later
// answers, at most as many series are read as there may be GPUs.
func (p *Prometheus) Crowded() { p.crowded = true }

// mostSeries is the limit for the series of an answer: GPUs by metrics.
func (p *Prometheus) mostSeries(q PromQuery) int {
	if p.crowded {
		return MaxGPUs
	}
	return MaxGPUs * q.Metrics()
}

// unsound is the error for an answer that could not be read to its end.
func (a *promReader) unsound(err error) error {
	switch first := a.stream.first; {
	case first == 0:
		return &PromMalformed{Came: "empty", Cause: err}
	case first == '<':
		return &PromMalformed{Came: "a web page", Page: true, Cause: err}
	case first != '{':
		return &PromMalformed{Came: fmt.Sprintf("no JSON object: it begins with %q", first), Cause: err}
	}
	return &PromMalformed{Came: fmt.Sprintf("not sound after %d series: %v", a.answer.Items, err), Cause: err}
}

// disagreement is the error for an answer that was read to its end and does not fit
// the query.
func (a *promReader) disagreement() error {
	switch {
	case a.status == "":
		return &PromMalformed{Came: "JSON, but not one of the Prometheus API"}
	case !a.listed:
		return &PromMalformed{Came: "without a list of results"}
	case a.kind != a.wanted && a.kind != "":
		return &PromMalformed{Came: fmt.Sprintf("of the type %q where %s was asked for", readings.OneLine(a.kind), cmp.Or(a.wanted, "a list of words"))}
	case a.answer.Items > 0 && a.readable == 0:
		return &PromMalformed{Came: fmt.Sprintf("without a number in any of its %d series", a.answer.Items)}
	}
	return nil
}
