package tasks

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/sources/localfile"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/ui/terminal"
)

// Editor runs a person's editor on a file. It is a tea.ExecCommand.
type Editor struct {
	ctx     context.Context //nolint:containedctx // the interface of bubbletea's commands has none
	command []string
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
}

// SetStdin implements tea.ExecCommand.
func (c *Editor) SetStdin(r io.Reader) { c.stdin = r }

// SetStdout implements tea.ExecCommand.
func (c *Editor) SetStdout(w io.Writer) { c.stdout = w }

// SetStderr implements tea.ExecCommand.
func (c *Editor) SetStderr(w io.Writer) { c.stderr = w }

// Run implements tea.ExecCommand.
func (c *Editor) Run() error {
	run := exec.CommandContext(c.ctx, c.command[0], c.command[1:]...)
	run.Stdout, run.Stderr = c.stdout, c.stderr
	if file, is := c.stdin.(*os.File); is {
		run.Stdin = file // another reader would lose a key that is typed after the end
	}
	if err := run.Run(); err != nil {
		return fmt.Errorf("the editor %s: %w", c.command[0], err)
	}
	return nil
}

// RunsBeside implements terminal.Beside.
func (*Editor) RunsBeside() {}

var _ terminal.Beside = (*Editor)(nil)

// File opens a file of this machine in the person's editor.
func (s *Edits) File(path string) tea.Cmd {
	if path == "" {
		return s.host.Notify("there is no file to edit here", true)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return s.host.Notify(err.Error(), true)
	}
	editor := &Editor{ctx: s.host.Ctx, command: editorFor(s.host.Environment, path)}
	return s.host.Lend(editor, func(err error) tea.Msg {
		if err != nil {
			return s.host.Notice(err.Error(), true)
		}
		return nil
	})
}

// editorFor is the command that edits a file: $KUBE_EDITOR, $EDITOR, else vi,
// split as kubectl does (k8s.io/kubectl v0.36, pkg/cmd/util/editor): at spaces,
// and by the person's shell where it has quotes. The shell gets the variable
// and, as an argument, the name of the file; nothing from a cluster.
func editorFor(environment func(string) string, file string) []string {
	preset := "vi"
	if runtime.GOOS == "windows" {
		preset = "notepad"
	}
	editor := strings.TrimSpace(cmp.Or(environment("KUBE_EDITOR"), environment("EDITOR"), preset))
	if editor == "" {
		editor = preset
	}
	if runtime.GOOS != "windows" && strings.ContainsAny(editor, `"'\`) {
		shell := cmp.Or(environment("SHELL"), "/bin/sh")
		return []string{shell, "-c", editor + ` "$1"`, shell, file}
	}
	return append(strings.Fields(editor), file)
}

// maxEdited bounds the text read back from an editor, in bytes; etcd accepts
// objects of 1.5 MiB.
const maxEdited = 8 << 20

func readEdited(path string) ([]byte, error) {
	file, err := localfile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read what was edited: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(file, maxEdited+1))
	if err != nil {
		return nil, fmt.Errorf("read what was edited: %w", err)
	}
	if len(text) > maxEdited {
		return nil, fmt.Errorf("read what was edited: %s is larger than %s", path, termtext.Bytes(maxEdited))
	}
	return text, nil
}

// trouble begins the lines that explain why the text was refused.
const trouble = "#! "

// withTrouble puts the reason of a refusal on top of a text, in place of an
// earlier reason.
func withTrouble(text []byte, why string) []byte {
	var b bytes.Buffer
	for _, line := range strings.Split(why, "\n") {
		b.WriteString(trouble + line + "\n")
	}
	b.Write(withoutTrouble(text))
	return b.Bytes()
}

func withoutTrouble(text []byte) []byte {
	for bytes.HasPrefix(text, []byte(trouble)) {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return nil
		}
		text = text[end+1:]
	}
	return text
}
