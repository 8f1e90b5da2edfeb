//go:build !windows

package signals

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/undertest"
)

// whatDemoShows is on the first screen of the demo.
const whatDemoShows = "reward-model"

func TestADeadlySignalGivesTheTerminalBack(t *testing.T) {
	for _, deadly := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGTRAP} {
		t.Run(deadly.String(), func(t *testing.T) {
			t.Parallel()
			p := sit(t, traintop, "demo")
			p.shows(whatDemoShows)
			if err := p.command.Process.Signal(deadly); err != nil {
				t.Fatal(err)
			}
			if code := p.ends().ExitCode(); code != 2 {
				t.Errorf("it ended with %d, want 2, as the runtime ends", code)
			}
			p.givenBack()
			p.until("the dump of goroutines is printed", func() bool {
				text := p.printed()
				return strings.Contains(text[strings.LastIndex(text, "\x1b[?1049l")+1:], "goroutine 1 ")
			})
		})
	}
}

func TestASignalThatEndsGivesTheTerminalBack(t *testing.T) {
	for _, ending := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(ending.String(), func(t *testing.T) {
			t.Parallel()
			p := sit(t, traintop, "demo")
			p.shows(whatDemoShows)
			_ = p.command.Process.Signal(ending)
			p.ends()
			p.givenBack()
		})
	}
}

// After a signal that the program cannot catch the terminal is restored too:
// another process waits for its end.
func TestAKillGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	p := sit(t, "sh", "-c", `"$0" demo; sleep 60`, traintop)
	p.shows(whatDemoShows)
	if err := syscall.Kill(p.child(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.givenBack()
}

// A panic in a goroutine without recover ends the program: the terminal is
// restored, and the trace is below the shell's output.
func TestAPanicElsewhereGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	p := sit(t, "sh", "-c", `"$0" demo; echo "ended with $?"; sleep 60`, buildPanicking(t))
	p.shows(whatDemoShows)
	if err := syscall.Kill(p.child(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	p.givenBack()
	p.until("the trace is printed after the screen", func() bool {
		drawn := p.printed()
		after := drawn[strings.LastIndex(drawn, "\x1b[?1049l")+1:]
		return strings.Contains(after, "panic: a goroutine broke") && strings.Contains(after, "goroutine ") && strings.Contains(drawn, "ended with 2")
	})
}

// buildPanicking builds the program with another main, which panics on SIGUSR1.
func buildPanicking(t *testing.T) string {
	t.Helper()
	main, err := filepath.Abs(filepath.Join(source, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := filepath.Abs(filepath.Join("testdata", "panicking.go"))
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{main: other}})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(folder, "traintop")
	if err := undertest.Build(t.Context(), source, ".", to, "-overlay", filepath.Join(folder, "overlay.json")); err != nil {
		t.Fatal(err)
	}
	return to
}

// While the program is stopped the terminal is the shell's, whatever happens to
// the program.
func TestAKillOfAStoppedProgramLeavesTheTerminalAlone(t *testing.T) {
	t.Parallel()
	p, demo := shell(t)
	guards := childrenOf(t, demo)
	_ = syscall.Kill(demo, syscall.SIGTSTP)
	p.stopped(demo)
	before := len(p.printed())
	if err := syscall.Kill(demo, syscall.SIGKILL); err != nil || len(guards) != 1 {
		t.Fatalf("%v, the guards are %q", err, guards)
	}
	p.until("the guard ends", func() bool { return state(atoi(t, guards[0])) == "" })
	if drawn := p.printed()[before:]; strings.Contains(drawn, "\x1b[?1049l") {
		t.Errorf("the shell's terminal got %q", drawn)
	}
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A screen that ends well leaves no process behind.
func TestNoGuardIsLeftBehind(t *testing.T) {
	t.Parallel()
	p := sit(t, "sh", "-c", `"$0" demo; sleep 60`, traintop)
	p.shows(whatDemoShows)
	guards := childrenOf(t, p.child())
	if len(guards) != 1 {
		t.Fatalf("the program has the children %q, want its guard", guards)
	}
	p.types("\x03")
	p.givenBack()
	p.until("the guard ends", func() bool { _, err := os.Stat("/proc/" + guards[0]); return err != nil })
}

func childrenOf(t *testing.T, pid int) (children []string) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(tasks) == 0 {
		t.Skip("this system does not tell of children")
	}
	for _, task := range tasks {
		text, _ := os.ReadFile(task) // a thread may have ended
		children = append(children, strings.Fields(string(text))...)
	}
	return children
}

// givenBack waits until the terminal is in the modes that a shell expects.
func (p *person) givenBack() {
	p.t.Helper()
	p.until("the terminal is given back", func() bool { return p.cooked() && len(p.leftOn()) == 0 })
}

// A shell may have hangups ignored (nohup, disown): the end of the terminal
// ends the interface all the same.
func TestAScreenWithoutATerminalEnds(t *testing.T) {
	for name, program := range map[string][]string{
		"hangups end":     {traintop, "demo"},
		"hangups ignored": {"sh", "-c", `trap "" HUP; exec "$0" demo`, traintop},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sit(t, program[0], program[1:]...)
			p.shows(whatDemoShows)
			_ = p.terminal.Close()
			p.ends()
		})
	}
}

// A command without a screen stays when hangups are ignored: it prints what
// follows after one.
func TestAHangupThatIsIgnoredStaysIgnored(t *testing.T) {
	t.Parallel()
	log := t.TempDir() + "/train.log"
	add := func(text string) {
		file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = file.WriteString(text + "\n")
		_ = file.Close()
	}
	add("step 1 loss 2.5")
	p := sit(t, "sh", "-c", `trap "" HUP; exec "$0" logs -f --from "$1"`, traintop, log)
	p.shows("step 1")
	_ = p.command.Process.Signal(syscall.SIGHUP)
	time.Sleep(300 * time.Millisecond) // a program that ends of it prints nothing more
	add("step 2 loss 2.4")
	p.shows("step 2")
	_ = p.command.Process.Signal(syscall.SIGTERM)
	p.ends()
}

// A program of a person's own that has the terminal sets it raw, as editors and shells do,
// and is killed: the terminal reads lines again, so that enter goes on, and is given back in
// the end.
func TestAProgramThatIsKilledLeavesTheTerminalAsItWas(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	program, settings := filepath.Join(folder, "raw.sh"), filepath.Join(folder, "traintop", "config.yaml")
	if err := os.Mkdir(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		program:  "#!/bin/sh\nstty raw -echo\nkill -9 $$\n",
		settings: "commands:\n- {name: raw, key: f5, command: [" + program + "], readOnlySafe: true}\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p := sit(t, "env", "XDG_CONFIG_HOME="+folder, traintop, "demo")
	p.shows(whatDemoShows)
	p.types("\x1b[15~") // f5
	p.shows("signal: killed; enter goes back")
	if !p.cooked() {
		t.Error("the terminal is still as the program left it")
	}
	p.types("\r")
	p.shows(whatDemoShows)
	p.types("\x03")
	p.ends()
	p.givenBack()
}
