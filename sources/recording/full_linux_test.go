package recording_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A full file system refuses writes. When it has room again, recording
// continues and the file has a gap.
func TestAFullFileSystemIsAGap(t *testing.T) {
	folder := t.TempDir()
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(folder, 0); err != nil {
			t.Errorf("the file system of the test stays mounted: %v", err)
		}
	})
	var mu sync.Mutex
	var said []string
	path := filepath.Join(folder, "a.ttrec")
	w, err := recording.Create(path, recording.Options{
		Now: time.Now, Flush: 5 * time.Millisecond, About: recording.About{Logs: recording.LogsAll},
		Trouble: func(text string) {
			mu.Lock()
			defer mu.Unlock()
			said = append(said, text)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	number := int64(0)
	line := func() {
		number++
		w.Apply(store.Logged{Stream: train.StreamID{Pod: "p"}, Lines: []train.LogLine{{Number: number, Time: time.Now(), Text: "a line"}}})
	}
	// until applies lines until the trouble text has these words.
	until := func(words string) {
		t.Helper()
		for late := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
			line()
			mu.Lock()
			last := "nothing"
			if len(said) > 0 {
				last = said[len(said)-1]
			}
			mu.Unlock()
			if last == words || words != "" && strings.Contains(last, words) {
				return
			}
			if time.Now().After(late) {
				t.Fatalf("it says %q, want %q", last, words)
			}
		}
	}
	line()
	ballast := filepath.Join(folder, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 4<<20), 0o600); err == nil {
		t.Fatal("more was written than there is room for")
	}
	until("no space left on device")
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	until("")
	line()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info := f.Info()
	if len(info.Gaps) == 0 || !strings.Contains(info.Gaps[0].Why, "no space left") || len(info.Damage) > 0 || !info.Closed {
		t.Errorf("info %+v", info)
	}
	end := store.New(time.Now)
	if err := f.Load(t.Context(), end, f.To(), recording.Everything); err != nil {
		t.Fatal(err)
	}
	if log := end.Snapshot().Log(train.StreamID{Pod: "p"}); log == nil || log.Lines.At(log.Lines.Len()-1).Number != number {
		t.Errorf("the newest of %d lines is not there", number)
	}
}
