package actions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Collect runs a command for what it prints. The commands are tried in order
// until one is a program that the container has. It stops at limit bytes of
// each stream (Answer.Cut), and at the timeout.
func Collect(ctx context.Context, e Executor, t Target, commands [][]string, limit int, timeout time.Duration) Answer {
	answer := Answer{Target: t, Exit: -1, Failure: &Failure{Kind: NoProgram, Text: "there is nothing to run in " + t.Pod}}
	ctx, stop := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("it did not end within %s", timeout))
	defer stop()
	for _, command := range commands {
		answer = collectOne(ctx, e, t, command, limit)
		if answer.Failure == nil || answer.Failure.Kind != NoProgram {
			return answer
		}
	}
	return answer
}

func collectOne(ctx context.Context, e Executor, t Target, command []string, limit int) Answer {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out, errs := &capped{left: limit, full: stop}, &capped{left: limit, full: stop}
	err := e.Execute(ctx, Exec{Container: t.Container, Command: command, Stdout: out, Stderr: errs})
	answer := Answer{Target: t, Command: command, Stdout: out.bytes(), Stderr: errs.bytes(), Cut: errors.Is(context.Cause(ctx), errFull), Exit: -1}
	var exit *ExitError
	var failure *Failure
	switch {
	case err == nil:
		answer.Exit = 0
	case errors.As(err, &exit):
		answer.Exit = exit.Code
	case answer.Cut: // what came is the answer
	case errors.As(err, &failure):
		answer.Failure = failure
	default:
		answer.Failure = &Failure{Kind: Other, Text: err.Error(), Cause: err}
	}
	return answer
}

var errFull = errors.New("it printed more than is kept")

// capped keeps the first bytes of a stream, and ends the command behind it
// when there are more.
type capped struct {
	full context.CancelCauseFunc

	mu   sync.Mutex
	kept bytes.Buffer
	left int
}

func (c *capped) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(p) > c.left {
		c.kept.Write(p[:c.left])
		c.left = 0
		c.full(errFull)
		return 0, errFull
	}
	c.kept.Write(p)
	c.left -= len(p)
	return len(p), nil
}

func (c *capped) bytes() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.kept.Bytes())
}
