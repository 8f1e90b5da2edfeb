package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/traintop/traintop/e2e/undertest"
)

// traintop is the program under test.
var traintop string

func TestMain(m *testing.M) {
	bin, err := os.MkdirTemp("", "traintop-notify-")
	if err == nil {
		traintop, err = undertest.Traintop(context.Background(), filepath.Join("..", ".."), bin)
	}
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, "e2e/notify:", err)
	}
	_ = os.RemoveAll(bin)
	os.Exit(code)
}

// configured is the environment of a person whose configuration file has a
// text.
func configured(t *testing.T, config string, more ...string) []string {
	t.Helper()
	home := t.TempDir()
	must(t, os.Mkdir(filepath.Join(home, "traintop"), 0o700))
	must(t, os.WriteFile(filepath.Join(home, "traintop", "config.yaml"), []byte(config), 0o600))
	return append(append(os.Environ(), "KUBECONFIG=", "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "TMUX=", "HTTP_PROXY=", "HTTPS_PROXY=", "http_proxy=", "https_proxy="), more...)
}

// tried is what `traintop notify test` printed, and its exit code.
func tried(ctx context.Context, t *testing.T, environment []string, names ...string) (out, said string, code int) {
	t.Helper()
	command := exec.CommandContext(ctx, traintop, append([]string{"notify", "test"}, names...)...)
	var stdout, stderr bytes.Buffer
	command.Env, command.Stdout, command.Stderr = environment, &stdout, &stderr
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), command.ProcessState.ExitCode()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
