package recording_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// monthLater is longer than the time between any two times of the demo.
const monthLater = 40*24*time.Hour + 3*time.Hour + 7*time.Second

// stamps matches the times in an object's JSON.
var stamps = regexp.MustCompile(`"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"`)

// jsonOf returns an object's JSON with its times moved.
func jsonOf(t *testing.T, o kinds.Object, by time.Duration) string {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return stamps.ReplaceAllStringFunc(string(text), func(quoted string) string {
		stamp := strings.Trim(quoted, `"`)
		at, err := time.Parse(time.RFC3339Nano, stamp)
		if err != nil {
			return quoted
		}
		_, fraction, _ := strings.Cut(strings.TrimSuffix(stamp, "Z"), ".")
		if fraction != "" {
			fraction = "." + fraction
		}
		return `"` + at.Add(by).Format("2006-01-02T15:04:05") + fraction + `Z"`
	})
}

// loaded returns the events at the end of a recording and counts the times in
// its objects.
func loaded(t *testing.T, f *recording.File) []store.Event {
	t.Helper()
	var events collect
	if err := f.Load(t.Context(), &events, f.To(), recording.Everything); err != nil {
		t.Fatal(err)
	}
	return events.events
}

func TestShiftMovesEveryTime(t *testing.T) {
	path := write(t, recording.Options{}, demoEvents(t))
	plain, moved := openFile(t, path), openFile(t, path)
	moved.Shift(monthLater + 300*time.Millisecond) // truncated to whole seconds
	if from := plain.From().Add(monthLater); !moved.From().Equal(from) || !moved.Info().From.Equal(from) || !moved.To().Equal(plain.To().Add(monthLater)) {
		t.Errorf("lasts from %s to %s, want %s later than from %s to %s", moved.From(), moved.To(), monthLater, plain.From(), plain.To())
	}
	was, is := loaded(t, plain), loaded(t, moved)
	if !moved.At().Equal(moved.To()) {
		t.Errorf("tells of %s at its end, %s", moved.At(), moved.To())
	}
	if len(was) != len(is) {
		t.Fatalf("%d events, moved %d", len(was), len(is))
	}
	times := 0
	for i := range was {
		for k, o := range objectsOf(was[i]) {
			want, got := jsonOf(t, o, monthLater), jsonOf(t, objectsOf(is[i])[k], 0)
			times += len(stamps.FindAllString(want, -1))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%T %s: %s", o, o.GetName(), diff)
			}
		}
		compareTimes(t, was[i], is[i])
	}
	if times < 1000 {
		t.Errorf("only %d times of objects were looked at", times)
	}
}

func objectsOf(e store.Event) []kinds.Object {
	switch e := e.(type) {
	case store.Set:
		return []kinds.Object{e.Object}
	case store.Listed:
		return e.Objects
	}
	return nil
}

// compareTimes checks that all times of an event outside objects have moved,
// and that nothing else changed.
func compareTimes(t *testing.T, was, is store.Event) {
	t.Helper()
	later := append([]cmp.Option{}, same[:2]...)
	later = append(later, same[3], cmp.Comparer(func(a, b time.Time) bool {
		return a.IsZero() && b.IsZero() || b.Sub(a).Abs() == monthLater
	}))
	switch was := was.(type) {
	case store.Set, store.Listed:
		return
	case store.Logged:
		moved := is.(store.Logged)
		for i := range was.Lines {
			if a, b := was.Lines[i].Text, moved.Lines[i].Text; a != b && len(a) == len(b) {
				was.Lines[i].Text = b // see TestShiftMovesTheTimesThatLinesBeginWith
			}
		}
	}
	if diff := cmp.Diff(was, is, later...); diff != "" {
		t.Errorf("%T: %s", was, diff[:min(len(diff), 1500)])
	}
}

func TestShiftMovesTheTimesThatLinesBeginWith(t *testing.T) {
	texts := map[string]string{
		" [2026-11-20 08:00:01.512340] iteration 7/90 | lm loss: 2.5": " [2026-11-21 09:00:01.512340] iteration 7/90 | lm loss: 2.5",
		"[titan] 2026-11-20 08:00:01,512 - root - INFO - step: 8":     "[titan] 2026-11-21 09:00:01,512 - root - INFO - step: 8",
		"2026-11-20T08:00:01Z step 9":                                 "2026-11-21T09:00:01Z step 9",
		"step 10 saved at 2026-11-20 08:00:01":                        "step 10 saved at 2026-11-20 08:00:01",
		"2026-11-20 28:61:01 is no time":                              "2026-11-20 28:61:01 is no time",
		"":                                                            "",
	}
	var lines []train.LogLine
	var want []string
	for text, moved := range texts {
		lines, want = append(lines, train.LogLine{Number: int64(len(lines) + 1), Time: began, Text: text}), append(want, moved)
	}
	sample := train.Sample{Line: 1, Time: began, Step: 7, HasStep: true}
	f := openFile(t, write(t, recording.Options{}, []store.Event{store.Logged{Stream: train.StreamID{Pod: "bert-0", UID: "u"}, Lines: lines, Samples: []train.Sample{sample}}}))
	f.Shift(25 * time.Hour)
	for _, e := range loaded(t, f) {
		logged, is := e.(store.Logged)
		if !is {
			continue
		}
		for i, line := range logged.Lines {
			if line.Text != want[i] || !line.Time.Equal(began.Add(25*time.Hour)) {
				t.Errorf("%q at %s, want %q", line.Text, line.Time, want[i])
			}
		}
		if logged.Samples[0].Step != 7 || !logged.Samples[0].Time.Equal(began.Add(25*time.Hour)) {
			t.Errorf("sample %+v", logged.Samples[0])
		}
		return
	}
	t.Fatal("no lines came back")
}

// A recording of some seconds is applied piece by piece and has marks.
func TestShiftMovesMarksAndWhatComesNext(t *testing.T) {
	clock := &ticking{now: began}
	path := filepath.Join(t.TempDir(), "a.ttrec")
	w, err := recording.Create(path, recording.Options{Now: clock.Now, About: recording.About{Began: began}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		w.Apply(store.HealthChanged{Health: train.Health{Source: "API server", State: train.SourceLive, Since: clock.Now()}})
		w.Mark(recording.Mark{At: clock.Now(), Kind: recording.MarkPhase, Text: string(rune('a' + i))})
		clock.add(time.Second)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := openFile(t, path)
	f.Shift(time.Hour)
	f.Shift(-30 * time.Minute) // further calls add up
	const by = 30 * time.Minute
	marks, err := f.Marks(t.Context())
	if err != nil || len(marks) != 10 || !marks[3].At.Equal(began.Add(by+3*time.Second)) || !f.Info().About.Began.Equal(began.Add(by)) {
		t.Errorf("marks %v (%v), begun %s", marks, err, f.Info().About.Began)
	}
	var events collect
	if err := f.Load(t.Context(), &events, began.Add(by+2*time.Second), recording.Backlog); err != nil {
		t.Fatal(err)
	}
	before := len(events.events)
	if err := f.Next(t.Context(), &events, began.Add(by+5*time.Second)); err != nil {
		t.Fatal(err)
	}
	var since []time.Time
	for _, e := range events.events[before:] {
		if h, is := e.(store.HealthChanged); is {
			since = append(since, h.Health.Since)
		}
	}
	if len(since) != 3 || !since[0].Equal(began.Add(by+3*time.Second)) || !f.At().Equal(began.Add(by+5*time.Second)) {
		t.Errorf("health since %v, at %s", since, f.At())
	}
	f.Shift(-by) // later events have the original times again
	if err := f.Next(t.Context(), &events, began.Add(time.Second)); err != nil || !f.At().Equal(began.Add(time.Second)) {
		t.Errorf("after another shift it tells of %s (%v)", f.At(), err)
	}
}

// BenchmarkLoadShifted measures a shift while all objects, logs and readings
// of the demo's files are decoded.
func BenchmarkLoadShifted(b *testing.B) {
	text, err := os.ReadFile(write(b, recording.Options{}, demoEvents(b)))
	if err != nil {
		b.Fatal(err)
	}
	for _, by := range []time.Duration{0, monthLater} {
		b.Run(map[bool]string{true: "plain", false: "shifted"}[by == 0], func(b *testing.B) {
			f, err := recording.Read(strings.NewReader(string(text)), int64(len(text)))
			if err != nil {
				b.Fatal(err)
			}
			f.Shift(by)
			for b.Loop() {
				if err := f.Load(b.Context(), &collect{}, f.To(), recording.Everything); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
