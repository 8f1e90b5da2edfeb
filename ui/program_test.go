package ui

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"go.uber.org/goleak"
)

// emulator is a terminal that may be read while it is written to, which
// vt.SafeEmulator allows for all but String.
type emulator struct {
	mu sync.Mutex
	*vt.Emulator
}

func (e *emulator) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.Emulator.Write(p)
}

// WriteString is called by io.WriteString instead of Write.
func (e *emulator) WriteString(text string) (int, error) { return e.Write([]byte(text)) }

func (e *emulator) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.Emulator.String()
}

// testTerminal runs the whole program on an emulated terminal.
type testTerminal struct {
	t      *testing.T
	screen *emulator
	typing io.WriteCloser
	ended  chan error
	cancel context.CancelFunc
}

func launch(t *testing.T, o Options, width, height int) *testTerminal {
	t.Helper()
	keys, typing := io.Pipe()
	return launchWith(t, o, keys, typing, width, height)
}

func launchWith(t *testing.T, o Options, keys io.Reader, typing io.WriteCloser, width, height int) *testTerminal {
	t.Helper()
	if o.Store == nil {
		o.Store = fixture(t)
	}
	o.Context = "prod-gpu"
	screen := &emulator{Emulator: vt.NewEmulator(width, height)}
	// The program writes to something that is not a terminal and so expects
	// line feeds to return the carriage (LNM).
	if _, err := screen.Write([]byte("\x1b[20h")); err != nil {
		t.Fatal(err)
	}
	o.Input, o.Output, o.Width, o.Height = keys, screen, width, height
	o.Environment = []string{"TERM=xterm-256color", "COLORTERM=truecolor"}
	drained := make(chan struct{})
	go func() { // the terminal's answers, which nobody reads here
		defer close(drained)
		_, _ = io.Copy(io.Discard, screen)
	}()
	ctx, cancel := context.WithCancel(t.Context())
	p := &testTerminal{t: t, screen: screen, typing: typing, ended: make(chan error, 1), cancel: cancel}
	go func() { p.ended <- Run(ctx, o) }()
	t.Cleanup(func() {
		cancel()
		_ = typing.Close()
		// Closing the pipe ends the reader; Emulator.Close would race with it.
		_ = screen.InputPipe().(io.Closer).Close()
		<-drained
	})
	return p
}

func (p *testTerminal) press(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.typing, text); err != nil {
		p.t.Fatal(err)
	}
}

func (p *testTerminal) waitFor(text string) {
	p.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if strings.Contains(p.screen.String(), text) {
			return
		}
	}
	p.t.Fatalf("%q never came to the screen:\n%s", text, p.screen.String())
}

// waitUntilGone waits for the answer to what a dialog asks: until then it takes no
// enter.
func (p *testTerminal) waitUntilGone(text string) {
	p.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if !strings.Contains(p.screen.String(), text) {
			return
		}
	}
	p.t.Fatalf("%q stays on the screen:\n%s", text, p.screen.String())
}

func (p *testTerminal) end() error {
	p.t.Helper()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(20 * time.Second):
		p.t.Fatal("the program does not end")
		return nil
	}
}

func TestWholeProgram(t *testing.T) {
	before := goleak.IgnoreCurrent()
	defer func() { goleak.VerifyNone(t, before) }()
	t.Run("starts, goes places and quits", func(t *testing.T) {
		p := launch(t, Options{}, 120, 30)
		p.waitFor("Jobs 14")
		p.press(":nodes\r")
		p.waitFor("Nodes 14")
		p.press("q")
		p.waitFor("Jobs 14")
		p.press("\x03")
		if err := p.end(); err != nil {
			t.Error(err)
		}
		if strings.Contains(p.screen.String(), "Jobs 14") {
			t.Errorf("the screen of before is not back:\n%s", p.screen.String())
		}
	})
	t.Run("ends with its context", func(t *testing.T) {
		p := launch(t, Options{}, 80, 24)
		p.waitFor("Jobs 14")
		p.cancel()
		if err := p.end(); err != nil {
			t.Error(err)
		}
	})
	t.Run("too small a terminal", func(t *testing.T) {
		p := launch(t, Options{}, 20, 5)
		p.waitFor("too small")
		p.press("\x03")
		if err := p.end(); err != nil {
			t.Error(err)
		}
	})
	t.Run("follows the store", func(t *testing.T) {
		o := withHealth()
		p := launch(t, o, 100, 24)
		p.waitFor("connecting to prod-gpu")
		for _, e := range eventsOf(t) {
			o.Store.Apply(e)
		}
		p.waitFor("Jobs 14")
		p.press("\x03")
		if err := p.end(); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
