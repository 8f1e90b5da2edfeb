//go:build !windows

package signals

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience bounds each wait: the machine may be busy.
const patience = time.Minute

// person sits at a terminal in which a program runs.
type person struct {
	t        *testing.T
	command  *exec.Cmd
	terminal *os.File
	ended    chan struct{}
	screen   *vt.Emulator

	mu    sync.Mutex
	drawn []byte
}

// sit begins a program on a terminal.
func sit(t *testing.T, program string, args ...string) *person {
	t.Helper()
	p := &person{t: t, command: exec.Command(program, args...), ended: make(chan struct{}), screen: vt.NewEmulator(120, 40)}
	p.command.Env = environment()
	go func() { _, _ = io.Copy(io.Discard, p.screen) }() // the terminal's answers
	terminal, err := pty.StartWithSize(p.command, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		t.Fatal(err)
	}
	p.terminal = terminal
	go func() { _, _ = io.Copy(p, terminal) }()
	go func() { _ = p.command.Wait(); close(p.ended) }()
	t.Cleanup(func() {
		_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL)
		_ = terminal.Close()
		<-p.ended
		_ = p.screen.InputPipe().(io.Closer).Close()
	})
	return p
}

// Write draws.
func (p *person) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drawn = append(p.drawn, text...)
	return p.screen.Write(text)
}

func (p *person) sees() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

// printed is all that came to the terminal.
func (p *person) printed() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.drawn)
}

func (p *person) types(keys string) {
	p.t.Helper()
	if _, err := io.WriteString(p.terminal, keys); err != nil {
		p.t.Fatal(err)
	}
}

// until waits for something.
func (p *person) until(what string, is func() bool) {
	p.t.Helper()
	for late := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(late) {
			p.t.Fatalf("not within %s: %s; the screen:\n%s", patience, what, p.sees())
		}
	}
}

func (p *person) shows(text string) {
	p.t.Helper()
	p.until("the screen shows "+text, func() bool { return strings.Contains(p.sees(), text) })
}

// ends waits for the end of the program.
func (p *person) ends() *os.ProcessState {
	p.t.Helper()
	select {
	case <-p.ended:
		return p.command.ProcessState
	case <-time.After(patience):
		p.t.Fatalf("it has not ended after %s:\n%s", patience, p.sees())
		return nil
	}
}

// mode is a private mode of the terminal that is set (h) or reset (l).
var mode = regexp.MustCompile(`\x1b\[\?([0-9;]+)([hl])`)

// leftOn are the modes that a shell does not expect: the second screen, the
// mouse, focus and pastes in brackets, a hidden cursor.
func (p *person) leftOn() (on []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	is := map[string]bool{"25": true}
	for _, found := range mode.FindAllSubmatch(p.drawn, -1) {
		for one := range strings.SplitSeq(string(found[1]), ";") {
			is[one] = string(found[2]) == "h"
		}
	}
	for _, one := range []string{"1049", "1000", "1002", "1003", "1006", "1004", "2026"} {
		if is[one] {
			on = append(on, one)
		}
	}
	if !is["25"] {
		on = append(on, "no cursor")
	}
	return on
}

// cooked reports whether the terminal echoes and reads lines.
func (p *person) cooked() bool {
	command := exec.Command("stty", "-a")
	command.Stdin = p.terminal
	said, err := command.Output()
	if err != nil {
		p.t.Skipf("this machine's stty does not tell: %v", err)
	}
	modes := strings.Fields(strings.ReplaceAll(string(said), ";", " "))
	has := func(name string) bool {
		for _, one := range modes {
			if one == name {
				return true
			}
		}
		return false
	}
	return has("icanon") && has("echo") && has("isig")
}

// child is the process that the shell at the terminal runs.
func (p *person) child() int {
	p.t.Helper()
	pid := 0
	p.until("the shell runs a program", func() bool {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(p.command.Process.Pid) + "/task/" + strconv.Itoa(p.command.Process.Pid) + "/children")
		if err != nil {
			p.t.Skipf("this system does not tell of children: %v", err)
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	return pid
}

// state is that of a process: R, S, T…
func state(pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	rest := string(text[strings.LastIndexByte(string(text), ')')+1:])
	return strings.Fields(rest)[0]
}
