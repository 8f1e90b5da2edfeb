package e2e

import (
	"bytes"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// screen is traintop on a terminal, as a person runs it.
type screen struct {
	t       *testing.T
	command *exec.Cmd
	keys    io.Writer

	mu    sync.Mutex
	drawn bytes.Buffer
}

// The size of the terminal, in cells and lines.
const screenWidth, screenHeight = 160, 50

// screenPatience bounds the wait for something to be drawn.
const screenPatience = time.Minute

func openScreen(t *testing.T, kubeconfig string, args ...string) *screen {
	t.Helper()
	return openScreenWith(t, environment(), io.Discard, kubeconfig, args...)
}

// openScreenWith runs it in an environment; its drawings go to draws as well.
func openScreenWith(t *testing.T, environment []string, draws io.Writer, kubeconfig string, args ...string) *screen {
	t.Helper()
	s := &screen{t: t, command: exec.Command(programs.traintop, append(args, "--kubeconfig="+kubeconfig)...)}
	s.command.Env = append(environment, "TERM=xterm-256color")
	terminal, err := pty.StartWithSize(s.command, &pty.Winsize{Rows: screenHeight, Cols: screenWidth})
	must(t, err)
	s.keys = terminal
	var reading sync.WaitGroup
	reading.Go(func() { _, _ = io.Copy(io.MultiWriter(s, draws), terminal) })
	t.Cleanup(func() {
		must(t, s.command.Process.Signal(syscall.SIGTERM))
		_ = s.command.Wait()
		_ = terminal.Close()
		reading.Wait()
	})
	return s
}

// press types keys.
func (s *screen) press(keys string) {
	s.t.Helper()
	_, err := io.WriteString(s.keys, keys)
	must(s.t, err)
}

// Write receives the program's drawings.
func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drawn.Write(text)
}

func (s *screen) has(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Contains(s.drawn.Bytes(), []byte(text))
}

func (s *screen) waitFor(text string) {
	s.t.Helper()
	for late := time.Now().Add(screenPatience); !s.has(text); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(late) {
			s.t.Fatalf("the screen does not show %q:\n%s", text, s.drawn.String())
		}
	}
}

// waitQuiet waits until the program has processed the data read at its start:
// three seconds in which it used less than a tenth of a core.
func (s *screen) waitQuiet() {
	s.t.Helper()
	for late := time.Now().Add(screenPatience); ; {
		before := s.measured().cpu()
		time.Sleep(3 * time.Second)
		if s.measured().cpu()-before < 300*time.Millisecond {
			return
		}
		if time.Now().After(late) {
			s.t.Fatalf("the program still works %s after its start", screenPatience)
		}
	}
}
