package act

import (
	"context"
	"io"
	"sync"

	"k8s.io/client-go/tools/remotecommand"

	"github.com/traintop/traintop/actions"
)

// maxHead is how much of a command's output is kept, to recognise runtimes
// that print why they could not start it.
const maxHead = 1024

// callerStreams separates a caller's streams from the goroutines of client-go,
// which may outlive the call: once detached, nothing passes.
type callerStreams struct {
	exec actions.Exec

	mu       sync.Mutex
	detached bool
	// head is the whole output, or nil once it exceeded maxHead.
	head []byte
	long bool
}

func NewCallerStreams(e actions.Exec) *callerStreams { return &callerStreams{exec: e} }

// detach lets nothing pass any more. It waits for a running Write.
func (s *callerStreams) detach() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.detached = true
}

func (s *callerStreams) Options(ctx context.Context) remotecommand.StreamOptions {
	options := remotecommand.StreamOptions{Stdout: callerOut{s, s.exec.Stdout}, Tty: s.exec.TTY}
	if s.exec.Stdin != nil {
		options.Stdin = callerIn{s}
	}
	if !s.exec.TTY {
		options.Stderr = callerOut{s, s.exec.Stderr}
	}
	if s.exec.TTY && s.exec.Sizes != nil {
		options.TerminalSizeQueue = sizeQueue{ctx, s.exec.Sizes}
	}
	return options
}

type callerOut struct {
	*callerStreams
	to io.Writer
}

// Write implements io.Writer. Writes of both streams are serialised, since
// both may have the same target.
func (s callerOut) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.detached {
		return 0, io.ErrClosedPipe
	}
	s.keep(p)
	if s.to == nil {
		return len(p), nil
	}
	return s.to.Write(p)
}

func (s *callerStreams) keep(p []byte) {
	if s.long = s.long || len(s.head)+len(p) > maxHead; s.long {
		s.head = nil
		return
	}
	s.head = append(s.head, p...)
}

type callerIn struct{ *callerStreams }

// Read implements io.Reader.
func (s callerIn) Read(p []byte) (int, error) {
	if s.isDetached() {
		return 0, io.EOF
	}
	n, err := s.exec.Stdin.Read(p)
	if s.isDetached() {
		return 0, io.EOF
	}
	return n, err
}

func (s *callerStreams) isDetached() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.detached
}

// sizeQueue passes terminal sizes to client-go on request.
type sizeQueue struct {
	ctx   context.Context
	sizes <-chan actions.Size
}

// Next implements remotecommand.TerminalSizeQueue.
func (q sizeQueue) Next() *remotecommand.TerminalSize {
	select {
	case <-q.ctx.Done():
		return nil
	case size, more := <-q.sizes:
		if !more {
			return nil
		}
		return &remotecommand.TerminalSize{Width: size.Width, Height: size.Height}
	}
}
