//go:build unix

package receivers

import (
	"os/exec"
	"syscall"
)

// killWithChildren makes a program end together with those that it started.
func killWithChildren(run *exec.Cmd) {
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	run.Cancel = func() error { return syscall.Kill(-run.Process.Pid, syscall.SIGKILL) }
}
