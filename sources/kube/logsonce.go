package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

// Read reads the logs of a plan to their present end, and returns when all are
// read or have failed. It is for commands that print one answer. Run need not
// run. Apply may block: each log is read no faster than its lines are applied.
func (c *Cluster) Read(ctx context.Context, sink sources.Sink, plan *streams.Plan) error {
	c.readOnce(ctx, sink, plan)
	return ctx.Err()
}

// ReadWithin is Read for an answer that does without late logs: such a log is
// reported as failed, with the lines received so far. limit is the time for
// all logs together, unless --request-timeout lets one request take longer.
func (c *Cluster) ReadWithin(ctx context.Context, sink sources.Sink, plan *streams.Plan, limit time.Duration) error {
	p := c.connection.Patience
	if p.Endless {
		return c.Read(ctx, sink, plan)
	}
	limit = max(limit, p.Timeout)
	late, stop := context.WithTimeout(ctx, limit)
	defer stop()
	r := c.readOnce(late, sink, plan)
	if ctx.Err() == nil && errors.Is(late.Err(), context.DeadlineExceeded) {
		r.giveUp(limit)
	}
	return ctx.Err()
}

// readOnce returns when no log is being read any more.
func (c *Cluster) readOnce(ctx context.Context, sink sources.Sink, plan *streams.Plan) *logsRun {
	ctx = client.WithoutLogs(ctx)
	r := c.logs.begin(openGate{}, sink)
	r.once = true
	r.follow(ctx, plan)
	for _, s := range r.streams {
		s.wait()
	}
	return r
}

// giveUp reports a failure for each log that has not reached its end.
func (r *logsRun) giveUp(after time.Duration) {
	for _, s := range r.streams {
		if s.over {
			continue
		}
		why := cmp.Or(s.status.Text, "reading the log of "+nameOf(s.id)+": it has not come to its end")
		s.end(train.StreamStatus{State: train.StreamFailed, Text: fmt.Sprintf("%s; given up after %s, in which all logs were to come", why, after)})
	}
}
