package e2e

import (
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
)

// emulated is traintop on an emulated terminal: tests see the current screen,
// and not all that was ever drawn.
type emulated struct {
	*screen
	mu       sync.Mutex
	terminal *vt.Emulator
}

// openEmulated runs traintop with a home folder of its own.
func openEmulated(t *testing.T, home, kubeconfig string, more []string, args ...string) *emulated {
	t.Helper()
	e := &emulated{terminal: vt.NewEmulator(screenWidth, screenHeight)}
	go func() { _, _ = io.Copy(io.Discard, e.terminal) }() // the terminal's answers, which nobody reads here
	t.Cleanup(func() { _ = e.terminal.InputPipe().(io.Closer).Close() })
	e.screen = openScreenWith(t, append(environmentIn(home), more...), e, kubeconfig, args...)
	return e
}

// Write draws.
func (e *emulated) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.terminal.Write(p)
}

// now is the text on the screen.
func (e *emulated) now() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.terminal.String()
}

// shows waits until texts are on the screen.
func (e *emulated) shows(texts ...string) {
	e.t.Helper()
	for _, text := range texts {
		for late := time.Now().Add(screenPatience); !strings.Contains(e.now(), text); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(late) {
				e.t.Fatalf("the screen does not show %q:\n%s", text, e.now())
			}
		}
	}
}

// loses waits until a text is no longer on the screen.
func (e *emulated) loses(text string) {
	e.t.Helper()
	for late := time.Now().Add(screenPatience); strings.Contains(e.now(), text); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(late) {
			e.t.Fatalf("the screen still shows %q:\n%s", text, e.now())
		}
	}
}

// hides fails when one of the texts is on the screen.
func (e *emulated) hides(texts ...string) {
	e.t.Helper()
	for _, text := range texts {
		if now := e.now(); strings.Contains(now, text) {
			e.t.Fatalf("the screen shows %q:\n%s", text, now)
		}
	}
}

// goes types a command.
func (e *emulated) goes(command, shows string) {
	e.t.Helper()
	e.press(":")
	e.shows("\n :") // the prompt is open: keys arriving together would be a paste
	e.pressedAll(command, "\r")
	e.shows(shows)
}

// pressedAll types keys one by one and waits a moment after each: nothing shows
// that a key was ignored.
func (e *emulated) pressedAll(keys ...string) {
	e.t.Helper()
	for _, key := range keys {
		e.press(key)
		time.Sleep(200 * time.Millisecond)
	}
}
