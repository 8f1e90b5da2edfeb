//go:build unix

package dump

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
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

// TestAFollowedFileBecomesAPipe checks that a log which something else than a
// plain file replaces is said to be unreadable, is read again once it is a file,
// and that following it can be left: opening a pipe without a writer waits.
func TestAFollowedFileBecomesAPipe(t *testing.T) {
	path := write(t, "train.log", "one\n")
	ctx, stop := context.WithCancel(t.Context())
	s := store.New(time.Now)
	done := make(chan error, 1)
	go func() { done <- New([]string{path}, Options{Follow: true, Now: time.Now}).Run(ctx, s) }()
	until := func(state train.StreamState, text string) {
		t.Helper()
		var status train.StreamStatus
		for range 100 {
			s.Snapshot().Logs(func(log *store.Log) bool {
				status = log.Status
				return true
			})
			if status.State == state && strings.Contains(status.Text, text) {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("no %s log that says %q in 10s; it is %+v", state, text, status)
	}
	until(train.StreamLive, "")
	if err := errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	until(train.StreamFailed, "named pipe")
	stop()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("following a pipe without a writer cannot be left")
	}
}
