package terminal

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// short is a command that returns at once, as one whose program is not there.
type short struct{}

func (short) Run() error          { return nil }
func (short) SetStdin(io.Reader)  {}
func (short) SetStdout(io.Writer) {}
func (short) SetStderr(io.Writer) {}

// counter draws a number, which each message of type lend raises after the
// terminal was lent.
type counter struct{ n int }

type (
	lend     struct{}
	lentOnce struct{}
)

func (counter) Init() tea.Cmd { return nil }

func (c counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case lend:
		return c, Lend(short{}, func(error) tea.Msg { return lentOnce{} })
	case lentOnce:
		c.n++
	}
	return c, nil
}

func (c counter) View() tea.View { return tea.NewView("<" + strconv.Itoa(c.n) + ">") }

// drawn is a terminal's output.
type drawn struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (d *drawn) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(p)
}

// shows waits until something was drawn.
func (d *drawn) shows(t *testing.T, text string) {
	t.Helper()
	for late := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		d.mu.Lock()
		is := strings.Contains(d.text.String(), text)
		d.mu.Unlock()
		if is {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("%s was not drawn", text)
		}
	}
}

// The screen is drawn again after a command, however short it was.
func TestTheScreenIsDrawnAfterAShortCommand(t *testing.T) {
	out := &drawn{}
	program := tea.NewProgram(counter{}, tea.WithInput(nil), tea.WithOutput(out), tea.WithoutSignals(), tea.WithWindowSize(20, 5))
	ended := make(chan error, 1)
	go func() { _, err := program.Run(); ended <- err }()
	defer func() {
		program.Kill()
		<-ended
	}()
	out.shows(t, "<0>")
	if !rendering() {
		t.Errorf("no goroutine has %s in its trace while a program draws: the name has changed", renderer)
	}
	for n := range 5 {
		program.Send(lend{})
		out.shows(t, strconv.Itoa(n+1))
	}
}
