//go:build unix

package dump

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// lineCounts waits until each log has so many lines.
func lineCounts(t *testing.T, s *store.Store, want map[string]int) {
	t.Helper()
	late := time.After(20 * time.Second)
	for {
		got := map[string]int{}
		s.Snapshot().Logs(func(log *store.Log) bool {
			got[filepath.Base(log.ID.File)] = log.Lines.Len()
			return true
		})
		if fmt.Sprint(got) == fmt.Sprint(want) {
			return
		}
		select {
		case <-late:
			t.Fatalf("lines are %v, want %v", got, want)
		case <-time.After(time.Millisecond):
		}
	}
}

// A stream that lasts for days does not keep a file from being followed.
func TestAFileBesideAStreamIsFollowed(t *testing.T) {
	path := write(t, "train.log", "one\n")
	in, out := io.Pipe()
	s := store.New(time.Now)
	done := make(chan error, 1)
	go func() {
		done <- New([]string{"-", path}, Options{Stdin: in, Follow: true, Now: time.Now}).Run(t.Context(), s)
	}()
	fmt.Fprint(out, "first\n")
	lineCounts(t, s, map[string]int{stdinName: 1, "train.log": 1})
	f := &follower{t: t, path: path}
	f.write(os.O_APPEND, "two\n")
	lineCounts(t, s, map[string]int{stdinName: 1, "train.log": 2})
	fmt.Fprint(out, "second\n")
	lineCounts(t, s, map[string]int{stdinName: 2, "train.log": 2})
}

// All streams are read concurrently, however many there are.
func TestManyStreamsAtOnce(t *testing.T) {
	const many = 3 * maxWorkers
	root := t.TempDir()
	var paths []string
	want := map[string]int{}
	for i := range many {
		name := fmt.Sprintf("pipe%d", i)
		path := filepath.Join(root, name)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skipf("no named pipes here: %v", err)
		}
		paths, want[name] = append(paths, fmt.Sprintf("%d=%s", i, path)), 1
		go func() {
			if out, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
				defer out.Close()
				fmt.Fprintf(out, "hello from %d\n", i)
				<-t.Context().Done()
			}
		}()
	}
	s := store.New(time.Now)
	done := make(chan error, 1)
	go func() { done <- New(paths, Options{Follow: true, Now: time.Now}).Run(t.Context(), s) }()
	lineCounts(t, s, want)
	s.Snapshot().Logs(func(log *store.Log) bool {
		if log.Status.State != train.StreamLive {
			t.Errorf("%s is %s", log.ID, log.Status.State)
		}
		return true
	})
}

// With streams only, following ends when they have ended.
func TestFollowingEndsWithTheLastStream(t *testing.T) {
	s := store.New(time.Now)
	done := make(chan error, 1)
	files := New([]string{"-"}, Options{Stdin: strings.NewReader("one\n"), Follow: true, Now: time.Now})
	go func() { done <- files.Run(t.Context(), s) }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it waits for more, and no more can come")
	}
	lineCounts(t, s, map[string]int{stdinName: 1})
}
