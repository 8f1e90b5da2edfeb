package kubelet

import (
	"context"
	"errors"
	"io"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

// executor runs commands in a container that runs.
type executor struct {
	kubelet *Kubelet
	container
}

// ExecInContainer implements remotecommand.Executor. The request's own
// context ends early, when its connection is taken over.
func (e executor) ExecInContainer(_ context.Context, _, _, _ string, command []string, in io.Reader, out, errOut io.WriteCloser, tty bool, sizes <-chan remotecommand.TerminalSize, _ time.Duration) error {
	return e.run(command, in, out, errOut, tty, sizes)
}

// AttachContainer implements remotecommand.Attacher. The program of a container
// is started when a client attaches to it: the command of its spec, else a
// shell. The client does not get the exit code (cri-streaming has no way to
// send it).
func (e executor) AttachContainer(_ context.Context, _, _, _ string, in io.Reader, out, errOut io.WriteCloser, tty bool, sizes <-chan remotecommand.TerminalSize) error {
	err := e.run(e.ownCommand(), in, out, errOut, tty, sizes)
	if errors.As(err, &utilexec.CodeExitError{}) {
		return nil
	}
	return err
}

func (e executor) run(command []string, in io.Reader, out, errOut io.WriteCloser, tty bool, sizes <-chan remotecommand.TerminalSize) error {
	ctx, cancel := e.kubelet.whileThere(e.container)
	defer cancel()
	process, err := e.kubelet.command(ctx, e.container, command, tty)
	if err != nil {
		return err
	}
	s := streams{in: in, out: discardNil(out), err: discardNil(errOut), sizes: sizes}
	if tty {
		return runInTerminal(process, s)
	}
	return runPiped(process, s)
}

func (e executor) ownCommand() []string {
	var command []string
	for i := range e.pod.Spec.Containers {
		if c := &e.pod.Spec.Containers[i]; c.Name == e.name {
			command = append(append(command, c.Command...), c.Args...)
		}
	}
	for i := range e.pod.Spec.EphemeralContainers {
		if c := &e.pod.Spec.EphemeralContainers[i]; c.Name == e.name {
			command = append(append(command, c.Command...), c.Args...)
		}
	}
	if len(command) == 0 {
		command = []string{"sh"}
	}
	return command
}

func discardNil(out io.WriteCloser) io.Writer {
	if out == nil {
		return io.Discard
	}
	return out
}
