package kube

import (
	"context"
	"sync"
	"time"
)

// probeTimeout bounds one question whether the server answers.
const probeTimeout = 10 * time.Second

// link knows whether the server answers. Requests wait at it while it does
// not, and tell it when they failed on the way.
type link struct {
	connection *connection
	report     *reporter

	mu      sync.Mutex
	open    chan struct{} // closed while the server answers
	trouble chan struct{} // of capacity one: somebody's request failed
}

func newLink(c *connection, r *reporter) *link {
	return &link{connection: c, report: r, open: make(chan struct{}), trouble: make(chan struct{}, 1)}
}

// run keeps asking while the server does not answer, and rests while it does.
func (l *link) run(ctx context.Context) {
	l.report.connecting()
	wait := newBackoff(time.Second, 15*time.Second)
	for ctx.Err() == nil {
		err := l.probe(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			delay := wait.next()
			l.report.disconnected(err, delay)
			sleep(ctx, delay)
			continue
		}
		wait.reset()
		l.report.connected()
		l.set(true)
		select {
		case <-ctx.Done():
			return
		case <-l.trouble:
			l.set(false)
		}
	}
}

// probe asks for the version: the smallest request there is, allowed to
// everyone, and refused with 401 to credentials that are not accepted.
func (l *link) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	_, err := l.connection.core.Get().AbsPath("/version").SetHeader("Accept", "application/json").Do(ctx).Raw()
	if lost := connectionError(l.connection.address, err); lost != nil && lost.Unauthorized {
		if l.connection.renew() == nil {
			_, err = l.connection.core.Get().AbsPath("/version").SetHeader("Accept", "application/json").Do(ctx).Raw()
		}
	}
	if err != nil {
		if lost := connectionError(l.connection.address, err); lost != nil {
			return lost
		}
		if answersRequests(err) {
			return nil
		}
		return &ConnectionError{Address: l.connection.address, Cause: err}
	}
	return nil
}

// wait returns when the server answers; false when ctx ended first.
func (l *link) wait(ctx context.Context) bool {
	l.mu.Lock()
	open := l.open
	l.mu.Unlock()
	select {
	case <-open:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// shut reports whether requests wait.
func (l *link) shut() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.open:
		return false
	default:
		return true
	}
}

// failed takes note of an error. It reports whether the error is the link's
// (the server is away, or does not accept us any more) and not the request's.
func (l *link) failed(ctx context.Context, err error) bool {
	if ctx.Err() != nil || connectionError(l.connection.address, err) == nil {
		return false
	}
	l.set(false)
	select {
	case l.trouble <- struct{}{}:
	default:
	}
	return true
}

func (l *link) set(open bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	isOpen := false
	select {
	case <-l.open:
		isOpen = true
	default:
	}
	switch {
	case open && !isOpen:
		close(l.open)
	case !open && isOpen:
		l.open = make(chan struct{})
	}
}
