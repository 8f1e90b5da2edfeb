package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"github.com/traintop/traintop/cli/findingmarks"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/ui"
)

// rewind keeps the events of a live screen, as a recording in the XDG cache
// directory that lasts as long as the session, so that the screen can go back
// over it. It is redacted as other recordings are.
type rewind struct {
	*replay
	path   string
	clock  func() time.Time
	writer *recording.Writer
	began  time.Time

	marker   recording.Marker
	findings findingmarks.Marks

	opening sync.Mutex
	read    time.Time       // when the file was opened last
	old     *recording.File // whose marks may still be read

	mu     sync.Mutex
	opened bool // replay is set
}

var _ interface {
	ui.Timeline
	ui.DiagnosisReceiver
	sources.Sink
} = (*rewind)(nil)

// rewindFolder is where runs keep their past.
func rewindFolder() string { return filepath.Join(xdg.CacheHome, "traintop", "rewind") }

// rewindName is the name of such a file: its process, and when it began.
var rewindName = regexp.MustCompile(`^\d+-\d+\.ttrec$`)

// rewindWindow keeps a screen small: three streams take a few MiB less each
// than those of a recording that is to last, for files that are somewhat
// larger.
const rewindWindow = 1 << 20

// keepRewind starts to keep the past of a session, of at most size bytes. Files
// of runs that were killed are removed.
func keepRewind(s *session, size int64, clock func() time.Time) (*rewind, error) {
	folder := rewindFolder()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("what this run sees cannot be gone back over: %w", err)
	}
	_ = recording.RemoveAbandoned(folder, rewindName) // the next run tries again
	r := &rewind{clock: clock, began: clock()}
	r.path = filepath.Join(folder, fmt.Sprintf("%d-%d.ttrec", os.Getpid(), r.began.UnixNano()))
	secrets, ready := s.redactor()
	var err error
	r.writer, err = recording.Create(r.path, recording.Options{
		About:  recording.About{Program: version(), Source: s.place, Began: r.began.UTC(), Logs: recording.LogsAll, Redacted: true},
		Redact: secrets, Ready: ready, Now: clock, MaxSize: size, Window: rewindWindow,
		Trouble: func(text string) { s.store.Apply(store.HealthChanged{Health: rewindHealth(text, clock())}) },
	})
	if err != nil {
		return nil, fmt.Errorf("what this run sees cannot be gone back over: %w", err)
	}
	return r, nil
}

// rewindHealth reports why the past is not kept; without a reason it is empty.
func rewindHealth(why string, now time.Time) train.Health {
	h := train.Health{Source: "rewind", Since: now}
	if why != "" {
		h.State, h.Text = train.SourceRetrying, why+"; what comes meanwhile cannot be gone back over"
	}
	return h
}

// Apply implements sources.Sink.
func (r *rewind) Apply(events ...store.Event) { r.writer.Apply(events...) }

// Watched implements ui.Watching.
func (r *rewind) Watched(s *store.Snapshot, report *diagnose.Report) {
	r.writer.Mark(append(r.marker.Next(s), r.findings.Next(s, report)...)...)
}

// flushed is how long it takes at most until events are in the file.
const flushed = 2 * time.Second

// Span implements ui.Timeline: until now, whatever of that is in the file.
func (r *rewind) Span() (from, to time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock()
	if now.Before(r.began) { // the clock was ahead of the cluster's, and what was kept was shifted with it
		r.began = now
	}
	if now.Sub(r.began) > flushed {
		from, to = r.began, now
		if r.opened {
			from, _ = r.replay.Span()
		}
	}
	return from, to
}

// At implements ui.Timeline.
func (r *rewind) At() time.Time {
	if !r.isOpen() {
		return time.Time{}
	}
	return r.replay.At()
}

// Instant implements ui.Timeline, also before the file was opened.
func (r *rewind) Instant(text string) (time.Time, error) {
	from, to := r.Span()
	return instantOf(text, from, to, time.Local)
}

func (r *rewind) isOpen() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.opened
}

// Load implements ui.Timeline.
func (r *rewind) Load(ctx context.Context, at time.Time, before *store.Snapshot) (*store.Store, error) {
	if err := r.reach(ctx, at); err != nil {
		return nil, err
	}
	return r.replay.Load(ctx, at, before)
}

// Next implements ui.Timeline.
func (r *rewind) Next(ctx context.Context, at time.Time) error {
	if err := r.reach(ctx, at); err != nil {
		return err
	}
	return r.replay.Next(ctx, at)
}

// Moments implements ui.Timeline.
func (r *rewind) Moments(ctx context.Context) ([]ui.Moment, error) {
	if err := r.reach(ctx, r.clock()); err != nil {
		return nil, err
	}
	return r.replay.Moments(ctx)
}

// reach opens the file again where it ended before an instant when it was
// opened last, unless that was just now. Its calls wait for each other.
func (r *rewind) reach(ctx context.Context, at time.Time) error {
	r.opening.Lock()
	defer r.opening.Unlock()
	now := r.clock()
	if r.isOpen() {
		if _, to := r.replay.Span(); at.Before(to) || now.Sub(r.read) < flushed {
			return nil
		}
	}
	f, err := recording.Open(r.path)
	if err != nil {
		return err
	}
	var old *recording.File
	if r.isOpen() {
		if old, err = r.Continue(ctx, f); err != nil {
			_ = f.Close() // read only
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.opened {
		// its health is that of the session, and not of a file
		r.replay, r.opened = &replay{Player: recording.NewPlayer(f, "", r.clock)}, true
	}
	r.read = now
	if r.old != nil {
		_ = r.old.Close() // read only
	}
	r.old = old
	return nil
}

// close ends the recording, and removes it.
func (r *rewind) close() {
	_ = r.writer.Close() // it is removed, whatever its error
	if r.isOpen() {
		_ = r.Close() // read only
	}
	_ = os.Remove(r.path) // the next run tries again
}
