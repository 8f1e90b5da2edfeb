package faults

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// The size of the terminal, in cells and lines.
const screenWidth, screenHeight = 160, 40

// Screen is the program on a terminal, as a person sees it now. Its methods may
// be called from several goroutines.
type Screen struct {
	command *exec.Cmd
	keys    *os.File
	ended   chan error

	mu       sync.Mutex
	terminal *vt.Emulator
}

// Open starts the program on a terminal.
func (p Program) Open(args ...string) (*Screen, error) {
	s := &Screen{terminal: vt.NewEmulator(screenWidth, screenHeight), ended: make(chan error, 1)}
	go func() { _, _ = io.Copy(io.Discard, s.terminal) }() // the terminal's answers, which nobody reads here
	s.command = exec.Command(p.Path, args...)
	s.command.Env = p.environment()
	keys, err := pty.StartWithSize(s.command, &pty.Winsize{Rows: screenHeight, Cols: screenWidth})
	if err != nil {
		return nil, fmt.Errorf("start the program on a terminal: %w", err)
	}
	s.keys = keys
	go func() {
		_, _ = io.Copy(s, keys) // it ends with the program
		s.ended <- s.command.Wait()
	}()
	return s, nil
}

// Write draws.
func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.terminal.Write(p)
}

// Now is the text on the screen.
func (s *Screen) Now() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.terminal.String()
}

// Shows waits until all texts are on the screen at once, and reports whether
// they appeared in time.
func (s *Screen) Shows(atMost time.Duration, texts ...string) bool {
	late := time.After(atMost)
	for look := time.NewTicker(20 * time.Millisecond); ; {
		if holdsAll(s.Now(), texts) {
			return true
		}
		select {
		case <-look.C:
		case <-late:
			return false
		}
	}
}

func holdsAll(screen string, texts []string) bool {
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			return false
		}
	}
	return true
}

// Press types keys.
func (s *Screen) Press(keys string) { _, _ = io.WriteString(s.keys, keys) } // it may have ended

// Peak is the most memory that it held, in bytes; it must not have ended.
func (s *Screen) Peak() int64 { return peakOf(s.command.Process.Pid) }

// Close ends it as a closed terminal does, and reports whether it ended in time.
func (s *Screen) Close(atMost time.Duration) bool {
	_ = s.command.Process.Signal(syscall.SIGTERM) // it may have ended
	ended := true
	select {
	case <-s.ended:
	case <-time.After(atMost):
		ended = false
		_ = s.command.Process.Kill() // it may have ended
		<-s.ended
	}
	_ = s.keys.Close()
	_ = s.terminal.InputPipe().(io.Closer).Close()
	return ended
}
