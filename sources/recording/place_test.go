package recording

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// placed is a recording that is written while something happens to its file.
type placed struct {
	path, folder string
	w            *Writer
	mu           sync.Mutex
	said         []string
}

func recordingInPlace(t *testing.T) *placed {
	t.Helper()
	p := &placed{folder: filepath.Join(t.TempDir(), "nightly")}
	if err := os.Mkdir(p.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	p.path = filepath.Join(p.folder, "a.ttrec")
	w, err := Create(p.path, Options{
		Now: (&clock{now: time.Unix(1.7e9, 0)}).Now, Flush: 5 * time.Millisecond, About: About{Logs: LogsAll},
		Trouble: p.say, Said: p.say,
	})
	if err != nil {
		t.Fatal(err)
	}
	p.w = w
	w.Apply(logged(1))
	waitFor(t, func() bool { return w.Size() > 200 })
	return p
}

func (p *placed) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = append(p.said, text)
}

func (p *placed) words() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.said, "\n")
}

// linesAndGaps returns how many lines of the log a recording contains at its end, and its
// gaps.
func linesAndGaps(t *testing.T, path string) (int, []Gap) {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // read only
	s := store.New(time.Now)
	if err := f.Load(context.Background(), s, f.To(), Everything); err != nil {
		t.Fatal(err)
	}
	log := s.Snapshot().Log(train.StreamID{Pod: "p"})
	if log == nil {
		return 0, f.Info().Gaps
	}
	return log.Lines.Len(), f.Info().Gaps
}

func TestARecordingThatIsRemovedWhileItIsWrittenIsPutBack(t *testing.T) {
	p := recordingInPlace(t)
	if err := os.Remove(p.path); err != nil {
		t.Fatal(err)
	}
	p.w.Apply(logged(2))
	waitFor(t, func() bool { return strings.Contains(p.words(), "removed or moved away") })
	p.w.Apply(logged(3))
	if err := p.w.Close(); err != nil {
		t.Fatal(err)
	}
	if n, gaps := linesAndGaps(t, p.path); n != 3 || len(gaps) > 0 {
		t.Errorf("%d of 3 lines, gaps %v", n, gaps)
	}
}

func TestARecordingWhoseFolderIsRemovedIsNoSuccess(t *testing.T) {
	p := recordingInPlace(t)
	if err := os.RemoveAll(p.folder); err != nil {
		t.Fatal(err)
	}
	p.w.Apply(logged(2))
	waitFor(t, func() bool { return strings.Contains(p.words(), "cannot be put back") })
	if err := p.w.Close(); err == nil || !strings.Contains(err.Error(), "no such file or directory") {
		t.Errorf("the folder is gone, and closing says %v", err)
	}
}

func TestARecordingIsPutBackWhenItsFolderIsThereAgain(t *testing.T) {
	p := recordingInPlace(t)
	if err := os.RemoveAll(p.folder); err != nil {
		t.Fatal(err)
	}
	p.w.Apply(logged(2))
	waitFor(t, func() bool { return strings.Contains(p.words(), "cannot be put back") })
	if err := os.Mkdir(p.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.HasSuffix(p.words(), "\n") }) // it goes on
	p.w.Apply(logged(3))
	if err := p.w.Close(); err != nil {
		t.Fatal(err)
	}
	if n, gaps := linesAndGaps(t, p.path); n != 3 || len(gaps) != 1 {
		t.Errorf("%d of 3 lines, gaps %v", n, gaps)
	}
}

func TestAFileThatTookTheNameOfARecordingStays(t *testing.T) {
	p := recordingInPlace(t)
	if err := os.Remove(p.path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.w.Apply(logged(2))
	waitFor(t, func() bool { return strings.Contains(p.words(), "another file has its name") })
	if err := p.w.Close(); err == nil || !strings.Contains(err.Error(), "another file has its name") {
		t.Errorf("another file has its name, and closing says %v", err)
	}
	if text, err := os.ReadFile(p.path); string(text) != "mine" {
		t.Errorf("the other file is %q, %v", text, err)
	}
}

func TestARecordingThatIsCutWhileItIsWrittenSaysSo(t *testing.T) {
	for _, to := range []int64{0, 30, 150} {
		p := recordingInPlace(t)
		if err := os.Truncate(p.path, to); err != nil {
			t.Fatal(err)
		}
		p.w.Apply(logged(2))
		waitFor(t, func() bool {
			return strings.Contains(p.words(), "another program cut it") && strings.HasSuffix(p.words(), "\n")
		})
		p.w.Apply(logged(3))
		if err := p.w.Close(); err != nil {
			t.Fatal(err)
		}
		if n, gaps := linesAndGaps(t, p.path); n != 3 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, "another program cut it") {
			t.Errorf("cut to %d: %d of 3 lines, gaps %v", to, n, gaps)
		}
	}
}
