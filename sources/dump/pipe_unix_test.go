//go:build unix

package dump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
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

// TestAPipeWithoutAWriterIsLeft checks that a pipe that nobody writes to is named
// after the time for it, and that what is given beside it is read.
func TestAPipeWithoutAWriterIsLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	pod := write(t, "pod.yaml", podNamed("a"))
	h, _, err := readAll(t, Options{AnswerWithin: 50 * time.Millisecond}, path, pod)
	if err != nil || h.objects["ml/Pod/a"] == nil {
		t.Errorf("%v: %v", err, h.objects)
	}
	if text := fmt.Sprint(h.health); !strings.Contains(text, "nobody opened this pipe to write within 50ms; start the program that writes to it, or wait longer with --request-timeout") {
		t.Error(text)
	}
}

// TestAPipeIsWaitedForAfterAnother checks that a pipe is read whose writer comes once it
// has written another pipe, for longer than each is waited for.
func TestAPipeIsWaitedForAfterAnother(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	if err := errors.Join(syscall.Mkfifo(first, 0o600), syscall.Mkfifo(second, 0o600)); err != nil {
		t.Fatal(err)
	}
	go func() {
		out, err := os.OpenFile(first, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		_, _ = out.WriteString(podNamed("a"))
		time.Sleep(time.Second)
		_ = out.Close()
		_ = os.WriteFile(second, []byte(podNamed("b")), 0o600)
	}()
	h, _, err := readAll(t, Options{AnswerWithin: 700 * time.Millisecond}, first, second)
	if err != nil || h.objects["ml/Pod/a"] == nil || h.objects["ml/Pod/b"] == nil {
		t.Errorf("%v: %v", err, h.health)
	}
}

// TestAFileThatDoesNotAnswerIsLeft checks that a file on a file system that hangs,
// as of a server that is gone, is named, and that what is given beside it is read.
func TestAFileThatDoesNotAnswerIsLeft(t *testing.T) {
	pod := write(t, "pod.yaml", podNamed("a"))
	release := make(chan struct{})
	defer close(release)
	for _, of := range []string{"stat", "open"} {
		f := New([]string{"hung.log", pod}, Options{AnswerWithin: 50 * time.Millisecond})
		f.disk = hangs{f.disk, "hung.log", of, pod, release}
		h := newHeard()
		if err := f.Run(t.Context(), h); err != nil || h.objects["ml/Pod/a"] == nil {
			t.Errorf("%s: %v: %v", of, err, h.objects)
		}
		if text := fmt.Sprint(h.health); !strings.Contains(text, "its file system did not answer within 50ms; see whether it is mounted, or wait longer with --request-timeout") {
			t.Errorf("%s: %s", of, text)
		}
	}
}

// hangs is a disk of which one file does not answer until the test ends.
type hangs struct {
	disk
	name, of, like string
	release        chan struct{}
}

func (h hangs) Stat(name string) (fs.FileInfo, error) {
	if name == h.name {
		if h.of == "stat" {
			<-h.release
		}
		name = h.like
	}
	return h.disk.Stat(name)
}

func (h hangs) Open(name string) (io.ReadCloser, error) {
	if name == h.name {
		<-h.release
	}
	return h.disk.Open(name)
}

// TestWhatNeverEndsIsReadUntilItIsSilent checks that a device and a file that the kernel makes,
// which wait for more once all is read, are read as far as they came, and named; and that one
// which gives nothing is named.
func TestWhatNeverEndsIsReadUntilItIsSilent(t *testing.T) {
	pod := write(t, "pod.yaml", podNamed("a"))
	for _, mode := range []fs.FileMode{fs.ModeDevice | fs.ModeCharDevice, 0} {
		for text, want := range map[string]string{
			"one\ntwo\n": "it does not say where it ends, and is read as far as it was when nothing more came for 27s",
			"":           "nothing came of it within 27s; give a file, or wait longer with --request-timeout",
		} {
			synctest.Test(t, func(t *testing.T) {
				f := New([]string{"kmsg", pod}, Options{AnswerWithin: 27 * time.Second})
				silent, writer := io.Pipe()
				defer writer.Close()
				f.disk = endlessDisk{f.disk, "kmsg", io.MultiReader(strings.NewReader(text), silent), mode}
				s := store.New(time.Now)
				if err := f.Run(t.Context(), s); err != nil {
					t.Fatal(err)
				}
				lines, said := 0, ""
				snapshot := s.Snapshot()
				snapshot.Logs(func(log *store.Log) bool { lines += log.Lines.Len(); return true })
				for _, h := range snapshot.Health() {
					said += h.Text + "\n"
				}
				if lines != strings.Count(text, "\n") || !strings.Contains(said, want) {
					t.Errorf("%s %q: %d lines; %s", mode, text, lines, said)
				}
			})
		}
	}
}

// TestSilentPathsAreWaitedForTogether checks that devices that fall silent, pipes that nobody
// writes to and files that do not answer take the time of one of them.
func TestSilentPathsAreWaitedForTogether(t *testing.T) {
	pod := write(t, "pod.yaml", podNamed("a"))
	synctest.Test(t, func(t *testing.T) {
		paths := []string{"one", "two", "three", "four", pod}
		f := New(paths, Options{AnswerWithin: 27 * time.Second})
		release := make(chan struct{})
		defer close(release)
		var on disk = f.disk
		for i, mode := range []fs.FileMode{fs.ModeDevice | fs.ModeCharDevice, 0, fs.ModeDevice | fs.ModeCharDevice} {
			silent, writer := io.Pipe()
			defer writer.Close()
			on = endlessDisk{on, paths[i], io.MultiReader(strings.NewReader("first\n"), strings.NewReader("last\n"), silent), mode}
		}
		f.disk = hangs{on, "four", "stat", pod, release}
		s, began := store.New(time.Now), time.Now()
		if err := f.Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 28*time.Second {
			t.Errorf("it took %s", took)
		}
		lines := 0
		s.Snapshot().Logs(func(log *store.Log) bool { lines += log.Lines.Len(); return true })
		if said := fmt.Sprint(s.Snapshot().Health()); lines != 6 || strings.Count(said, "nothing more came for 27s") != 3 || !strings.Contains(said, "did not answer within 27s") {
			t.Errorf("%d lines; %s", lines, said)
		}
	})
}

// endlessDisk has a file of size 0.
type endlessDisk struct {
	disk
	name string
	text io.Reader
	mode fs.FileMode
}

func (e endlessDisk) Stat(name string) (fs.FileInfo, error) {
	if name != e.name {
		return e.disk.Stat(name)
	}
	return modeOnly{e.mode}, nil
}

func (e endlessDisk) OpenStream(name string) (io.ReadCloser, error) {
	if name != e.name {
		return e.disk.OpenStream(name)
	}
	return io.NopCloser(e.text), nil
}

func (e endlessDisk) Open(name string) (io.ReadCloser, error) {
	if name != e.name {
		return e.disk.Open(name)
	}
	return e.OpenStream(name)
}

// modeOnly describes a file of size 0.
type modeOnly struct{ mode fs.FileMode }

func (m modeOnly) Name() string       { return "kmsg" }
func (m modeOnly) Size() int64        { return 0 }
func (m modeOnly) Mode() fs.FileMode  { return m.mode }
func (m modeOnly) ModTime() time.Time { return time.Time{} }
func (m modeOnly) IsDir() bool        { return false }
func (m modeOnly) Sys() any           { return nil }

// TestAFollowedFileBecomesAPipe checks that a log which something else than a
// plain file replaces is reported to be unreadable, is read again once it is a
// file, and that following it can be left: opening a pipe without a writer waits.
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
