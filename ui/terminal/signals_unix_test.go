//go:build !windows

package terminal

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asEditor makes a test's child process lend its terminal.
const asEditor = "TRAINTOP_TEST_LENDS"

// Signals typed while an editor runs (ctrl-c, ctrl-\) go to the whole process
// group. They reach the editor and leave the program alone; afterwards an
// interrupt ends the interface as before.
func TestKeysOfAnEditorAreItsOwn(t *testing.T) {
	if os.Getenv(asEditor) != "" {
		lendToAnEditor()
		return
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKeysOfAnEditorAreItsOwn$", "-test.v")
	child.Env = append(os.Environ(), asEditor+"=1")
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said, err := child.CombinedOutput()
	if want := "INT 7, QUIT 8, ended false; then ended true"; err != nil || !strings.Contains(string(said), want) {
		t.Errorf("%v: want %q in\n%s", err, want, said)
	}
}

func lendToAnEditor() {
	outer, stop := signal.NotifyContext(context.Background(), os.Interrupt) // as cli has it
	defer stop()
	ctx, leave := context.WithCancel(outer)
	s := Guard(nil, leave, func() {})
	codes := map[string]int{}
	for name, code := range map[string]int{"INT": 7, "QUIT": 8} {
		editor := exec.Command("sh", "-c", fmt.Sprintf("trap 'exit %d' %s; kill -%s 0; sleep 20", code, name, name))
		_ = s.aside(true, editor.Run)
		codes[name] = editor.ProcessState.ExitCode()
	}
	early := ctx.Err() != nil
	_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
	select {
	case <-ctx.Done():
	case <-time.After(20 * time.Second):
	}
	fmt.Printf("INT %d, QUIT %d, ended %v; then ended %v\n", codes["INT"], codes["QUIT"], early, ctx.Err() != nil)
}
