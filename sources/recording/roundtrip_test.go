package recording_test

import (
	"context"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/testdata"
	"github.com/traintop/traintop/train"
)

// began is the start of the recordings in tests.
var began = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)

// ticking is a clock that tests advance.
type ticking struct {
	mu  sync.Mutex
	now time.Time
}

func (c *ticking) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *ticking) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// collect is a sink that keeps all events.
type collect struct {
	mu     sync.Mutex
	events []store.Event
}

func (c *collect) Apply(events ...store.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, events...)
}

// demoEvents returns all events of the demo's files: objects of every kind,
// logs and GPUs.
func demoEvents(t testing.TB) []store.Event {
	t.Helper()
	var c collect
	files := dump.New([]string{"."}, dump.Options{FS: testdata.Demo, Name: "demo", Logs: logfeed.Options{Zone: time.UTC}})
	if err := files.Run(context.Background(), &c); err != nil {
		t.Fatal(err)
	}
	return c.events
}

func write(t testing.TB, o recording.Options, events ...[]store.Event) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.ttrec")
	if o.Now == nil {
		o.Now = (&ticking{now: began}).Now
	}
	if o.About.Logs == "" {
		o.About.Logs = recording.LogsAll
	}
	w, err := recording.Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, some := range events {
		w.Apply(some...)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func openFile(t testing.TB, path string) *recording.File {
	t.Helper()
	f, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// same compares events: NaNs are equal, and so is one instant in different
// zones.
var same = []cmp.Option{
	cmpopts.EquateEmpty(), cmpopts.EquateNaNs(),
	cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) }),
	cmp.AllowUnexported(train.Values{}, train.UsageValues{}),
}

func TestEveryEventOfTheDemoComesBack(t *testing.T) {
	written := demoEvents(t)
	path := write(t, recording.Options{}, written)
	var back collect
	f := openFile(t, path)
	if err := f.Load(t.Context(), &back, f.To(), recording.Everything); err != nil {
		t.Fatal(err)
	}
	if info := f.Info(); len(info.Damage) > 0 || !info.Closed {
		t.Errorf("info %+v", info)
	}
	compareByKind(t, written, back.events)
}

// compareByKind compares events of each type in order, except the clock, which
// a reader sets itself.
func compareByKind(t *testing.T, written, back []store.Event) {
	t.Helper()
	split := func(events []store.Event) map[string][]store.Event {
		by := map[string][]store.Event{}
		for _, e := range events {
			if c, is := e.(store.Clock); is && c.Now.Equal(began) {
				continue
			}
			name := reflect.TypeOf(e).Name()
			if past, is := e.(store.Backfilled); is && len(by[name]) > 0 { // a long one is split
				before := by[name][0].(store.Backfilled)
				before.Past = append(before.Past, past.Past...)
				by[name][0] = before
				continue
			}
			by[name] = append(by[name], e)
		}
		return by
	}
	want, got := split(written), split(back)
	for name := range want {
		if diff := cmp.Diff(want[name], got[name], same...); diff != "" {
			t.Errorf("%s: %d told, %d came back: %s", name, len(want[name]), len(got[name]), diff[:min(len(diff), 2000)])
		}
	}
	if len(got) != len(want) {
		t.Errorf("told %d sorts of events, %d came back", len(want), len(got))
	}
}
