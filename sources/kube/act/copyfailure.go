package act

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
)

// copyError is why a copy cannot continue, as text for people.
type copyError struct {
	kind  actions.FailureKind
	text  string
	cause error
}

func (e *copyError) Error() string { return e.text }

func (e *copyError) Unwrap() error { return e.cause }

// copyFailure describes in one line why files were not copied.
func copyFailure(ctx context.Context, t actions.Transfer, err error) *actions.Failure {
	doing := fmt.Sprintf("copying %s from pod %s", t.Remote, client.JoinName(t.Namespace, t.Pod))
	if t.Up {
		doing = fmt.Sprintf("copying %s to pod %s", t.Local, client.JoinName(t.Namespace, t.Pod))
	}
	doing = client.Printable(doing)
	var failed *actions.Failure
	var own *copyError
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled):
		return &actions.Failure{Kind: actions.Cancelled, Text: doing + ": cancelled; what was incomplete is removed", Cause: err}
	case ctx.Err() != nil:
		return &actions.Failure{Kind: actions.TooLate, Text: doing + ": it did not end in time; what was incomplete is removed", Cause: err}
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		return &actions.Failure{Kind: actions.Other, Text: doing + ": no space left here: " + client.Printable(err.Error()) + "; what was incomplete is removed", Cause: err}
	case errors.As(err, &own):
		return &actions.Failure{Kind: own.kind, Text: doing + ": " + client.Printable(own.text), Cause: err}
	case errors.As(err, &failed):
		return &actions.Failure{Kind: failed.Kind, Text: doing + ": " + failed.Text, Cause: err}
	case errors.Is(err, fs.ErrExist):
		return &actions.Failure{Kind: actions.Exists, Text: doing + ": " + client.Printable(err.Error()), Cause: err}
	}
	var unasked *unaskedError
	if errors.As(err, &unasked) {
		return &actions.Failure{Kind: actions.Invalid, Text: doing + ": " + unasked.why, Cause: err}
	}
	return &actions.Failure{Kind: actions.Other, Text: doing + ": " + client.Printable(err.Error()), Cause: err}
}
