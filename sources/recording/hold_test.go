package recording

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
)

// learning is a redactor that drops all logs once it has learned to.
type learning struct{ knows atomic.Bool }

func (l *learning) Redact(events []store.Event) []store.Event {
	if l.knows.Load() {
		return nil
	}
	return events
}
func (l *learning) Text(text string) string { return text }
func (l *learning) Counts() map[string]int  { return nil }

// recorded applies an event, calls then, and returns how many pieces of events the
// file has before and after.
func recorded(t *testing.T, then func(*learning, *clock)) (before, after int) {
	path := filepath.Join(t.TempDir(), "a.ttrec")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	redactor, now := &learning{}, &clock{now: time.Unix(1.7e9, 0)}
	w, err := create(path, file, 0, Options{
		Now: now.Now, Flush: 5 * time.Millisecond, About: About{Logs: LogsAll}, Redact: redactor, Ready: redactor.knows.Load,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Apply(logged(1))
	time.Sleep(50 * time.Millisecond)
	before = int(w.Size())
	then(redactor, now)
	time.Sleep(50 * time.Millisecond)
	after = int(w.Size())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return before, after
}

// TestNothingIsWrittenBeforeTheRedactorIsReady: what waits is redacted by what is
// known when it is written.
func TestNothingIsWrittenBeforeTheRedactorIsReady(t *testing.T) {
	if before, after := recorded(t, func(l *learning, _ *clock) { l.knows.Store(true) }); after != before {
		t.Errorf("the file grew from %d to %d bytes: the event was not redacted", before, after)
	}
}

// TestARedactorThatIsNeverReadyHoldsNothingForEver.
func TestARedactorThatIsNeverReadyHoldsNothingForEver(t *testing.T) {
	if before, after := recorded(t, func(_ *learning, now *clock) { now.add(longestHold) }); after <= before {
		t.Errorf("the file has %d bytes after the longest wait, and had %d", after, before)
	}
}
