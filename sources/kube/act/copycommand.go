package act

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
)

// mostSaid limits how much of a command's error output is kept.
const mostSaid = 32 << 10

// commandOutput keeps the beginning of the bytes written to it.
type commandOutput struct{ bytes.Buffer }

func (s *commandOutput) Write(p []byte) (int, error) {
	if room := mostSaid - s.Len(); room > 0 {
		s.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// lines returns the output line by line, safe for a screen.
func (s *commandOutput) lines() []string {
	var lines []string
	for line := range strings.Lines(s.String()) {
		if line = client.Printable(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// command runs a program in the container; arguments are passed unchanged.
func (c *copying) command(ctx context.Context, stdin io.Reader, stdout io.Writer, command ...string) (words *commandOutput, err error) {
	words = &commandOutput{}
	err = c.run.Execute(ctx, actions.Exec{
		Container: c.transfer.Container, Command: command, Stdin: stdin, Stdout: stdout, Stderr: words,
	})
	return words, err
}

// exitOf returns the exit code of a command that ended by itself, else -1.
func exitOf(err error) int {
	var exit *actions.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.Code
	}
	return -1
}

// noProgram reports whether a program does not exist.
func noProgram(err error) bool {
	var failed *actions.Failure
	return errors.As(err, &failed) && failed.Kind == actions.NoProgram
}

// isFolder reports whether a path in the container is a folder, or a link to
// one; false if that is unknown.
func (c *copying) isFolder(ctx context.Context, name string) (bool, error) {
	_, err := c.command(ctx, nil, io.Discard, "test", "-d", argument(name))
	switch {
	case noProgram(err):
		return strings.HasSuffix(name, "/"), nil
	case exitOf(err) >= 0:
		return err == nil, nil
	}
	return false, err
}
