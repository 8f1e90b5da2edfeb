//go:build !windows

package signals

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/traintop/traintop/e2e/undertest"
)

// traintop is the program under test, home the empty home folder of a person.
var traintop, home string

// source is the folder of the program's source.
var source = filepath.Join("..", "..")

func TestMain(m *testing.M) {
	// Programs inherit ignored signals, and nohup ignores hangups; those that are
	// caught are theirs again.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	bin, err := os.MkdirTemp("", "traintop-signals-")
	if err == nil {
		home = filepath.Join(bin, "home")
		traintop, err = undertest.Traintop(context.Background(), source, bin)
	}
	if err == nil {
		err = os.Mkdir(home, 0o755)
	}
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, "e2e/signals:", err)
	}
	_ = os.RemoveAll(bin)
	os.Exit(code)
}

// environment keeps the program away from what a person has configured.
func environment(more ...string) []string {
	return append(append(os.Environ(), "KUBECONFIG=", "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home,
		"TERM=xterm-256color", "PS1=ready$ ", "GOTRACEBACK="), more...)
}
