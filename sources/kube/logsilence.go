package kube

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// logAnswerLimit is how long the log of a responding kubelet may take to
// begin; 0 means no limit.
func logAnswerLimit(p client.Timeouts) time.Duration {
	if p.Endless {
		return 0
	}
	return cmp.Or(p.Timeout, client.LogLimit)
}

// watchOpening ends a followed request that its kubelet does not answer. A
// kubelet begins its answer with the first line (1.36, getContainerLogs writes
// no headers before), so a silent log and a hanging kubelet look the same. To
// distinguish them, it requests the same log to its present end.
func (s *logStream) watchOpening(ctx context.Context, r logRequest, opened <-chan struct{}, giveUp context.CancelCauseFunc) {
	limit := logAnswerLimit(s.run.connection.Patience)
	again := client.NewBackoff(time.Minute, 5*time.Minute)
	for pause := limit; limit > 0 && outlasts(ctx, opened, pause); pause = again.Next() {
		printed, err := logAnswers(ctx, s.run.connection, s.id, r)
		if client.IsLate(err) || printed && outlasts(ctx, opened, limit) {
			giveUp(&client.LateError{After: limit, Stage: client.NotBegun})
			return
		}
	}
}

// outlasts reports whether nothing was opened within the limit.
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

// logAnswers reports whether a log has a line that a request would return.
func logAnswers(ctx context.Context, c *client.Connection, id train.StreamID, r logRequest) (printed bool, err error) {
	body, err := openLog(ctx, c, id, logRequest{previous: r.previous, since: r.since, ago: r.ago, tail: 1})
	if err != nil {
		return false, err
	}
	defer body.Close()
	n, err := io.Copy(io.Discard, io.LimitReader(body, lastAsked))
	return n > 0, err
}
