package recording_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// The operating system stops a running process from growing its file, and
// later allows it again. The process reports both, and the file has the gap
// and the later lines. Then the process is killed while it writes.
func TestARealLimitIsAGapAndAKillLosesNoMoreThanTheNewest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ttrec")
	other, said := anotherRecorder(t, path)
	allow := func(bytes uint64) {
		t.Helper()
		limit := unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}
		if err := unix.Prlimit(other.Process.Pid, unix.RLIMIT_FSIZE, &limit, nil); err != nil {
			t.Skipf("limits of another process may not be set here: %v", err)
		}
	}
	next := func() string {
		t.Helper()
		if !said.Scan() {
			t.Fatalf("the other process ended: %v", said.Err())
		}
		return said.Text()
	}
	untilLarger(t, path, 4<<10)
	allow(6 << 10)
	if text := next(); !strings.Contains(text, "file too large") {
		t.Errorf("at the limit it says %q", text)
	}
	time.Sleep(100 * time.Millisecond) // it tries again, and fails
	allow(unix.RLIM_INFINITY)
	for text := next(); text != "disk: "; text = next() { // it may report the limit once more
		if !strings.Contains(text, "file too large") {
			t.Fatalf("without the limit it says %q", text)
		}
	}
	untilLarger(t, path, 24<<10)
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // it was killed

	f := openFile(t, path)
	info := f.Info()
	if len(info.Gaps) != 1 || !strings.Contains(info.Gaps[0].Why, "file too large") || info.Gaps[0].Events == 0 || info.Closed {
		t.Errorf("info %+v", info)
	}
	if len(info.Damage) != 1 || info.Damage[0].From.IsZero() {
		t.Errorf("damage %v", info.Damage)
	}
	end := store.New(time.Now)
	if err := f.Load(context.Background(), end, f.To(), recording.Everything); err != nil {
		t.Fatal(err)
	}
	log := end.Snapshot().Log(train.StreamID{Pod: "p"})
	if log == nil || log.Lines.Len() < 100 {
		t.Fatalf("the log after the gap: %+v", log)
	}
	first, last := log.Lines.At(0).Number, log.Lines.At(log.Lines.Len()-1).Number
	if last-first+1 != int64(log.Lines.Len()) {
		t.Errorf("lines %d to %d are %d: some are missing behind the gap", first, last, log.Lines.Len())
	}
}

func untilLarger(t *testing.T, path string, bytes int64) {
	t.Helper()
	for range 2000 {
		if info, err := os.Stat(path); err == nil && info.Size() > bytes {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s does not grow beyond %d bytes", path, bytes)
}
