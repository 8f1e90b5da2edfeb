package metrics

import (
	"cmp"
	"fmt"
)

// PromMalformed is an answer that came with success and is none of the
// Prometheus API.
type PromMalformed struct {
	// Came says what came instead, as the end of "the answer is ".
	Came string
	// Page: it is a web page.
	Page bool
	// Cause is where reading it ended, nil where it was read to its end.
	Cause error
}

// Error is what came, in one line.
func (e *PromMalformed) Error() string { return "the answer is " + e.Came }

// Unwrap is why the text could not be read on.
func (e *PromMalformed) Unwrap() error { return e.Cause }

// PromTooMany says that an answer had more series than are read of one. Those
// before are read.
type PromTooMany struct{ Most int }

// Error says how many were read.
func (e *PromTooMany) Error() string {
	return fmt.Sprintf("more than %d series, of which the others are left out", e.Most)
}

// Crowded says that there are more series than are read of one answer: of
// later ones no more are read than there may be GPUs.
func (p *Prometheus) Crowded() { p.crowded = true }

// mostSeries bounds the series of an answer: GPUs by metrics.
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

// disagreement is the error for an answer that was read to its end and is
// none to what was asked.
func (a *promReader) disagreement() error {
	switch {
	case a.status == "":
		return &PromMalformed{Came: "JSON, but not one of the Prometheus API"}
	case !a.listed:
		return &PromMalformed{Came: "without a list of results"}
	case a.kind != a.wanted && a.kind != "":
		return &PromMalformed{Came: fmt.Sprintf("of the type %q where %s was asked for", oneLine(a.kind), cmp.Or(a.wanted, "a list of words"))}
	case a.answer.Items > 0 && a.readable == 0:
		return &PromMalformed{Came: fmt.Sprintf("without a number in any of its %d series", a.answer.Items)}
	}
	return nil
}
