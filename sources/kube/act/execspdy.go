package act

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/httpstream"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/transport/spdy"
)

// errNoEnding reports a stream that ended without the command's result.
var errNoEnding = errors.New("the connection ended before the command did")

type spdyExecutor struct {
	remotecommand.Executor
	watched *endWatcher
}

// StreamWithContext implements remotecommand.Executor.
func (e *spdyExecutor) StreamWithContext(ctx context.Context, options remotecommand.StreamOptions) error {
	err := e.Executor.StreamWithContext(ctx, options)
	if err == nil && !e.watched.arrived.Load() {
		return errNoEnding
	}
	return err
}

// endWatcher records whether anything arrived on the stream with the command's
// result.
type endWatcher struct {
	spdy.Upgrader
	arrived atomic.Bool
}

// NewConnection implements spdy.Upgrader.
func (w *endWatcher) NewConnection(response *http.Response) (httpstream.Connection, error) {
	connection, err := w.Upgrader.NewConnection(response)
	if err != nil {
		return nil, err
	}
	return &watchedConnection{Connection: connection, arrived: &w.arrived}, nil
}

type watchedConnection struct {
	httpstream.Connection
	arrived *atomic.Bool
}

// CreateStream implements httpstream.Connection.
func (c *watchedConnection) CreateStream(headers http.Header) (httpstream.Stream, error) {
	stream, err := c.Connection.CreateStream(headers)
	if err != nil || headers.Get(corev1.StreamType) != corev1.StreamTypeError {
		return stream, err
	}
	return &watchedStream{Stream: stream, arrived: c.arrived}, nil
}

type watchedStream struct {
	httpstream.Stream
	arrived *atomic.Bool
}

// Read implements io.Reader.
func (s *watchedStream) Read(p []byte) (int, error) {
	n, err := s.Stream.Read(p)
	if n > 0 {
		s.arrived.Store(true)
	}
	return n, err
}
