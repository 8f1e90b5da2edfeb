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

// execGate separates a caller's streams from the goroutines of client-go,
// which may outlive the call: once it is shut, nothing passes.
type execGate struct {
	exec actions.Exec

	mu     sync.Mutex
	isShut bool
	// head is the whole output, or nil once it exceeded maxHead.
	head []byte
	long bool
}

func NewExecGate(e actions.Exec) *execGate { return &execGate{exec: e} }

// shut waits for a running Write.
func (g *execGate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.isShut = true
}

func (g *execGate) Options(ctx context.Context) remotecommand.StreamOptions {
	options := remotecommand.StreamOptions{Stdout: gateOut{g, g.exec.Stdout}, Tty: g.exec.TTY}
	if g.exec.Stdin != nil {
		options.Stdin = gateIn{g}
	}
	if !g.exec.TTY {
		options.Stderr = gateOut{g, g.exec.Stderr}
	}
	if g.exec.TTY && g.exec.Sizes != nil {
		options.TerminalSizeQueue = sizeQueue{ctx, g.exec.Sizes}
	}
	return options
}

type gateOut struct {
	*execGate
	to io.Writer
}

// Write implements io.Writer. Writes of both streams are serialised, since
// both may have the same target.
func (g gateOut) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.isShut {
		return 0, io.ErrClosedPipe
	}
	g.keep(p)
	if g.to == nil {
		return len(p), nil
	}
	return g.to.Write(p)
}

func (g *execGate) keep(p []byte) {
	if g.long = g.long || len(g.head)+len(p) > maxHead; g.long {
		g.head = nil
		return
	}
	g.head = append(g.head, p...)
}

type gateIn struct{ *execGate }

// Read implements io.Reader.
func (g gateIn) Read(p []byte) (int, error) {
	if g.closed() {
		return 0, io.EOF
	}
	n, err := g.exec.Stdin.Read(p)
	if g.closed() {
		return 0, io.EOF
	}
	return n, err
}

func (g *execGate) closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.isShut
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
