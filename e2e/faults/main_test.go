package faults

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What all tests share: the program, built once, and the recorded cluster.
var (
	built    string
	recorded *cluster
)

// atOnce is how many runs are active at a time: most of them wait for an answer
// that never arrives.
const atOnce = "12"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", atOnce); err != nil {
		panic(err) // the flag is Go's own
	}
	code, err := runAll(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		code = 1
	}
	os.Exit(code)
}

func runAll(m *testing.M) (code int, err error) {
	folder, err := os.MkdirTemp("", "traintop-faults-")
	if err != nil {
		return 1, fmt.Errorf("make a folder for the program: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if built, err = program(folder); err != nil {
		return 1, err
	}
	if recorded, err = recordedCluster(); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// program is the one that $TRAINTOP names, or is built.
func program(folder string) (string, error) {
	if named := os.Getenv("TRAINTOP"); named != "" {
		return named, nil
	}
	to := filepath.Join(folder, "traintop")
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", to, ".")
	command.Dir, command.Env = "../..", append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0") // as it is released
	if said, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, said)
	}
	return to, nil
}
