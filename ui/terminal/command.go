package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/muesli/cancelreader"
	"golang.org/x/term"

	"github.com/traintop/traintop/actions"
)

// Command has the terminal to itself while it runs: a shell in a container, an
// attached process. It is a tea.ExecCommand.
type Command struct {
	Ctx    context.Context //nolint:containedctx // the interface of bubbletea's commands has none
	Banner string
	Do     func(ctx context.Context, stdin io.Reader, stdout io.Writer, sizes <-chan actions.Size) error
	// deaf is true where the other side may print and read no key at all.
	Deaf   bool
	Stdin  io.Reader
	Stdout io.Writer
}

// SetStdin implements tea.ExecCommand.
func (c *Command) SetStdin(r io.Reader) { c.Stdin = r }

// SetStdout implements tea.ExecCommand.
func (c *Command) SetStdout(w io.Writer) { c.Stdout = w }

// SetStderr implements tea.ExecCommand; a terminal has one stream.
func (c *Command) SetStderr(io.Writer) {}

// ResetModes resets modes that a program on the other side may have set when it
// was cut off: the second screen, the mouse, pasting in brackets, application
// keys, a hidden cursor, colours. Leaving the second screen sets the cursor to where it
// was when that was entered, on the first screen too, so it is entered once more. The
// end of a scrolling region sets it to the first line, so it is kept around that.
const ResetModes = "\x1b[?1049h\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\x1b[?25h\x1b7\x1b[r\x1b8\x1b[0m\r\n"

// Run implements tea.ExecCommand. Typed keys go to the other side unchanged
// (ctrl-c too) as soon as it reads or prints, and no key typed after its end is
// lost to it.
func (c *Command) Run() (err error) {
	ctx, cancel := context.WithCancel(c.Ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	if file, is := c.Stdin.(*os.File); is && term.IsTerminal(int(file.Fd())) {
		was, err := term.MakeRaw(int(file.Fd()))
		if err != nil {
			return fmt.Errorf("give the terminal to %s: %w", c.Banner, err)
		}
		defer func() { err = errors.Join(err, term.Restore(int(file.Fd()), was)) }()
	}
	input, err := cancelreader.NewReader(c.Stdin)
	if err != nil {
		return fmt.Errorf("read what is typed: %w", err)
	}
	typed := &typedInput{from: input}
	defer func() {
		typed.end()
		_, _ = io.WriteString(c.Stdout, ResetModes)
	}()
	if _, err := io.WriteString(c.Stdout, c.Banner+"\r\n"); err != nil {
		return fmt.Errorf("write to the terminal: %w", err)
	}
	sizes := make(chan actions.Size, 1)
	if out, is := c.Stdout.(*os.File); is {
		running.Go(func() { watchSize(ctx, int(out.Fd()), sizes) })
	}
	keys, out := newEarlyKeys(ctx, typed, cancel), c.Stdout
	if !c.Deaf {
		out = answered{out, keys}
	}
	return c.Do(ctx, keys, out, sizes)
}

// typedInput is the typed input, until its end.
type typedInput struct {
	from    cancelreader.CancelReader
	reading sync.Mutex
}

// Read implements io.Reader.
func (t *typedInput) Read(p []byte) (int, error) {
	t.reading.Lock()
	defer t.reading.Unlock()
	return t.from.Read(p)
}

// end cancels a pending Read, and returns when it has returned. cancelreader
// (v0.2.2) on Linux, closed at once, may leave it waiting: it closes the file
// that was to wake it, and the Read then takes the next typed key.
func (t *typedInput) end() {
	if t.from.Cancel() {
		t.reading.Lock()
		defer t.reading.Unlock()
	}
	_ = t.from.Close() // it only serves to cancel
}

// sendSize puts the newest size into the channel, in place of an older one.
func sendSize(fd int, sizes chan actions.Size) {
	width, height, err := term.GetSize(fd)
	if err != nil || width <= 0 || height <= 0 {
		return
	}
	select {
	case <-sizes:
	default:
	}
	sizes <- actions.Size{Width: uint16(min(width, 1<<16-1)), Height: uint16(min(height, 1<<16-1))}
}

var _ tea.ExecCommand = (*Command)(nil)
