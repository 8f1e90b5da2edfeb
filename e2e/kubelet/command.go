package kubelet

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"syscall"
	"time"

	"github.com/creack/pty"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

// drain bounds how long output is read after a command has ended: a process
// that it left running may hold the terminal for ever.
const drain = time.Second

// streams are the client's ends.
type streams struct {
	in       io.Reader
	out, err io.Writer
	sizes    <-chan remotecommand.TerminalSize
}

// command prepares a program of a container.
func (k *Kubelet) command(ctx context.Context, c container, arguments []string, tty bool) (*exec.Cmd, error) {
	sandbox, err := k.SandboxOf(c.pod)
	if err != nil {
		return nil, err
	}
	program, err := sandbox.find(c, arguments[0])
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, program, arguments[1:]...)
	command.Args[0] = arguments[0]
	command.Dir, command.Env = sandbox.Root, sandbox.environment(c, tty)
	command.WaitDelay = drain
	// A container that ends kills everything that was started in it.
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	return command, nil
}

// runPiped runs a command without a terminal.
func runPiped(command *exec.Cmd, s streams) error {
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	command.Stdout, command.Stderr = s.out, s.err
	if s.in != nil {
		pipe, err := command.StdinPipe()
		if err != nil {
			return err
		}
		go func() { _, _ = io.Copy(pipe, s.in); _ = pipe.Close() }() // ends with the stream
	}
	return ended(command.Run())
}

// runInTerminal runs a command in a terminal of its own, which it controls:
// ctrl-c and changes of size become signals. The terminal hangs up with the
// client.
func runInTerminal(command *exec.Cmd, s streams) error {
	terminal, err := pty.Start(command)
	if err != nil {
		return err
	}
	defer terminal.Close()
	go func() {
		for size := range s.sizes {
			_ = pty.Setsize(terminal, &pty.Winsize{Rows: size.Height, Cols: size.Width})
		}
	}()
	if s.in != nil {
		go func() {
			_, _ = io.Copy(terminal, s.in)
			_ = syscall.Kill(-command.Process.Pid, syscall.SIGHUP)
		}()
	}
	printed := make(chan struct{})
	go func() { _, _ = io.Copy(s.out, terminal); close(printed) }()
	err = command.Wait()
	select {
	case <-printed:
	case <-time.After(drain):
	}
	return ended(err)
}

// ended is how the end of a command is reported: a signal as 128 and its
// number, as runtimes do.
func ended(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if errors.Is(err, exec.ErrWaitDelay) {
			return nil // it ended well, and left something running
		}
		return err
	}
	code := exit.ExitCode()
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		code = 128 + int(status.Signal())
	}
	return utilexec.CodeExitError{Err: err, Code: code}
}
