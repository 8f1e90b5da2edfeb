package recording

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// fullDisk is a file on a disk that can be full.
type fullDisk struct {
	*os.File
	mu   sync.Mutex
	full bool
	// most is how many bytes one write may have, 0 for any number.
	most int
}

func (d *fullDisk) fill(full bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = full
}

// allow limits the bytes of one write.
func (d *fullDisk) allow(most int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.most = most
}

func (d *fullDisk) WriteAt(b []byte, at int64) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full || d.most > 0 && len(b) > d.most {
		n, _ := d.File.WriteAt(b[:len(b)/2], at)
		return n, &os.PathError{Op: "write", Path: d.Name(), Err: syscall.ENOSPC}
	}
	return d.File.WriteAt(b, at)
}

// clock advances with each reading.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

func (c *clock) add(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}

func logged(n int) store.Logged {
	return store.Logged{Stream: train.StreamID{Pod: "p"}, Lines: []train.LogLine{{Number: int64(n), Text: fmt.Sprintf("line %d", n)}}}
}

func TestAFullDiskIsAGapAndTheRestGoesOn(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "a.ttrec"))
	if err != nil {
		t.Fatal(err)
	}
	disk := &fullDisk{File: file}
	said := make(chan string, 16)
	w, err := create(file.Name(), disk, 0, Options{
		Now: (&clock{now: time.Unix(1.7e9, 0)}).Now, Flush: 5 * time.Millisecond, About: About{Logs: LogsAll},
		Trouble: func(text string) { said <- text },
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Apply(logged(1))
	waitFor(t, func() bool { return w.Size() > 200 })
	disk.fill(true)
	w.Apply(logged(2))
	if text := <-said; !strings.Contains(text, "no space left on device") {
		t.Errorf("the disk is full, and it says %q", text)
	}
	w.Apply(logged(3))
	time.Sleep(30 * time.Millisecond) // it tries again, and fails
	disk.fill(false)
	if text := <-said; text != "" {
		t.Errorf("the disk has room again, and it says %q", text)
	}
	w.Apply(logged(4))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	info := f.Info()
	if len(info.Gaps) != 1 || info.Gaps[0].Events < 1 || !strings.Contains(info.Gaps[0].Why, "no space left") || len(info.Damage) > 0 {
		t.Errorf("gaps %+v, damage %v", info.Gaps, info.Damage)
	}
	s := store.New(time.Now)
	if err := f.Load(context.Background(), s, f.To(), Backlog); err != nil {
		t.Fatal(err)
	}
	// the snapshot after the gap contains what the gap lost
	if log := s.Snapshot().Log(train.StreamID{Pod: "p"}); log == nil || log.Lines.Len() != 4 {
		t.Errorf("the log after the gap: %+v", log)
	}
	marks, _ := f.Marks(context.Background())
	if len(marks) != 1 || marks[0].Kind != MarkRecorder || !marks[0].Trouble {
		t.Errorf("marks %+v", marks)
	}
}

// A disk with room for the end of a file and for no event: that is not success,
// whenever the recording ends.
func TestADiskThatStaysFullIsAnError(t *testing.T) {
	text := make([]byte, 4<<10)
	_, _ = rand.Read(text) // it never fails
	for after := range 20 {
		file, err := os.Create(filepath.Join(t.TempDir(), "a.ttrec"))
		if err != nil {
			t.Fatal(err)
		}
		disk := &fullDisk{File: file}
		w, err := create(file.Name(), disk, 0, Options{
			Now: (&clock{now: time.Unix(1.7e9, 0)}).Now, Flush: 3 * time.Millisecond, About: About{Logs: LogsAll}, Trouble: func(string) {},
		})
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, func() bool { return w.Size() > 0 })
		disk.allow(1 << 10)
		w.Apply(store.Logged{Stream: train.StreamID{Pod: "p"}, Lines: []train.LogLine{{Number: 1, Text: hex.EncodeToString(text)}}})
		time.Sleep(time.Duration(after) * time.Millisecond)
		if err := w.Close(); err == nil || !strings.Contains(err.Error(), "no space left on device") {
			t.Errorf("after %d ms it closed with %v, and the file has %d bytes", after, err, w.Size())
		}
	}
}

func waitFor(t *testing.T, is func() bool) {
	t.Helper()
	for late := time.Now().Add(20 * time.Second); time.Now().Before(late); time.Sleep(time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatal("it did not come to be")
}

func TestAFileIsKeptWithinItsSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ttrec")
	now := &clock{now: time.Unix(1.7e9, 0)}
	const most = 200 << 10
	w, err := Create(path, Options{Now: now.Now, MaxSize: most, About: About{Logs: LogsAll, Program: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	const lines = 60_000
	largest := int64(0)
	for i := 1; i <= lines; i++ {
		e := logged(i)
		e.Lines[0].Text += fmt.Sprintf(" %x", uint64(i)*0x9e3779b97f4a7c15) // does not compress
		w.Apply(e)
		largest = max(largest, w.Size())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if largest > most+most/4 {
		t.Errorf("the file had %d bytes, and %d are allowed", largest, most)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	info := f.Info()
	if info.Trimmed == 0 || len(info.Damage) > 0 || info.About.Program != "test" || !info.Closed {
		t.Errorf("info %+v", info)
	}
	s := store.New(time.Now)
	if err := f.Load(context.Background(), s, f.To(), Everything); err != nil {
		t.Fatal(err)
	}
	log := s.Snapshot().Log(train.StreamID{Pod: "p"})
	if n := log.Lines.Len(); n < 1000 || log.Lines.At(n-1).Number != lines {
		t.Errorf("%d lines, the last %d", n, log.Lines.At(n-1).Number)
	}
	if err := f.Load(context.Background(), store.New(time.Now), f.From(), Backlog); err != nil {
		t.Errorf("its beginning: %v", err)
	}
	s = store.New(time.Now)
	if err := (&Source{File: f, Name: "a.ttrec"}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	trimmed := fmt.Sprintf("a.ttrec: its oldest %d bytes went, to stay within --max-size or --keep: of what was printed and measured before %s", info.Trimmed, stamp(info.From))
	if !slices.ContainsFunc(s.Snapshot().Health(), func(h train.Health) bool { return h.State == train.SourceRead && strings.HasPrefix(h.Text, trimmed) }) {
		t.Errorf("%+v do not say that its beginning was dropped", s.Snapshot().Health())
	}
}

func TestARecordingIsContinued(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ttrec")
	now := &clock{now: time.Unix(1.7e9, 0)}
	o := Options{Now: now.Now, About: About{Logs: LogsAll}}
	for run := range 3 {
		w, err := Create(path, o)
		if err != nil {
			t.Fatal(err)
		}
		w.Apply(logged(run + 1))
		if run == 1 {
			w.lock.release() // by the system
			continue         // killed: neither flushed nor closed
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if info := f.Info(); len(info.Damage) > 0 || !info.Closed || len(f.runs) != 3 {
		t.Errorf("%d runs, %+v", len(f.runs), info)
	}
	s := store.New(time.Now)
	if err := f.Load(context.Background(), s, f.To(), Everything); err != nil {
		t.Fatal(err)
	}
	if log := s.Snapshot().Log(train.StreamID{Pod: "p"}); log.Lines.Len() != 2 || log.Lines.At(0).Number != 1 || log.Lines.At(1).Number != 3 {
		t.Errorf("the two runs that were not killed have %d lines", log.Lines.Len())
	}
	marks, _ := f.Marks(context.Background())
	if len(marks) != 2 {
		t.Errorf("marks %+v", marks)
	}
}

func TestAnotherFileIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("my notes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, Options{Now: time.Now}); err == nil || !strings.Contains(err.Error(), "no recording") {
		t.Errorf("recording over a person's notes: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "my notes\n" {
		t.Errorf("the notes are %q now", text)
	}
}

func TestNotesOfOneGapAreOne(t *testing.T) {
	at := func(minute int) time.Time { return time.Unix(1.7e9, 0).Add(time.Duration(minute) * time.Minute) }
	var info Info
	for _, gap := range []Gap{
		{From: at(0), To: at(2), Events: 5, Why: "full"}, {From: at(0), To: at(4), Events: 9, Why: "full"}, {From: at(3), To: at(5), Events: 2, Why: "slow"},
		{From: at(7), To: at(8), Events: 1, Why: "full"}, {From: at(7), To: at(9), Why: awayText, Away: true},
	} {
		info.addGap(gap)
	}
	want := []Gap{
		{From: at(0), To: at(5), Events: 11, Why: "full, then slow"}, {From: at(7), To: at(8), Events: 1, Why: "full"}, {From: at(7), To: at(9), Why: awayText, Away: true},
	}
	if !slices.Equal(info.Gaps, want) {
		t.Errorf("gaps\n%+v, want\n%+v", info.Gaps, want)
	}
}
