package prometheus

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/traintop/traintop/sources/metrics"
)

// crowdedError reports that there are more series of GPUs than one query may
// return.
type crowdedError struct {
	query metrics.PromQuery
	// series is how many the server counts, 0 if unknown.
	series int
	cause  error
}

// Error contains how many series there are and how many are read.
func (e *crowdedError) Error() string {
	many := "more series"
	if e.series > 0 {
		many = fmt.Sprintf("%d series", e.series)
	}
	return fmt.Sprintf("it has %s of %s, more than are read (%d GPUs): %v", many, e.query.Short(), metrics.MaxGPUs, e.cause)
}

// Unwrap returns why the query was not answered completely.
func (e *crowdedError) Unwrap() error { return e.cause }

// crowded checks whether a query failed because it has too many series, and asks
// the server for their number. It returns nil if the query failed otherwise.
func (r *session) crowded(ctx context.Context, q metrics.PromQuery, failed error) error {
	many, late, long := (*metrics.PromTooMany)(nil), (*lateError)(nil), (*tooLongError)(nil)
	tooMany := errors.As(failed, &many)
	if !tooMany && !errors.As(failed, &late) && !errors.As(failed, &long) || ctx.Err() != nil || !q.Countable() {
		return nil
	}
	series := r.count(ctx, q)
	if !tooMany && series <= metrics.MaxGPUs {
		return nil
	}
	return &crowdedError{q, series, failed}
}

// count asks the server for the number of series, and returns 0 if that fails.
func (r *session) count(ctx context.Context, q metrics.PromQuery) int {
	var series float64
	err := r.endpoint.get(ctx, probeTimeout, "/api/v1/query", instantly(q.Count()), func(in io.Reader) (err error) {
		series, _, err = metrics.ReadPromNumber(in)
		return err
	})
	if err != nil {
		return 0
	}
	return int(series)
}

// answeredInPart is 1 if only the first series of an answer were read.
func answeredInPart(err error) int {
	if many := (*metrics.PromTooMany)(nil); errors.As(err, &many) {
		return 1
	}
	return 0
}

// named adds the query to the error of an answer that is not the API's.
func named(q metrics.PromQuery, err error) error {
	if malformed := (*metrics.PromMalformed)(nil); errors.As(err, &malformed) {
		return fmt.Errorf("query %s: %w", q.Short(), err)
	}
	return err
}
