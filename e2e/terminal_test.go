package e2e

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/actions"
)

// terminal is a person at a terminal: typed keys go in, output is read.
type terminal struct {
	t     *testing.T
	in    *io.PipeWriter
	sizes chan actions.Size
	done  chan error

	mu      sync.Mutex
	printed bytes.Buffer
}

// openTerminal starts a command that uses one.
func openTerminal(t *testing.T, begin func(context.Context, actions.Exec) error, e actions.Exec) *terminal {
	t.Helper()
	stdin, in := io.Pipe()
	term := &terminal{t: t, in: in, sizes: make(chan actions.Size, 1), done: make(chan error, 1)}
	e.Stdin, e.Stdout, e.TTY, e.Sizes = stdin, term, true, term.sizes
	go func() { term.done <- begin(t.Context(), e) }()
	t.Cleanup(func() { _ = in.Close() })
	return term
}

// Write implements io.Writer: it receives the output of the other end.
func (term *terminal) Write(p []byte) (int, error) {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.printed.Write(p)
}

func (term *terminal) text() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.printed.String()
}

func (term *terminal) types(keys string) {
	term.t.Helper()
	if _, err := io.WriteString(term.in, keys); err != nil {
		term.t.Fatalf("typing %q: %v", keys, err)
	}
}

// shows waits until something is printed.
func (term *terminal) shows(words string) {
	term.t.Helper()
	late := time.After(soon)
	for !strings.Contains(term.text(), words) {
		select {
		case err := <-term.done:
			if term.done <- err; strings.Contains(term.text(), words) {
				return
			}
			term.t.Fatalf("it ended (%v) before it showed %q; it printed %q", err, words, term.text())
		case <-late:
			term.t.Fatalf("it does not show %q; it printed %q", words, term.text())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// ends waits for the end.
func (term *terminal) ends(atMost time.Duration) error {
	term.t.Helper()
	select {
	case err := <-term.done:
		return err
	case <-time.After(atMost):
		term.t.Fatalf("it has not ended after %s; it printed %q", atMost, term.text())
		return nil
	}
}
