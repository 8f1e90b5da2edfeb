package terminal

import (
	"context"
	"errors"
	"io"

	"github.com/moby/term"

	"github.com/traintop/traintop/actions"
)

// ErrLeft means that the person detached and the process continues.
var ErrLeft = errors.New("left, and the process goes on")

// Attachment is how a person detaches from a container's process.
type Attachment struct {
	keys []byte
	Hint string
	// deaf is true where the process may read no key at all.
	Deaf bool
}

var (
	// WithTerminal detaches as docker attach does (moby/term v0.5, default of
	// --detach-keys): ctrl-c belongs to the process.
	WithTerminal = Attachment{[]byte{'p' & 0x1f, 'q' & 0x1f}, "the process has the keys, ctrl-c too; ctrl-p ctrl-q leaves it", false}
	// WithoutTerminal detaches as kubectl attach does: no typed key could end
	// the process.
	WithoutTerminal = Attachment{[]byte{'c' & 0x1f}, "this is what its process prints from now on; ctrl-c leaves, and the process goes on", true}
)

// Run is attached until the process ends, or the person detaches: then it
// returns ErrLeft.
func (a Attachment) Run(ctx context.Context, x actions.Executor, e actions.Exec) error {
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	e.Stdin = leaving{term.NewEscapeProxy(e.Stdin, a.keys), leave}
	err := x.Execute(ctx, e)
	var failure *actions.Failure
	switch {
	case errors.Is(context.Cause(ctx), ErrLeft):
		return ErrLeft
	case a.Deaf && errors.As(err, &failure) && failure.Kind == actions.Cancelled:
		return ErrLeft // earlyKeys canceled input that nobody reads
	}
	return err
}

// leaving reads up to the keys that detach.
type leaving struct {
	io.Reader
	leave context.CancelCauseFunc
}

// Read implements io.Reader.
func (l leaving) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if errors.As(err, &term.EscapeError{}) {
		l.leave(ErrLeft)
		err = io.EOF
	}
	return n, err
}
