package act

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/httpstream"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
)

const (
	// tunnelWait is how long a new connection waits for an interruption to
	// end.
	tunnelWait = 20 * time.Second
	// streamWait is how long the other end may take to accept a connection
	// before the tunnel is considered dead.
	streamWait = 10 * time.Second
	// problemWait is how long a finished connection waits for the other end's
	// error, which comes at once.
	problemWait = 5 * time.Second
	// mostForwarded limits concurrent connections of one port.
	mostForwarded = 512
)

// accept accepts connections until the listener is closed.
func (f *forwarding) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		switch {
		case err == nil:
		case f.ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			return
		default: // too many open files: later connections may succeed
			f.trouble("taking a connection here: " + client.Printable(err.Error()))
			if !client.Sleep(f.ctx, time.Second) {
				return
			}
			continue
		}
		if !f.begin() {
			_ = conn.Close()
			continue
		}
		f.running.Go(func() { f.serve(conn) })
	}
}

func (f *forwarding) begin() (room bool) {
	f.change(func(s *actions.ForwardState) {
		if room = s.Open < mostForwarded; room {
			s.Open++
			s.Served++
		}
	})
	return room
}

// serve forwards one connection to the pod and back.
func (f *forwarding) serve(conn net.Conn) {
	defer f.change(func(s *actions.ForwardState) { s.Open-- })
	defer func() { _ = conn.Close() }()
	ended := context.AfterFunc(f.ctx, func() { _ = conn.Close() })
	defer ended()
	through := f.waitTunnel()
	if through == nil {
		return
	}
	data, said, err := f.openStreams(through)
	if err != nil {
		if f.ctx.Err() == nil {
			_ = through.Close() // it is dead; a new one will be made
		}
		return
	}
	defer through.RemoveStreams(data, said)
	problem := make(chan string, 1)
	f.running.Go(func() { problem <- readProblem(said) })
	f.copyBoth(conn, data)
	_ = data.Reset() // unsent data would delay the error
	unsaid := time.AfterFunc(problemWait, func() { _ = said.Reset() })
	defer unsaid.Stop()
	f.judge(through, <-problem)
}

// waitTunnel returns the tunnel, or nil if none comes in time.
func (f *forwarding) waitTunnel() *tunnel {
	f.mu.Lock()
	ready := f.ready
	f.mu.Unlock()
	late := time.NewTimer(tunnelWait)
	defer late.Stop()
	select {
	case <-ready:
	case <-late.C:
		return nil
	case <-f.ctx.Done():
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tunnel
}

// openStreams opens the streams of one connection: one for errors and one for
// data (k8s.io/client-go tools/portforward).
func (f *forwarding) openStreams(through *tunnel) (data, said httpstream.Stream, err error) {
	dead := time.AfterFunc(streamWait, func() { _ = through.Close() })
	defer dead.Stop()
	f.mu.Lock()
	f.requests++
	headers := http.Header{}
	headers.Set(corev1.PortHeader, strconv.Itoa(f.state.Remote))
	headers.Set(corev1.PortForwardRequestIDHeader, strconv.Itoa(f.requests))
	f.mu.Unlock()
	headers.Set(corev1.StreamType, corev1.StreamTypeError)
	if said, err = through.CreateStream(headers); err != nil {
		return nil, nil, fmt.Errorf("opening a stream: %w", err)
	}
	_ = said.Close() // nothing is sent on it
	headers.Set(corev1.StreamType, corev1.StreamTypeData)
	if data, err = through.CreateStream(headers); err != nil {
		through.RemoveStreams(said)
		return nil, nil, fmt.Errorf("opening a stream: %w", err)
	}
	return data, said, nil
}

// copyBoth returns when the pod has sent everything, or this side cannot
// continue.
func (f *forwarding) copyBoth(conn net.Conn, data httpstream.Stream) {
	over := make(chan struct{}, 2)
	f.running.Go(func() {
		_, _ = io.Copy(conn, &countedReader{data, f})
		over <- struct{}{}
	})
	f.running.Go(func() {
		_, err := io.Copy(data, &countedReader{conn, f})
		_ = data.Close() // signals the end of the data
		if err != nil {
			over <- struct{}{}
		}
	})
	select {
	case <-over:
	case <-f.ctx.Done():
	}
}

// countedReader adds the bytes read to the state.
type countedReader struct {
	io.Reader
	to *forwarding
}

func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.to.mu.Lock()
	c.to.state.Bytes += int64(n)
	c.to.mu.Unlock()
	return n, err
}

// longestProblem limits the other end's error text.
const longestProblem = 4096

func readProblem(said io.Reader) string {
	text, _ := io.ReadAll(io.LimitReader(said, longestProblem)) // a broken stream is no error of this connection
	return string(text)
}

// judge records the other end's error about a connection. That nothing listens
// is no fault of the tunnel; after any other error (for example, the sandbox
// is gone) the tunnel is reopened, where kubectl would end.
func (f *forwarding) judge(through *tunnel, problem string) {
	switch {
	case f.ctx.Err() != nil:
	case problem == "":
		f.trouble("")
	case strings.Contains(strings.ToLower(problem), "connection refused"):
		f.trouble(fmt.Sprintf("nothing listens on port %d in the pod (connection refused)", f.state.Remote))
	default:
		f.trouble(client.Printable(problem))
		_ = through.Close()
	}
}
