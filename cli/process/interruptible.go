package process

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/traintop/traintop/termtext"
)

// lastWords bounds how long an interrupted command waits for a reader that
// accepts nothing: less shows one page and leaves the pipe full.
const lastWords = 300 * time.Millisecond

// interruptible is standard output or error. A write that blocks is abandoned
// once the command is interrupted; the command then ends as with any error.
type interruptible struct {
	to          io.Writer
	interrupted <-chan struct{}

	mu sync.Mutex
	// buffer is the text being written: a copy, since an abandoned write keeps
	// reading it.
	buffer  []byte
	givenUp bool
}

func NewInterruptible(ctx context.Context, to io.Writer) *interruptible {
	return &interruptible{to: to, interrupted: ctx.Done()}
}

type written struct {
	n   int
	err error
}

// Write implements io.Writer.
func (w *interruptible) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.givenUp {
		return 0, context.Canceled
	}
	w.buffer = append(w.buffer[:0], p...)
	done := make(chan written, 1)
	go func(text []byte) {
		n, err := w.to.Write(text)
		done <- written{n, err}
	}(w.buffer)
	select {
	case all := <-done:
		return all.n, all.err
	case <-w.interrupted:
	}
	select {
	case all := <-done:
		return all.n, all.err
	case <-time.After(lastWords):
		w.givenUp = true
		return 0, context.Canceled
	}
}

// Underneath is the writer that has the terminal's width and colours.
func Underneath(w io.Writer) io.Writer {
	if plain, is := w.(termtext.ASCIIWriter); is {
		w = plain.To
	}
	if w, is := w.(*interruptible); is {
		return w.to
	}
	return w
}
