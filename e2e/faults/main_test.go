package faults

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/traintop/traintop/e2e/undertest"
)

// All tests share the program, built once, and the recorded cluster.
var (
	built    string
	recorded *cluster
)

// atOnce is how many runs are active at a time: most of them wait for an answer
// that never arrives.
const atOnce = "20"

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
	if built, err = undertest.Traintop(context.Background(), filepath.Join("..", ".."), folder); err != nil {
		return 1, err
	}
	if recorded, err = recordedCluster(); err != nil {
		return 1, err
	}
	return m.Run(), nil
}
