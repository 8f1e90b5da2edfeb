//go:build !windows

package terminal

import (
	"bufio"
	"os"
	"os/exec"
	"runtime/debug"
	"sync"
	"syscall"
	"time"
)

// guard is a shell that waits for the end of this process, and restores the
// terminal where the process could not: it was killed, or a goroutine panicked
// that Bubble Tea does not own. docs/decisions/018-guard-of-the-terminal.md
// explains why it is a shell.
type guard struct {
	pipe *os.File
	once sync.Once
}

// guardScript is fixed: its one argument is afterwards, and its input is
// printed and never run. It leaves the terminal alone while another process has
// it (an editor, the shell below a program that is stopped). Of a crash's trace
// only printable ASCII goes to the terminal, since a panic may quote text from
// a cluster.
const guardScript = `trap '' INT QUIT HUP TERM PIPE TTOU TTIN TSTP
saved=$(stty -g <&3)
echo ready
held=
while IFS= read -r first; do
	case "$first" in
	done) exit 0 ;;
	lent) held=lent ;;
	back) held= ;;
	*) break ;;
	esac
done
[ -n "$held" ] && exit 0
[ -n "$saved" ] && stty "$saved" <&3
printf '%s' "$1" >&4
{ [ -n "$first" ] && printf '%s\n' "$first"; cat; } | tr -c '\11\12\40-\176' '?' >&4`

// afterwards also ends modes that forget does not: focus, synchronized output,
// and distinct keys (xterm's modifyOtherKeys, kitty's keyboard protocol).
const afterwards = ResetModes + "\x1b[?1004l\x1b[?2026l\x1b[>4m\x1b[<u"

// guardReady bounds the wait for the guard, which reads the terminal's state
// before it is changed.
const guardReady = 500 * time.Millisecond

// newGuard starts the guard; nil where that fails: the program runs without it.
func newGuard(stdin, stdout *os.File) *guard {
	read, write, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer func() { _ = read.Close() }()
	command := exec.Command("/bin/sh", "-c", guardScript, "sh", afterwards)
	command.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}
	command.Stdin, command.ExtraFiles = read, []*os.File{stdin, stdout}
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it gets no keys
	said, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		_ = write.Close()
		return nil
	}
	ready := make(chan struct{})
	go func() {
		_, _ = bufio.NewReader(said).ReadString('\n')
		close(ready)
		_ = command.Wait()
	}()
	select {
	case <-ready:
	case <-time.After(guardReady):
	}
	_ = debug.SetCrashOutput(write, debug.CrashOptions{})
	return &guard{pipe: write}
}

// lent reports that another process has the terminal, and back that this one
// has it again.
func (g *guard) lent() { g.say("lent\n") }

func (g *guard) back() { g.say("back\n") }

func (g *guard) say(word string) {
	if g != nil {
		_, _ = g.pipe.WriteString(word) // a guard that ended guards nothing
	}
}

// leave ends the guard: others restore the terminal.
func (g *guard) leave() {
	if g == nil {
		return
	}
	g.once.Do(func() {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
		g.say("done\n")
		_ = g.pipe.Close()
	})
}
