package actions

import (
	"context"
	"errors"
	"fmt"
)

// shellScript starts bash if it exists, else sh.
const shellScript = `if command -v bash >/dev/null 2>&1; then exec bash; fi; exec sh`

// ShellCommand is an interactive shell: bash if the container has it, else sh. One
// request tries both, since a second one would cost a round trip before the prompt; a
// container without sh gives a NoProgram failure.
func ShellCommand() []string { return []string{"sh", "-c", shellScript} }

// OpenShell runs a shell in a container until it ends; e.Command is ignored. For a
// container without a shell, the failure is NoProgram and its text suggests a debug
// container that has one.
func OpenShell(ctx context.Context, x Executor, e Exec) error {
	e.Command = ShellCommand()
	err := x.Execute(ctx, e)
	var failure *Failure
	if errors.As(err, &failure) && failure.Kind == NoProgram {
		return &Failure{Kind: NoProgram, Cause: err, Text: fmt.Sprintf(
			"pod %s has no shell in container %s; a debug container with a shell can be added to the pod, and stays until the pod ends", e.Pod, orFirst(e.Name))}
	}
	return err
}

// ShellEnd describes how a shell or another terminal ended, in one line; "" for exit code
// 0.
func ShellEnd(err error) string {
	var failure *Failure
	var exit *ExitError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &failure):
		return failure.Text
	case errors.As(err, &exit):
		return exit.Error() + meaning(exit.Code)
	}
	return err.Error()
}

// meaning explains a shell's exit code (POSIX.1-2024, shell command language, 2.8.2): it
// is that of the last command; above 128 it contains a signal's number.
func meaning(code int) string {
	switch code {
	case 126:
		return " (the last command could not be executed)"
	case noCommand:
		return " (the last command was not found)"
	case 128 + 1:
		return " (the terminal hung up)"
	case 128 + 2:
		return " (the last command was interrupted)"
	case 128 + 9:
		return " (killed)"
	case 128 + 15:
		return " (terminated)"
	}
	return ""
}
