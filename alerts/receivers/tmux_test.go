package receivers

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The real tmux hands each sequence on to the terminal that it runs in, and the
// bell with it.
func TestTmuxHandsSequencesOn(t *testing.T) {
	for _, program := range []string{"tmux", "script"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not here")
		}
	}
	for _, style := range []string{StyleOSC9, StyleOSC777, StyleOSC99} {
		t.Run(style, func(t *testing.T) {
			t.Parallel()
			text := "ERROR ml/PyTorchJob/bert: a; b"
			want := strings.TrimSuffix(TerminalSequence(style, false, "3f6a", text), "\a")
			got := throughTmux(t, TerminalSequence(style, true, "3f6a", text))
			if !bytes.Contains(got, []byte(want)) {
				t.Errorf("the terminal gets %q, which has no %q", got, want)
			}
			if rest := bytes.ReplaceAll(got, []byte(want), nil); !bytes.Contains(rest, []byte("\a")) {
				t.Errorf("the terminal gets no bell: %q", got)
			}
		})
	}
}

// throughTmux prints a text in a pane of tmux, and returns what tmux writes to
// its terminal.
func throughTmux(t *testing.T, text string) []byte {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"conf": "set -g allow-passthrough on\nset -g default-shell /bin/sh\nset -g status off\n", "text": text,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pane := fmt.Sprintf("tmux -S %[1]s/socket -f %[1]s/conf new-session 'sleep 1; cat %[1]s/text; sleep 1'", dir)
	command := exec.CommandContext(t.Context(), "script", "-qec", pane, filepath.Join(dir, "screen"))
	command.Env = append(os.Environ(), "TERM=xterm-256color", "TMUX=")
	command.WaitDelay = time.Second
	if out, err := command.CombinedOutput(); err != nil {
		t.Skipf("script cannot run tmux here: %v: %s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "screen"))
	if err != nil {
		t.Fatal(err)
	}
	return got
}
