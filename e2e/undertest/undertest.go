// Package undertest makes the programs that the tests of this module run.
package undertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// variable in the environment names a traintop that is already built. Several
// packages test the program, and each of them would link it once more.
const variable = "TRAINTOP"

// Traintop is the path of the program: the one that $TRAINTOP names, or one that
// is built from its source, the folder root, into another folder.
func Traintop(ctx context.Context, root, folder string) (string, error) {
	if named := os.Getenv(variable); named != "" {
		return named, nil
	}
	to := filepath.Join(folder, "traintop")
	return to, Build(ctx, root, ".", to)
}

// Build builds a package of the module in dir as it is released. more are further
// arguments of `go build`.
func Build(ctx context.Context, dir, pkg, to string, more ...string) error {
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-o", to}, more...)
	command := exec.CommandContext(ctx, "go", append(args, pkg)...)
	command.Dir, command.Env = dir, append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	if said, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s in %s: %w\n%s", pkg, dir, err, said)
	}
	return nil
}
