package terminal

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// Lend gives the terminal to a command. Afterwards everything is drawn again,
// whatever the command left on the screen.
func Lend(c tea.ExecCommand, then tea.ExecCallback) tea.Cmd {
	return tea.Sequence(tea.Exec(&lent{ExecCommand: c}, then), tea.ClearScreen)
}

// lent is a command that returns only when the renderer has ended. Bubble Tea
// (2.0.9 to 2.1.1, charmbracelet/bubbletea#1778) asks the goroutine that draws
// to end and does not wait for it. When the command is short, that goroutine
// stops the ticker after the next one has started it, and nothing is drawn any
// more.
type lent struct {
	tea.ExecCommand
	stdin io.Reader
}

// SetStdin implements tea.ExecCommand. A command reads the terminal itself.
func (l *lent) SetStdin(r io.Reader) {
	if input, is := r.(*Input); is {
		r = input.File
	}
	l.stdin = r
	l.ExecCommand.SetStdin(r)
}

// rendererEnds bounds the wait for the renderer, which ends as soon as it runs.
const rendererEnds = time.Second

// Run implements tea.ExecCommand.
func (l *lent) Run() error {
	defer awaitRenderer()
	return KeepMode(l.stdin, l.ExecCommand.Run)
}

// KeepMode runs what has the terminal, and then sets the terminal's mode back to what it
// was: a program that is killed leaves it raw, so that nothing typed ends a line and no key
// is a signal.
func KeepMode(stdin io.Reader, run func() error) error {
	file, is := stdin.(*os.File)
	if !is {
		return run()
	}
	was, err := term.GetState(int(file.Fd()))
	if err != nil { // it is no terminal
		return run()
	}
	err = run()
	return errors.Join(err, term.Restore(int(file.Fd()), was))
}

func awaitRenderer() {
	late := time.After(rendererEnds)
	for rendering() {
		select {
		case <-late:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// renderer is the function of the goroutine that draws, as traces name it.
const renderer = "bubbletea/v2.(*Program).startRenderer.func"

// rendering reports whether a goroutine of a program draws.
func rendering() bool {
	trace := make([]byte, 1<<20)
	return bytes.Contains(trace[:runtime.Stack(trace, true)], []byte(renderer))
}
