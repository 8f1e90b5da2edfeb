package controlplane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// builtOnce makes sure that a program exists in the user's cache folder, which
// compile puts there, and returns its path.
func builtOnce(ctx context.Context, name, version string, progress func(string), compile func(ctx context.Context, program string) error) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a cache folder for %s: %w", name, err)
	}
	dir := filepath.Join(cache, "traintop-e2e", fmt.Sprintf("%s-%s_%s-%s", name, version, runtime.GOOS, runtime.GOARCH))
	program := filepath.Join(dir, name)
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make the cache folder of %s: %w", name, err)
	}
	unlock, err := lockFile(ctx, filepath.Join(dir, "lock"))
	if err != nil {
		return "", fmt.Errorf("wait for another build of %s in %s: %w", name, dir, err)
	}
	defer unlock()
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	progress(fmt.Sprintf("building %s %s, once for this machine", name, version))
	return program, compile(ctx, program)
}
