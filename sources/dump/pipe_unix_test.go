//go:build unix

package dump

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestAPipeWaitsForItsWriterAndCanBeLeft checks that a named pipe is read once
// it has a writer, and that waiting for one ends with the context.
func TestAPipeWaitsForItsWriterAndCanBeLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- New([]string{path}, Options{}).Run(ctx, newHeard()) }()
	cancel()
	if err := <-done; err != nil {
		t.Errorf("leaving is an error: %v", err)
	}

	second := path + "2"
	if err := syscall.Mkfifo(second, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { _ = os.WriteFile(second, []byte(podNamed("a")), 0o600) }()
	if h, _, err := readAll(t, Options{}, second); err != nil || h.objects["ml/Pod/a"] == nil {
		t.Errorf("%v, %v", err, h.health)
	}
}
