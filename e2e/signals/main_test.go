//go:build !windows

package signals

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

// traintop is the program under test, home the empty home folder of a person.
var traintop, home string

func TestMain(m *testing.M) {
	// Programs inherit ignored signals, and nohup ignores hangups; those that are
	// caught are theirs again.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	bin, err := os.MkdirTemp("", "traintop-signals-")
	if err == nil {
		traintop, home = filepath.Join(bin, "traintop"), filepath.Join(bin, "home")
		if err = build(traintop); err == nil {
			err = os.Mkdir(home, 0o755)
		}
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

func build(to string, more ...string) error {
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-o", to}, more...)
	command := exec.Command("go", append(args, ".")...)
	command.Dir = filepath.Join("..", "..")
	command.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0") // as it is released
	if said, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build traintop: %w\n%s", err, said)
	}
	return nil
}

// environment keeps the program away from what a person has configured.
func environment(more ...string) []string {
	return append(append(os.Environ(), "KUBECONFIG=", "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home,
		"TERM=xterm-256color", "PS1=ready$ ", "GOTRACEBACK="), more...)
}
