package recording_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// runs records several runs into one file, with some minutes between them.
func runs(t testing.TB, of ...[]store.Event) *recording.File {
	t.Helper()
	return runsAt(t, func(run int) time.Time { return began.Add(time.Duration(run) * 10 * time.Minute) }, of...)
}

func runsAt(t testing.TB, at func(run int) time.Time, of ...[]store.Event) *recording.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.ttrec")
	for run, events := range of {
		clock := &ticking{now: at(run)}
		w, err := recording.Create(path, recording.Options{Now: clock.Now, About: recording.About{Source: "https://cluster", Logs: recording.LogsAll, Began: at(run)}})
		if err != nil {
			t.Fatal(err)
		}
		for _, event := range events {
			clock.add(time.Second)
			w.Apply(event)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return openFile(t, path)
}

var rotatedLog = train.StreamID{Namespace: "ml", Pod: "bert-0", UID: "u0", Container: "main"}

// linesBetween returns a range of a log's lines, numbered from 1 as a kubelet's
// reader does. Three lines share each timestamp.
func linesBetween(from, to int) (events []store.Event) {
	events = append(events, store.StreamChanged{Stream: rotatedLog, Restart: true, Rank: -1, Status: train.StreamStatus{State: train.StreamOpening}})
	for i := from; i < to; i += 7 {
		e := store.Logged{Stream: rotatedLog}
		for n := i; n < min(i+7, to); n++ {
			at := began.Add(-time.Hour + time.Duration(n/3)*time.Second)
			e.Lines = append(e.Lines, train.LogLine{Number: int64(n - from + 1), Time: at, Text: fmt.Sprintf("step %d loss %d.5", n, n)})
			e.Samples = append(e.Samples, train.Sample{Line: int64(n - from + 1), Time: at, Rank: -1, Step: float64(n), HasStep: true, Metrics: []train.Metric{{Name: "loss", Value: float64(n) + .5}}})
		}
		events = append(events, e)
	}
	return events
}

// checkWhole fails unless a log has each line up to the given one exactly
// once.
func checkWhole(t *testing.T, f *recording.File, lines int) {
	t.Helper()
	checkWholeLog(t, f, rotatedLog, lines)
}

func checkWholeLog(t *testing.T, f *recording.File, id train.StreamID, lines int) {
	t.Helper()
	log := snapshotAt(t, f, f.To()).Log(id)
	if log == nil {
		t.Fatal("the log is not there")
	}
	if log.Lines.Len() != lines {
		t.Errorf("%d lines, want %d", log.Lines.Len(), lines)
	}
	for i := range log.Lines.Len() {
		if want := fmt.Sprintf("step %d loss %d.5", i, i); log.Lines.Plain(i) != want || log.Lines.At(i).Number != int64(i+1) {
			t.Fatalf("line %d is number %d, %q; want %q", i, log.Lines.At(i).Number, log.Lines.Plain(i), want)
		}
	}
	var all collect
	if err := f.Load(t.Context(), &all, f.To(), recording.Everything); err != nil {
		t.Fatal(err)
	}
	samples := map[float64]int{}
	for _, e := range all.events {
		if c, is := e.(store.StreamChanged); is && c.Restart {
			clear(samples)
		}
		if l, is := e.(store.Logged); is {
			for _, s := range l.Samples {
				if samples[s.Step]++; s.Line != int64(s.Step)+1 {
					t.Fatalf("step %v is of line %d", s.Step, s.Line)
				}
			}
		}
	}
	for step, n := range samples {
		if n != 1 {
			t.Fatalf("step %v is told %d times", step, n)
		}
	}
	if len(samples) != lines {
		t.Errorf("%d samples, want %d", len(samples), lines)
	}
}

func TestLogsOfAllRunsAreOne(t *testing.T) {
	for name, of := range map[string][][]store.Event{
		"rotated, with an overlap":             {linesBetween(0, 1324), linesBetween(1000, 1500)},
		"rotated, cut between equal times":     {linesBetween(0, 1000), linesBetween(601, 1500)},
		"rotated behind what was told":         {linesBetween(0, 1000), linesBetween(1000, 1500)},
		"read again from the beginning":        {linesBetween(0, 900), linesBetween(0, 1500)},
		"ended before it was where it was":     {linesBetween(0, 1500), linesBetween(0, 10)},
		"ended, rotated, before it was there":  {linesBetween(0, 1500), linesBetween(1100, 1130)},
		"three runs, rotated each time":        {linesBetween(0, 700), linesBetween(500, 1100), linesBetween(1000, 1500)},
		"a run between that told nothing":      {linesBetween(0, 700), {store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceConnecting}}}, linesBetween(500, 1500)},
		"a run between that only began to ask": {linesBetween(0, 700), linesBetween(0, 0), linesBetween(500, 1500)},
	} {
		t.Run(name, func(t *testing.T) { checkWhole(t, runs(t, of...), 1500) })
	}
}

// A file that was rotated, or emptied, while it was recorded has all its lines in
// the recording; one that was read again from its beginning has them once.
func TestAFileThatWasRotatedWhileItWasRecorded(t *testing.T) {
	for about, timed := range map[string]bool{"lines with times": true, "lines without": false} {
		file := func(from, to int) (events []store.Event) {
			for _, e := range linesBetween(from, to) {
				switch e := e.(type) {
				case store.StreamChanged:
					e.Stream = train.StreamID{File: "train.log"}
					events = append(events, e)
				case store.Logged:
					e.Stream = train.StreamID{File: "train.log"}
					for i := range e.Lines {
						if !timed {
							e.Lines[i].Time, e.Samples[i].Time = time.Time{}, time.Time{}
						}
					}
					events = append(events, e)
				}
			}
			return events
		}
		for name, events := range map[string][]store.Event{
			"rotated twice": slices.Concat(file(0, 500), file(500, 501), file(501, 900)),
			"read again":    slices.Concat(file(0, 500), file(0, 900)),
			"both":          slices.Concat(file(0, 500), file(500, 700), file(0, 900)),
		} {
			t.Run(about+", "+name, func(t *testing.T) { checkWholeLog(t, runs(t, events), train.StreamID{File: "train.log"}, 900) })
		}
	}
}

func podNamed(name, uid string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: name, UID: types.UID(uid)}}
}

func listedPods(pods ...*corev1.Pod) store.Listed {
	l := store.Listed{Kind: kinds.PodKind}
	for _, pod := range pods {
		l.Objects = append(l.Objects, pod)
	}
	return l
}

func uidsOf(s *store.Snapshot) string {
	var all []string
	for _, name := range []string{"a", "b", "c"} {
		if pod := s.Pod("ml", name); pod != nil {
			all = append(all, name+"="+string(pod.UID))
		}
	}
	return strings.Join(all, " ")
}

func TestARunCountsOnceItHasListed(t *testing.T) {
	first := []store.Event{listedPods(podNamed("a", "1"), podNamed("b", "2")), store.HealthChanged{Health: train.Health{Source: "exporter/x", State: train.SourceFailed, Text: "old"}}}
	opening := store.HealthChanged{Health: train.Health{Source: "kube/pods", State: train.SourceListing}}
	for name, c := range map[string]struct {
		second []store.Event
		want   string
		health int
	}{
		"ended before it listed": {[]store.Event{opening}, "a=1 b=2", 2},
		"it lists others":        {[]store.Event{opening, listedPods(podNamed("b", "3"), podNamed("c", "4"))}, "b=3 c=4", 1},
		"it lists none":          {[]store.Event{opening, listedPods()}, "", 1},
	} {
		s := snapshotAt(t, runs(t, first, c.second), began.Add(time.Hour))
		if got := uidsOf(s); got != c.want {
			t.Errorf("%s: pods %q, want %q", name, got, c.want)
		}
		if health := s.Health(); len(health) != c.health {
			t.Errorf("%s: sources %+v, want %d", name, health, c.health)
		}
	}
}

func TestWhereTheRecorderWasAwayIsAGap(t *testing.T) {
	f := runs(t, linesBetween(0, 20), linesBetween(0, 40))
	gaps := f.Info().Gaps
	if len(gaps) != 1 || !gaps[0].Away || gaps[0].To.Sub(gaps[0].From) < 9*time.Minute || !gaps[0].To.Equal(began.Add(10*time.Minute)) {
		t.Fatalf("gaps %+v", gaps)
	}
	marks, err := f.Marks(t.Context())
	if err != nil || len(marks) != 1 || !marks[0].Until.Equal(gaps[0].To) || !strings.Contains(marks[0].Text, "not running") {
		t.Errorf("marks %+v, %v", marks, err)
	}
	s := store.New(time.Now)
	if err := (&recording.Source{File: f, Name: "a.ttrec"}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	health := s.Snapshot().Health()
	if len(health) != 1 || !health[0].State.Trouble() || !strings.Contains(health[0].Text, "the recorder was not running") {
		t.Errorf("health %+v", health)
	}
}

func TestAnotherClusterInTheSameFileIsNotJoined(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ttrec")
	for i, source := range []string{"https://one", "https://two"} {
		clock := &ticking{now: began.Add(time.Duration(i) * time.Hour)}
		w, err := recording.Create(path, recording.Options{Now: clock.Now, About: recording.About{Source: source}})
		if err != nil {
			t.Fatal(err)
		}
		w.Apply(store.Set{Kind: kinds.PodKind, Object: podNamed([]string{"a", "b"}[i], "1")})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f := openFile(t, path)
	if got := uidsOf(snapshotAt(t, f, f.To())); got != "b=1" {
		t.Errorf("at the end %q", got)
	}
	if got := uidsOf(snapshotAt(t, f, began.Add(time.Minute))); got != "a=1" {
		t.Errorf("before %q", got)
	}
}

// TestPlayingOverAnInterruptionTellsTheSame plays from the first run into the
// second and compares the result with loading its end.
func TestPlayingOverAnInterruptionTellsTheSame(t *testing.T) {
	f := runs(t, linesBetween(0, 700), append([]store.Event{listedPods(podNamed("a", "1"))}, linesBetween(500, 1500)...))
	s := store.New(time.Now)
	if err := f.Load(t.Context(), s, began.Add(time.Minute), recording.Everything); err != nil {
		t.Fatal(err)
	}
	for at := began.Add(time.Minute); at.Before(f.To().Add(time.Minute)); at = at.Add(time.Minute) {
		if err := f.Next(t.Context(), s, at); err != nil {
			t.Fatal(err)
		}
	}
	if log := s.Snapshot().Log(rotatedLog); log.Lines.Len() != 1500 {
		t.Errorf("%d lines, want 1500", log.Lines.Len())
	}
	if got := uidsOf(s.Snapshot()); got != "a=1" {
		t.Errorf("pods %q", got)
	}
}

func TestAClockThatGoesBackIsSaidAndSetRight(t *testing.T) {
	const days = 48 * time.Hour
	t.Run("between runs", func(t *testing.T) {
		f := runsAt(t, func(run int) time.Time { return began.Add(days * time.Duration(1-run)) }, linesBetween(0, 700), linesBetween(500, 1500))
		checkClockBack(t, f, began, days)
		checkWhole(t, f, 1500)
	})
	t.Run("in a run", func(t *testing.T) {
		clock := &ticking{now: began.Add(days)}
		path := filepath.Join(t.TempDir(), "a.ttrec")
		w, err := recording.Create(path, recording.Options{Now: clock.Now, About: recording.About{Logs: recording.LogsAll}})
		if err != nil {
			t.Fatal(err)
		}
		events := linesBetween(0, 1400)
		for i, event := range events {
			if clock.add(time.Second); i == len(events)/2 {
				clock.add(-days)
			}
			w.Apply(event)
			w.Mark(recording.Mark{At: clock.Now(), Kind: recording.MarkPhase, Text: "x"})
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f := openFile(t, path)
		checkClockBack(t, f, began.Add(100*time.Second), days)
		checkWhole(t, f, 1400)
		marks, _ := f.Marks(t.Context())
		for _, m := range marks {
			if m.At.Before(f.From().Add(-time.Second)) || m.At.After(f.To().Add(time.Second)) {
				t.Fatalf("a mark at %s, outside of %s to %s", m.At, f.From(), f.To())
			}
		}
	})
}

func checkClockBack(t *testing.T, f *recording.File, about time.Time, by time.Duration) {
	t.Helper()
	info := f.Info()
	if len(info.Turns) != 1 || (info.Turns[0].By-by).Abs() > 10*time.Minute || info.Turns[0].At.Sub(about).Abs() > 10*time.Minute {
		t.Errorf("turns %+v, want one of %s about %s", info.Turns, by, about)
	}
	if info.To.Sub(info.From) > time.Hour || info.To.Sub(info.From) < 2*time.Minute || info.To.Sub(about).Abs() > time.Hour {
		t.Errorf("it lasts from %s to %s", info.From, info.To)
	}
	half := snapshotAt(t, f, info.From.Add(info.To.Sub(info.From)/2)).Log(rotatedLog)
	if n := half.Lines.Len(); n < 300 || n > 1300 {
		t.Errorf("in its middle %d lines are told", n)
	}
}

// A recording that is replayed from before its first word is no longer reported to
// contain nothing once it does.
func TestAReplayThatComesToTheFirstWord(t *testing.T) {
	f := runs(t, []store.Event{store.Measured{Source: "exporter/a", Node: "a"}, listedPods()})
	s, player := store.New(time.Now), recording.NewPlayer(f, "a.ttrec", time.Now)
	silent := func() bool {
		return slices.ContainsFunc(s.Snapshot().Health(), func(h train.Health) bool { return strings.Contains(h.Text, "tells of no source") })
	}
	if err := player.Begin(t.Context(), s, began); err != nil || !silent() {
		t.Fatalf("at its beginning: %v, it tells of nothing: %t", err, silent())
	}
	if err := player.Next(t.Context(), f.To()); err != nil || silent() {
		t.Errorf("at its end: %v, it tells of nothing: %t", err, silent())
	}
}

// TestAnInstantWithoutRecords checks that an instant before the first word
// of a source, and a recording that has measurements alone, are no empty cluster:
// nobody had read it.
func TestAnInstantWithoutRecords(t *testing.T) {
	measured := store.Measured{Source: "exporter/a", Node: "a"}
	for name, c := range map[string]struct {
		events  []store.Event
		at      time.Time
		trouble bool
	}{
		"before the first word": {[]store.Event{measured, listedPods()}, began, true},
		"once it was listed":    {[]store.Event{measured, listedPods()}, time.Time{}, false},
		"measurements alone":    {[]store.Event{measured}, time.Time{}, true},
		"their source alone":    {[]store.Event{store.HealthChanged{Health: train.Health{Source: "exporters", State: train.SourceConnecting}}}, time.Time{}, true},
		"the cluster is asked":  {[]store.Event{store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceConnecting}}}, time.Time{}, false},
	} {
		s := store.New(time.Now)
		if err := (&recording.Source{File: runs(t, c.events), At: c.at, Name: "a.ttrec"}).Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		for _, h := range s.Snapshot().Health() {
			if strings.HasPrefix(h.Source, recording.SourceName) && (h.State == train.SourceFailed && strings.Contains(h.Text, "tells of no source")) != c.trouble {
				t.Errorf("%s: %s, %q", name, h.State, h.Text)
			}
		}
	}
}

// notesOf are the texts about what a recorder was told to leave out.
func notesOf(t *testing.T, f *recording.File, at time.Time) (text string, notes []train.Health) {
	t.Helper()
	s := store.New(time.Now)
	if err := (&recording.Source{File: f, At: at, Name: "a.ttrec"}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for _, h := range s.Snapshot().Health() {
		if _, is := h.Skips(); is {
			text, notes = text+h.Text+"\n", append(notes, h)
		}
	}
	return text, notes
}

func stateOfLog(t *testing.T, f *recording.File, at time.Time) train.StreamStatus {
	t.Helper()
	log := snapshotAt(t, f, at).Log(rotatedLog)
	if log == nil {
		t.Fatal("the log is not there")
	}
	return log.Status
}

// A log that a run does not follow is not followed from the end of the run before on:
// that no line of it comes is no silence.
func TestALogThatALaterRunDoesNotFollowIsStopped(t *testing.T) {
	live := store.StreamChanged{Stream: rotatedLog, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}}
	first := append(linesBetween(0, 20), live)
	path := filepath.Join(t.TempDir(), "a.ttrec")
	for run, events := range [][]store.Event{first, {listedPods(podNamed("a", "1"))}, append(linesBetween(0, 40), live)} {
		clock := &ticking{now: began.Add(time.Duration(run) * 10 * time.Minute)}
		logs := recording.LogsAll
		if run == 1 {
			logs = recording.LogsNone
		}
		w, err := recording.Create(path, recording.Options{Now: clock.Now, About: recording.About{Source: "https://cluster", Logs: logs, Began: clock.now}})
		if err != nil {
			t.Fatal(err)
		}
		for _, event := range events {
			clock.add(time.Second)
			w.Apply(event)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f := openFile(t, path)
	ended := f.Info().Gaps[0].From
	for after, want := range map[time.Duration]struct {
		state train.StreamState
		lines bool // are recorded at that instant
		note  string
	}{
		3 * time.Second:                {train.StreamOpening, true, ""},
		5 * time.Minute:                {train.StreamStopped, true, ""}, // no recorder ran
		10*time.Minute + 2*time.Second: {train.StreamStopped, false, "a.ttrec: from 2026-11-20T08:10:00Z on it was recorded with --logs none, and has nothing of logs\n"},
		time.Hour:                      {train.StreamLive, true, "a.ttrec: from 2026-11-20T08:10:00Z to 2026-11-20T08:20:00Z it was recorded with --logs none, and has nothing of logs but what was read again later\n"},
	} {
		status := stateOfLog(t, f, began.Add(after))
		if status.State != want.state || want.state == train.StreamStopped && !status.Since.Equal(ended) {
			t.Errorf("after %s: %+v, want %s", after, status, want.state)
		}
		note, notes := notesOf(t, f, began.Add(after))
		lines := len(notes) == 1 && notes[0].Resource == train.WholeLogs
		if note != want.note || lines == want.lines {
			t.Errorf("after %s: %q %+v", after, note, notes)
		}
	}
	checkWhole(t, f, 40)
}

// Objects of the namespaces that a run does not ask for are unknown once it has listed
// their kind, and not as they were.
func TestWhatALaterRunDoesNotAskForIsUnknown(t *testing.T) {
	other := podNamed("b", "2")
	other.Namespace = "other"
	list := func(namespace string, pods ...*corev1.Pod) store.Listed {
		l := listedPods(pods...)
		l.Namespace = namespace
		return l
	}
	asked := func(namespace string) string { return namespace }
	everything, ml := list("", podNamed("a", "1"), other), list("ml", podNamed("a", "1"))
	for name, c := range map[string]struct {
		runs       []store.Listed
		is, listed string // what the store has of the other namespace
		note       string
	}{
		"all, then one":      {[]store.Listed{everything, ml}, "", "ml", "a.ttrec: from 2026-11-20T08:10:00Z on it was recorded with -n ml, and nothing is known of other namespaces; --at shows what was recorded of them before\n"},
		"one, then all":      {[]store.Listed{ml, everything}, "2", "ml other", "a.ttrec: until 2026-11-20T08:10:00Z it was recorded with -n ml\n"},
		"another, then one":  {[]store.Listed{list("other", other), ml}, "", "ml", "a.ttrec: until 2026-11-20T08:10:00Z it was recorded with -n other; from 2026-11-20T08:10:00Z on it was recorded with -n ml, and nothing is known of other namespaces; --at shows what was recorded of them before\n"},
		"one and then again": {[]store.Listed{ml, ml}, "", "ml", ""},
	} {
		path := filepath.Join(t.TempDir(), "a.ttrec")
		for run, listed := range c.runs {
			clock := &ticking{now: began.Add(time.Duration(run) * 10 * time.Minute)}
			w, err := recording.Create(path, recording.Options{Now: clock.Now, About: recording.About{Source: "https://cluster", Namespace: asked(listed.Namespace), Began: clock.now}})
			if err != nil {
				t.Fatal(err)
			}
			clock.add(time.Second)
			w.Apply(listed)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		f := openFile(t, path)
		s := snapshotAt(t, f, f.To())
		is, listed := "", ""
		if pod := s.Pod("other", "b"); pod != nil {
			is = string(pod.UID)
		}
		for _, namespace := range []string{"ml", "other"} {
			if s.Complete(kinds.PodKind, namespace) {
				listed = strings.TrimSpace(listed + " " + namespace)
			}
		}
		if is != c.is || listed != c.listed || s.Pod("ml", "a") == nil {
			t.Errorf("%s: pod of the other namespace %q, listed %q, pod %v", name, is, listed, s.Pod("ml", "a"))
		}
		if note, _ := notesOf(t, f, f.To()); note != c.note {
			t.Errorf("%s: %q", name, note)
		}
	}
}

// An excerpt of several runs has the notes of all of them: what each was told to leave out.
func TestAnExcerptHasTheNotesOfAllItsRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ttrec")
	for run, about := range []recording.About{{Logs: recording.LogsAll}, {Logs: recording.LogsNone}, {Logs: recording.LogsNone, Namespace: "llm"}} {
		clock := &ticking{now: began.Add(time.Duration(run) * 10 * time.Minute)}
		about.Source, about.Began = "https://cluster", clock.now
		w, err := recording.Create(path, recording.Options{Now: clock.Now, About: about})
		if err != nil {
			t.Fatal(err)
		}
		for _, event := range []store.Event{planted("mine", ""), plantedPod("mine", "")} {
			clock.add(time.Second)
			w.Apply(event)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f := openFile(t, path)
	job := jobNamed(t, snapshotAt(t, f, f.To()), "mine")
	for _, created := range []time.Time{{}, began.Add(11 * time.Minute)} {
		excerpt := excerptOf(t, f, recording.Excerpt{Job: job.ID, Created: created})
		again := excerptOf(t, excerpt, recording.Excerpt{Job: job.ID})
		for _, at := range []time.Duration{time.Second, 12 * time.Minute, 21 * time.Minute} {
			if created.After(began.Add(at)) {
				continue
			}
			want, _ := notesOf(t, f, began.Add(at))
			if !created.IsZero() { // the run before is no part of it
				want = strings.ReplaceAll(want, "from 2026-11-20T08:10:00Z on it was recorded with --logs none", "it was recorded with --logs none")
			}
			first, _ := notesOf(t, excerpt, began.Add(at))
			if second, _ := notesOf(t, again, began.Add(at)); first != want || second != want {
				t.Errorf("created %s, after %s: %q, and an excerpt of the excerpt %q, want %q", created, at, first, second, want)
			}
		}
	}
}
