package receivers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/termtext"
)

var commandKind = Kind{
	Type: "command", Title: "command",
	New:    func() Service { return &Command{} },
	Length: "not cut",
	Format: "the section \"The JSON of webhooks and commands\" below",
	Example: `type: command
command: [/usr/local/bin/page-me, --from, traintop]
timeout: 20s`,
}

// Command runs a program with a Payload on its standard input. No shell splits
// or expands the arguments, and no text of a cluster is among them. The program
// has the environment of traintop.
type Command struct {
	Command []string `json:"command" means:"the program, by its path or a name that PATH finds, and its arguments; a notice is JSON on its standard input"`
	Timeout Duration `json:"timeout" means:"how long it may run, up to 5m; 30s without it"`
}

const (
	commandTimeout, longestCommand = 30 * time.Second, 5 * time.Minute
	// commandTail is how much of what it prints is kept for an error, in bytes.
	commandTail = 4 << 10
	// tempFail is EX_TEMPFAIL of sysexits.h: try again later.
	tempFail = 75
	// commandDrain is how long what it left behind may hold its output open.
	commandDrain = 2 * time.Second
)

// Check implements Service.
func (k *Command) Check() []Problem {
	var c checks
	if len(k.Command) == 0 || strings.TrimSpace(k.Command[0]) == "" {
		c.add("command", "it is missing: a program and its arguments, as in [/usr/local/bin/page-me, --from, traintop]")
	}
	if k.Timeout.wrong != "" || k.Timeout.Length > longestCommand {
		c.add("timeout", "it has to be a duration up to %s, as in 30s", longestCommand)
	}
	return c
}

func (k *Command) send(ctx context.Context, s *sending, n alerts.Notice) error {
	input, err := encodeJSON(payloadOf(n, s.message))
	if err != nil {
		return err
	}
	limit := cmp.Or(k.Timeout.Length, commandTimeout)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	run := exec.CommandContext(ctx, k.Command[0], k.Command[1:]...) //nolint:gosec // a person configured it
	run.Stdin = bytes.NewReader(append(input, '\n'))
	said := &tail{most: commandTail}
	run.Stdout, run.Stderr = said, said
	run.WaitDelay = commandDrain
	run.Env = os.Environ()
	killWithChildren(run)
	err = run.Run()
	name := filepath.Base(k.Command[0])
	exit := (*exec.ExitError)(nil)
	switch {
	case err == nil || errors.Is(err, exec.ErrWaitDelay):
		return nil
	case ctx.Err() != nil:
		return &alerts.RetryError{Err: fmt.Errorf("the program %s did not end within %s, and was stopped", name, limit)}
	case !errors.As(err, &exit):
		return fmt.Errorf("run the program %s: %w", name, startError(k.Command[0], err))
	}
	text := fmt.Errorf("the program %s ended with %s%s", name, exit.ProcessState, said.lastWords())
	if exit.ExitCode() == tempFail {
		return &alerts.RetryError{Err: text}
	}
	return text
}

// startError is why a program did not start, without its path, and what to write
// where that is not the whole one.
func startError(program string, err error) error {
	path, start := (*os.PathError)(nil), (*exec.Error)(nil)
	switch {
	case errors.Is(err, exec.ErrDot):
		return errors.New("PATH finds it in the working folder alone, where no program is taken from; write its path")
	case errors.Is(err, exec.ErrNotFound) && strings.Contains(program, " "):
		return errors.New("it is not in PATH; write its path, and each argument as an item of its own")
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("it is not in PATH; write its path, as in /usr/local/bin/%s", program)
	case errors.As(err, &path) && errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(program):
		return fmt.Errorf("%w; its path begins where traintop was started: write it from / on", path.Err)
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &start):
		return start.Err
	}
	return err
}

// tail keeps the end of what is written to it.
type tail struct {
	most int
	text []byte
}

func (t *tail) Write(text []byte) (int, error) {
	t.text = append(t.text, text...)
	if over := len(t.text) - t.most; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(text), nil
}

// lastWords is the last line that a program printed.
func (t *tail) lastWords() string {
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	last := termtext.Short(clean(lines[len(lines)-1]), longestQuoted)
	if last == "" {
		return ""
	}
	return ": " + last
}
