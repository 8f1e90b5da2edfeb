//go:build !windows

package terminal

import (
	"context"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
)

// A guard whose program is killed restores the terminal, and prints only
// harmless text of the trace. While an editor has the terminal it changes
// nothing.
func TestGuardOfAProgramThatIsKilled(t *testing.T) {
	for name, c := range map[string]struct {
		said func(*guard)
		want string
	}{
		"at once":           {func(*guard) {}, afterwards},
		"with a trace":      {func(g *guard) { g.say("panic: a\x1b]0;b\nlent\ngoroutine 1") }, afterwards + "panic: a?]0;b\nlent\ngoroutine 1"},
		"under an editor":   {func(g *guard) { g.lent() }, ""},
		"after an editor":   {func(g *guard) { g.lent(); g.back() }, afterwards},
		"after a clean end": {func(g *guard) { g.say("done\n") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			g, terminal := guardOfPipe(t)
			c.said(g)
			g.leaveUnsaid()
			if drawn, err := io.ReadAll(terminal); err != nil || strings.TrimSuffix(string(drawn), "\n") != strings.TrimSuffix(c.want, "\n") {
				t.Errorf("%v: the guard wrote %q, want %q", err, drawn, c.want)
			}
		})
	}
}

// Another process has the terminal while an editor runs or the program is
// stopped. A shell in a pod runs within the program and ends with it.
func TestGuardKnowsWhoHasTheTerminal(t *testing.T) {
	inPod := &Command{
		Ctx: t.Context(), Stdin: strings.NewReader(""), Stdout: io.Discard,
		Do: func(context.Context, io.Reader, io.Writer, <-chan actions.Size) error { return nil },
	}
	for name, c := range map[string]struct {
		command tea.ExecCommand
		want    string
	}{"the shell of a stopped program": {&stopCommand{}, "lent\nback\n"}, "a shell in a pod": {inPod, ""}} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		lent := &lentCommand{c.command, &Signals{guard: &guard{pipe: write}}}
		if err := lent.Run(); err != nil {
			t.Error(err)
		}
		_ = write.Close()
		if said, err := io.ReadAll(read); err != nil || string(said) != c.want {
			t.Errorf("%s: %v: the guard heard %q, want %q", name, err, said, c.want)
		}
	}
}

// guardOfPipe is a guard whose terminal is a pipe.
func guardOfPipe(t *testing.T) (*guard, *os.File) {
	t.Helper()
	terminal, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	g := newGuard(null, write)
	_, _ = null.Close(), write.Close()
	if g == nil {
		t.Skip("this machine has no /bin/sh")
	}
	if err := terminal.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return g, terminal
}

// leaveUnsaid closes the pipe as the kernel does when the program is killed.
func (g *guard) leaveUnsaid() {
	_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
	_ = g.pipe.Close()
}
