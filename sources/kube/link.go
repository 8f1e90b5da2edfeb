package kube

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/traintop/traintop/sources/kube/client"
)

// link tracks whether the server answers. Requests wait at it while the server
// does not, and report their connection errors to it.
type link struct {
	connection *client.Connection
	report     *reporter
	identity   *identity

	mu      sync.Mutex
	open    chan struct{} // closed while the server answers
	trouble chan struct{} // of capacity one: a request failed
}

func newLink(c *client.Connection, r *reporter) *link {
	return &link{connection: c, report: r, identity: newIdentity(r.address), open: make(chan struct{}), trouble: make(chan struct{}, 1)}
}

// run probes while the server does not answer, and pauses while it does.
func (l *link) run(ctx context.Context) {
	l.report.connecting()
	wait := client.NewBackoff(time.Second, 15*time.Second)
	first := !l.connection.Patience.Once // a printed answer resumes no watch
	for ctx.Err() == nil {
		err := l.probe(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			delay := wait.Next()
			l.disconnected(err, delay)
			client.Sleep(ctx, delay)
			continue
		}
		wait.Reset()
		l.report.connected()
		l.set(true)
		if first {
			_, _, _ = l.look(ctx, l.report.now()) // the first look has nothing to compare with
			first = false
		}
		if err := l.attend(ctx); err != nil {
			l.disconnected(err, 0)
		}
		if ctx.Err() != nil {
			return
		}
		l.set(false)
	}
}

const (
	// pingEvery is how long the server may be silent before it is asked
	// whether it is there: nothing happens in a quiet cluster.
	pingEvery = 5 * time.Second
	// lookEvery is how often it is checked whether it is.
	lookEvery = time.Second
	// pingLimit is how long that answer may take. All three together are the
	// longest that a screen shows a lost server as live.
	pingLimit = 8 * time.Second
)

// attend returns when a request failed, with an error when the server fell
// silent.
func (l *link) attend(ctx context.Context) error {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-l.trouble:
			return nil
		case <-ticker.C:
		}
		if err := l.ping(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// ping asks a silent server for its version. Any answer will do, and anything
// that came meanwhile.
func (l *link) ping(ctx context.Context) error {
	silent := func() bool {
		silence, heard := l.connection.Silence()
		return heard && silence >= pingEvery
	}
	if l.connection.Patience.Once || !silent() {
		return nil
	}
	limit := max(pingLimit, l.connection.Patience.Timeout)
	err := client.Within(ctx, limit, func(ctx context.Context) error {
		return ask(ctx, l.connection.Core.Get().AbsPath("/version"))
	})
	if err == nil || !silent() {
		return nil
	}
	err = l.connection.ThroughProxy(err)
	if lost := client.AsConnectionError(l.connection.Address, err); lost != nil {
		return lost
	}
	return &client.ConnectionError{Address: l.connection.Address, Plugin: l.connection.Plugin.Words(limit), Cause: err}
}

// disconnected reports that the server gives no answer, since it last did.
func (l *link) disconnected(err error, retryIn time.Duration) {
	silence, _ := l.connection.Silence()
	l.report.disconnected(err, silence, retryIn)
}

// probe requests the version: the smallest request, allowed to everyone, and
// refused with 401 for rejected credentials.
func (l *link) probe(ctx context.Context) error {
	limit := l.connection.Patience.Question()
	err := client.Within(ctx, limit, l.askVersion)
	if apierrors.IsNotFound(err) && apierrors.IsNotFound(client.Within(ctx, limit, l.askPods)) {
		return &client.ConnectionError{Address: l.connection.Address, Foreign: true, Cause: err}
	}
	if errors.Is(err, client.ErrWebPage) {
		err = client.Within(ctx, limit, l.askPods) // a proxy may hide the version alone
	}
	if err == nil || client.AnswersRequests(err) {
		return nil
	}
	err = l.connection.ThroughProxy(err)
	if lost := client.AsConnectionError(l.connection.Address, err); lost != nil {
		lost.Plugin = l.connection.Plugin.Failure(err)
		return lost
	}
	return &client.ConnectionError{Address: l.connection.Address, Plugin: l.connection.Plugin.Words(limit), Cause: err}
}

// askVersion retries once with credentials that were read again.
func (l *link) askVersion(ctx context.Context) error {
	version := func() error { return ask(ctx, l.connection.Core.Get().AbsPath("/version")) }
	err := version()
	lost := client.AsConnectionError(l.connection.Address, err)
	if lost != nil && lost.Unauthorized && l.connection.Renew() == nil {
		return version()
	}
	return err
}

// ask rejects an answer that is a web page: a proxy sends its login page with
// code 200.
func ask(ctx context.Context, request *rest.Request) error {
	text, err := request.SetHeader("Accept", "application/json").Do(ctx).Raw()
	if err == nil && bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) {
		return client.ErrWebPage
	}
	return err
}

func (l *link) askPods(ctx context.Context) error {
	return ask(ctx, l.connection.Core.Get().AbsPath(client.PodsOfAll).Param("limit", "1"))
}

// wait returns when the server answers; false if ctx ended first.
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

// failed records an error. It reports whether the error concerns the
// connection (the server is down, or rejects our credentials) rather than the
// request. After a late answer it probes whether the server answers at all.
func (l *link) failed(ctx context.Context, err error) bool {
	lost := client.AsConnectionError(l.connection.Address, err) != nil
	if ctx.Err() != nil || !lost && !client.IsLate(err) {
		return false
	}
	if lost {
		l.set(false)
	}
	select {
	case l.trouble <- struct{}{}:
	default:
	}
	return lost
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
