package kube

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/traintop/traintop/train"
)

// logs is how long the log of a kubelet that answers takes to begin; 0 is as
// long as it may.
func (p patience) logs() time.Duration {
	if p.endless {
		return 0
	}
	return cmp.Or(p.timeout, logLimit)
}

// watchOpening ends a followed request that its kubelet does not answer. A
// kubelet begins to answer with the first line (1.36, getContainerLogs writes
// no headers before), so that a silent log and a kubelet that hangs look the
// same. What tells them apart is the same log, asked for to its present end.
func (s *logStream) watchOpening(ctx context.Context, r logRequest, opened <-chan struct{}, giveUp context.CancelCauseFunc) {
	limit := s.run.connection.patience.logs()
	again := newBackoff(time.Minute, 5*time.Minute)
	for pause := limit; limit > 0 && outlasts(ctx, opened, pause); pause = again.next() {
		printed, err := s.run.connection.logAnswers(ctx, s.id, r)
		if isLate(err) || printed && outlasts(ctx, opened, limit) {
			giveUp(&lateError{limit, notBegun})
			return
		}
	}
}

// outlasts reports whether nothing was opened for so long.
func outlasts(ctx context.Context, opened <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-opened:
	case <-timer.C:
		return true
	}
	return false
}

// logAnswers reports whether a log has a line that a request would bring.
func (c *connection) logAnswers(ctx context.Context, id train.StreamID, r logRequest) (printed bool, err error) {
	body, err := c.openLog(ctx, id, logRequest{previous: r.previous, since: r.since, ago: r.ago, tail: 1})
	if err != nil {
		return false, err
	}
	defer body.Close()
	n, err := io.Copy(io.Discard, io.LimitReader(body, lastAsked))
	return n > 0, err
}
