//go:build !windows

package signals

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// shell is a person's shell with job control, in which the demo runs.
func shell(t *testing.T) (p *person, demo int) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("this machine has no bash")
	}
	p = sit(t, bash, "--norc", "--noprofile", "-i")
	p.shows("ready$")
	p.types(traintop + " demo\r")
	p.shows(whatDemoShows)
	return p, p.child()
}

// stopped waits until the program is stopped and the shell has the terminal.
func (p *person) stopped(pid int) {
	p.t.Helper()
	p.until("the program is stopped", func() bool { return state(pid) == "T" })
	p.shows("Stopped")
}

// goesOn brings the program to the foreground and expects a complete screen.
func (p *person) goesOn() {
	p.t.Helper()
	p.types("fg\r")
	p.shows(whatDemoShows)
	p.until("the second screen is on", func() bool { return strings.Contains(strings.Join(p.leftOn(), " "), "1049") })
	p.types("?")
	p.shows("Keys in jobs")
	p.types("\x1b")
	p.until("help is closed", func() bool { return !strings.Contains(p.sees(), "Keys in jobs") })
}

func TestAStopGivesTheTerminalBackAndTakesItAgain(t *testing.T) {
	t.Parallel()
	p, demo := shell(t)
	for range 2 {
		_ = syscall.Kill(demo, syscall.SIGTSTP)
		p.stopped(demo)
		p.until("the modes are off", func() bool { return len(p.leftOn()) == 0 })
		p.types("echo $((40+2))\r")
		p.shows("\n42")
		p.goesOn()
	}
}

// SIGSTOP cannot be caught; the screen after it is complete again.
func TestAStopThatNobodyCatchesIsDrawnOver(t *testing.T) {
	t.Parallel()
	p, demo := shell(t)
	_ = syscall.Kill(demo, syscall.SIGSTOP)
	p.stopped(demo)
	p.types("clear; printf '\\033[?1049l'\r")
	p.until("the screen is clear", func() bool { return !strings.Contains(p.sees(), whatDemoShows) })
	p.goesOn()
}

// The kernel stops no process that no shell could continue: the interface
// continues.
func TestAStopOfASessionWithoutAShellIsNone(t *testing.T) {
	t.Parallel()
	p := sit(t, traintop, "demo")
	p.shows(whatDemoShows)
	_ = p.command.Process.Signal(syscall.SIGTSTP)
	p.types("?")
	p.shows("Keys in jobs")
}
