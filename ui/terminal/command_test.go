package terminal

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/muesli/cancelreader"

	"github.com/traintop/traintop/actions"
)

// During the wait for a container that is not there yet, esc and ctrl-c end the
// wait, and other keys do nothing.
func TestTheWaitForAShellCanBeGivenUp(t *testing.T) {
	for name, key := range map[string]string{"esc": "\x1b", "ctrl-c": "\x03"} {
		t.Run(name, func(t *testing.T) {
			in, typing, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _, _ = in.Close(), typing.Close() }()
			waits, ended := make(chan struct{}), make(chan error, 1)
			c := &Command{Ctx: t.Context(), Banner: "shell", Do: func(ctx context.Context, _ io.Reader, _ io.Writer, _ <-chan actions.Size) error {
				close(waits) // the container is not there yet: nobody reads
				<-ctx.Done()
				return &actions.Failure{Kind: actions.Cancelled, Text: "starting it: it was stopped", Cause: ctx.Err()}
			}}
			c.SetStdin(in)
			c.SetStdout(io.Discard)
			go func() { ended <- c.Run() }()
			<-waits
			typed := "ls\x1b[A"
			for late := time.Now().Add(20 * time.Second); ; typed = key {
				if _, err := io.WriteString(typing, typed); err != nil {
					t.Fatal(err)
				}
				select {
				case err := <-ended:
					var failure *actions.Failure
					if typed != key || !errors.As(err, &failure) || failure.Kind != actions.Cancelled {
						t.Errorf("after %q it ended with %v", typed, err)
					}
					return
				case <-time.After(50 * time.Millisecond): // esc read together with the key before it is not esc: press it again
				}
				if time.Now().After(late) {
					t.Fatal("it waits on")
				}
			}
		})
	}
}

// At a visible prompt, keys belong to the program, also when it has not begun
// to read: ctrl-c there does not end the shell, and no typed key is lost.
func TestKeysAtAPromptAreTheShells(t *testing.T) {
	in, typing, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = in.Close(), typing.Close() }()
	prompts, ended := make(chan struct{}), make(chan error, 1)
	var got string
	c := &Command{Ctx: t.Context(), Banner: "shell", Do: func(ctx context.Context, stdin io.Reader, stdout io.Writer, _ <-chan actions.Size) error {
		_, _ = io.WriteString(stdout, "$ ")
		close(prompts)
		select { // typed input is read, and nobody has requested it
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
		buffer := make([]byte, 16)
		n, err := stdin.Read(buffer)
		got = string(buffer[:n])
		return err
	}}
	c.SetStdin(in)
	c.SetStdout(io.Discard)
	go func() { ended <- c.Run() }()
	<-prompts
	if _, err := io.WriteString(typing, "\x03exit\r"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil || got != "\x03exit\r" {
			t.Errorf("the shell read %q and ended with %v", got, err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it waits on")
	}
}

// Whatever the scheduler does, a pending read at the end of a shell takes no
// key typed after it.
func TestNoKeyIsLostAfterAShell(t *testing.T) {
	in, typing, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = in.Close(), typing.Close() }()
	for i := range 500 {
		input, err := cancelreader.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		typed := &typedInput{from: input}
		waits, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			close(waits)
			if n, err := typed.Read(make([]byte, 8)); err == nil {
				t.Errorf("round %d: %d bytes were taken after the end", i, n)
			}
		}()
		<-waits
		typed.end()
		if _, err := typing.Write([]byte("k")); err != nil {
			t.Fatal(err)
		}
		<-ended
		if t.Failed() {
			return
		}
		if n, err := in.Read(make([]byte, 8)); n != 1 || err != nil {
			t.Fatalf("round %d: the key is gone: %d, %v", i, n, err)
		}
	}
}

// TestWhatComesAfterAShellIsBelowIt: the cursor stays where the shell left it, also when
// the program ends.
func TestWhatComesAfterAShellIsBelowIt(t *testing.T) {
	const enter, leave = "\x1b[?1049h", "\x1b[?1049l"
	for name, shell := range map[string]string{
		"a shell": "1\r\n2\r\n3\r\n", "an editor": enter + "~\r\n~\r\n" + leave + "1\r\n2\r\n3\r\n", "cut off in an editor": "1\r\n2\r\n3\r\n" + enter + "~\r\n",
	} {
		terminal := vt.NewEmulator(20, 10)
		_, _ = terminal.WriteString("$ traintop\r\n" + enter + "screen" + leave)
		_, _ = terminal.WriteString(shell + ResetModes)
		_, _ = terminal.WriteString(enter + "screen" + leave + "$ next")
		lines := strings.Split(terminal.String(), "\n")
		if next := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "$ next") }); next < 4 || !strings.HasPrefix(lines[3], "3") {
			t.Errorf("%s: the prompt is in line %d of\n%s", name, next, terminal.String())
		}
	}
}
