package ui

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/lastlook"
	"github.com/traintop/traintop/train"
)

// watched is a live cluster with a clock.
type watched struct {
	*driver
	store *store.Store
	now   *time.Time
}

// watching opens the screen on a cluster in which bert runs.
func watching(t *testing.T, o Options, width, height int) *watched {
	t.Helper()
	useUTC(t)
	now := recordedFrom.Add(5 * time.Minute)
	s := store.New(func() time.Time { return now })
	s.Apply(bertIs("Running", 2*time.Minute))
	o.Store, o.Context, o.Actor = s, "prod", &fakeActor{}
	return &watched{drive(t, o, width, height), s, &now}
}

// passes lets time pass and applies events, until they are diagnosed.
func (w *watched) passes(time time.Duration, events ...store.Event) *watched {
	w.t.Helper()
	*w.now = w.now.Add(time)
	w.store.Apply(events...)
	w.send(takeSnapshot(w.store))
	w.send(awake(w.m.analysis.runs))
	return w
}

func TestIncidentsAreListedTakenMutedAndResolved(t *testing.T) {
	w := watching(t, Options{}, 140, 30)
	w.command("incidents").shows("Incidents 0", "no incident", "rules: node, failed", "traintop watch --notify")
	w.passes(time.Second, bertIs("Failed", 5*time.Minute)).shows("Incidents 1", "1 open", "! open", "failed", "ml/bert")
	w.keys("a").shows("1 incident taken: only the end is sent", "1 taken", "◆ taken")
	w.keys("a").shows("1 incident given back", "1 open")
	w.keys("m").shows("1 incident muted for an hour", "⏸ muted 60m")
	w.passes(30 * time.Minute).shows("⏸ muted 30m")
	w.keys("m").shows("no longer muted", "1 open")
	w.keys("enter").shows("PyTorchJob ml/bert", "incidents › diagnosis").keys("esc")
	w.command("inc")
	w.passes(time.Second, bertIs("Succeeded", 6*time.Minute)).shows("1 resolved", "the job succeeded").hides("! open")
	w.keys("t").shows("no incident is open", "1 incident over: press t")
	w.keys("t").shows("✔ resolved")
	w.keys("a").shows("it is over")
}

// A job that fails and is deleted between two diagnoses has its incident.
func TestAJobDeletedAsItFailsHasAnIncident(t *testing.T) {
	o := Options{}
	o.LastLooks = &lastlook.Queue{}
	w := watching(t, o, 140, 30)
	w.command("incidents").shows("Incidents 0")
	w.passes(time.Second)
	sink := &lastlook.Sink{Store: w.store, Unseen: o.LastLooks.Unseen, Look: o.LastLooks.Add}
	failed := bertIs("Failed", 5*time.Minute).(store.Set)
	sink.Apply(failed, store.Deleted{Kind: failed.Kind, Namespace: failed.Object.GetNamespace(), Name: failed.Object.GetName()})
	w.passes(time.Second).shows("Incidents 1", "1 resolved", "ml/bert", "the job was deleted")
}

// A trouble that was there when the screen opened is no news.
func TestWhatWasBrokenBeforeIsListedAsThat(t *testing.T) {
	d := drive(t, Options{}, 140, 30)
	if d.command("alerts").shows("before"); d.m.incidents.frame.AlertedJobs() == nil || len(d.m.incidents.frame.AlertedJobs()) > 0 {
		t.Error("old trouble marks jobs")
	}
}

func TestTheListOfJobsMarksThoseWithAnIncident(t *testing.T) {
	w := watching(t, Options{}, 140, 30)
	before := column(w.line("bert"), "bert")
	w.passes(time.Second, bertIs("Failed", 5*time.Minute))
	if line := w.line(" PyTorchJob "); !strings.HasPrefix(line, "▌!ml ") || column(line, "bert") != before {
		t.Errorf("under the cursor: %q", line)
	}
	w.keys("b") // the pin has the place
	w.send(noticeOver(w.m.notice.generation))
	if line := w.line(" PyTorchJob "); !strings.HasPrefix(line, "▌★ml ") {
		t.Errorf("pinned, under the cursor: %q", line)
	}
	w.passes(time.Second, jobIs("other", "Running", 2*time.Minute))
	w.keys("G")
	if line := w.line(" PyTorchJob "); !strings.HasPrefix(line, "!★ml ") {
		t.Errorf("pinned: %q", line)
	}
	w.command("incidents").keys("a").command("jobs")
	if line := w.line(" PyTorchJob "); strings.HasPrefix(line, "!") || column(line, "bert") != before {
		t.Errorf("after it was taken: %q", line)
	}
}

func column(line, text string) int { return len([]rune(line[:strings.Index(line, text)])) }

// jobIs is bertIs for a job of another name.
func jobIs(name, condition string, at time.Duration) store.Event {
	set := bertIs(condition, at).(store.Set)
	set.Object.SetName(name)
	set.Object.SetUID("uid-of-" + set.Object.GetUID())
	return set
}

func TestTheTerminalRingsForPinnedJobsOnly(t *testing.T) {
	ring := func(id, text string) string { return "RING " + id + " " + text }
	w := watching(t, Options{Ring: ring}, 140, 30)
	w.passes(time.Second, bertIs("Failed", 5*time.Minute))
	if len(w.raw) > 0 || w.m.notice.text != "" {
		t.Errorf("it rings for a job that is not pinned: %q, %q", w.raw, w.m.notice.text)
	}
	w.passes(time.Second, jobIs("other", "Running", 2*time.Minute))
	w.command("jobs /other").keys("b").send(noticeOver(w.m.notice.generation))
	w.passes(time.Second, jobIs("other", "Failed", 5*time.Minute))
	if len(w.raw) != 1 || !strings.HasPrefix(w.raw[0], "RING ") || !strings.Contains(w.raw[0], "ERROR ml/PyTorchJob/other") {
		t.Errorf("written to the terminal: %q", w.raw)
	}
	w.shows("ERROR ml/PyTorchJob/other")
	if w.passes(time.Minute); len(w.raw) != 1 {
		t.Errorf("it rings again: %q", w.raw)
	}

	quiet := watching(t, Options{}, 140, 30) // no bell, and the notice all the same
	quiet.command("jobs /bert").keys("b")
	quiet.passes(time.Second, bertIs("Failed", 5*time.Minute)).shows("ERROR ml/PyTorchJob/bert")
	if len(quiet.raw) > 0 {
		t.Errorf("it rings without a bell: %q", quiet.raw)
	}
}

func TestOldTroubleOfAPinnedJobDoesNotRing(t *testing.T) {
	memory, _ := memoryIn(t)
	memory.Keep("prod", Remembered{Pinned: []train.JobID{"1"}})
	now := recordedFrom.Add(5 * time.Minute)
	s := store.New(func() time.Time { return now })
	s.Apply(bertIs("Failed", 5*time.Minute))
	d := drive(t, Options{Session: Session{Store: s, Context: "prod", Actor: &fakeActor{}}, Memory: memory, Ring: func(string, string) string { return "RING" }}, 140, 30)
	if d.shows("★"); len(d.raw) > 0 {
		t.Errorf("it rings: %q", d.raw)
	}
}

func TestMarksOutliveTheSession(t *testing.T) {
	marks := alerts.MarksFile{Path: filepath.Join(t.TempDir(), "watch", "prod.marks.json")}
	o := Options{Session: Session{IncidentMarks: marks}}
	w := watching(t, o, 140, 30)
	w.passes(time.Second, bertIs("Failed", 5*time.Minute)).command("incidents").keys("a").shows("1 taken")
	w = watching(t, o, 140, 30)
	w.passes(time.Second, bertIs("Failed", 5*time.Minute)).command("incidents").shows("1 taken")
}

// sentState is the state of a watcher that notified the team of what it knows.
func sentState(t *testing.T, path string, all []alerts.Incident, at time.Time) {
	t.Helper()
	s := alerts.State{Version: 1, Cluster: "prod", LastSeen: at}
	for _, i := range all {
		i.Sent = []alerts.Delivery{{Receiver: "team", Change: alerts.Opened, At: at}, {Receiver: "pager", Change: alerts.Opened, At: at, Failed: "no route to host"}}
		s.Incidents = append(s.Incidents, &i)
	}
	if err := alerts.WriteState(path, s); err != nil {
		t.Fatal(err)
	}
}

func TestWhatAWatcherSentIsShown(t *testing.T) {
	zone := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = zone })
	state := filepath.Join(t.TempDir(), "prod.json")
	w := watching(t, Options{Session: Session{IncidentState: state}}, 160, 30)
	w.passes(time.Second, bertIs("Failed", 5*time.Minute)).command("incidents").hides("SENT")
	sentState(t, state, w.m.incidents.frame.All, *w.now)
	w.passes(5*time.Second).shows("SENT", "5s ago to 1, 1 failed", "pager was not told: no route to host", "09:05:01 opened to")
	var texts []string
	for _, m := range w.m.incidents.moments {
		texts = append(texts, m.Text)
	}
	for _, want := range []string{"incident opened: ml/PyTorchJob/bert: ", "sent to team: ml/PyTorchJob/bert opened", "not sent to pager: ml/PyTorchJob/bert: no route"} {
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(text, want) }) {
			t.Errorf("no moment %q in %q", want, texts)
		}
	}
	if err := alerts.WriteState(state, alerts.State{Version: 9}); err != nil {
		t.Fatal(err)
	}
	w.passes(10 * time.Second).shows("version 9")
}

// A timeline shows when incidents opened and were resolved. Those of a replay
// stay after jumps, each once, at the instant at which it was due.
func TestTheTimelineShowsIncidents(t *testing.T) {
	d := replaying(t, 140, 30)
	d.keys("alt+left").command("at " + recordedFrom.Add(3*time.Minute).Format(time.RFC3339))
	d.command("incidents").shows("Incidents 0")
	d.command("at " + recordedFrom.Add(6*time.Minute).Format(time.RFC3339)).shows("! open")
	if len(d.m.incidents.moments) != 1 || !strings.Contains(d.m.incidents.moments[0].Text, "incident opened") {
		t.Errorf("the moments are %+v", d.m.incidents.moments)
	}
	d.keys("(").command("at " + recordedFrom.Add(7*time.Minute).Format(time.RFC3339)).shows("! open")
	if d.keys("\""); d.m.travel.heading() != recordedFrom.Add(5*time.Minute) {
		t.Errorf("the mark before is at %s", d.m.travel.heading())
	}
	d.keys("alt+left").shows("Incidents 0")
	if len(d.m.incidents.moments) != 1 || !d.m.incidents.moments[0].At.Equal(recordedFrom.Add(5*time.Minute)) {
		t.Errorf("after a jump back the moments are %+v", d.m.incidents.moments)
	}
	d.command("at " + recordedFrom.Add(7*time.Minute).Format(time.RFC3339)).shows("! open")
	d.keys("alt+right").shows("✔ resolved")
	if len(d.m.incidents.moments) != 2 {
		t.Fatalf("after jumps back and forth the moments are %+v", d.m.incidents.moments)
	}
	if last := d.m.incidents.moments[1]; !strings.Contains(last.Text, "incident resolved: ml/PyTorchJob/bert: the job was deleted") || last.Trouble {
		t.Errorf("the last moment is %+v", last)
	}
	d.keys("alt+left").command("at " + recordedFrom.Add(7*time.Minute).Format(time.RFC3339))
	d.command("at " + recordedFrom.Add(8*time.Minute).Format(time.RFC3339))
	d.keys("\"").shows("incident opened: ml/PyTorchJob/bert")
}

// Going back over the past of a cluster disturbs nothing of what is followed now.
func TestTheIncidentsOfNowAreThereAfterThePast(t *testing.T) {
	d := rewinding(t)
	d.send(awake(d.m.analysis.runs))
	live := d.m.incidents.session.list
	d.m.session.Store.Apply(bertIs("Failed", recordedFor))
	d.send(takeSnapshot(d.m.session.Store))
	d.command("incidents").shows("! open")
	d.keys("(", "(").shows("before").hides("! open")
	d.keys("ctrl+l").shows("! open")
	if d.m.incidents.session.list != live {
		t.Error("now has another list")
	}
}

func TestAnotherContextHasIncidentsOfItsOwn(t *testing.T) {
	w := watching(t, Options{Cluster: &fakeCluster{t: t}}, 140, 30)
	w.passes(time.Second, bertIs("Failed", 5*time.Minute)).command("incidents").shows("ml/bert")
	w.command("ctx staging").command("incidents").hides("ml/bert")
}

func TestNamesOfIncidentsAreShownSafely(t *testing.T) {
	ring := ""
	memory, _ := memoryIn(t)
	memory.Keep("prod", Remembered{Pinned: []train.JobID{"uid-of-1"}})
	w := watching(t, Options{Memory: memory, Ring: func(_, text string) string { ring = text; return "" }}, 140, 30)
	evil := "x\x1b[2J\x1b]52;c;aGk=\a\u202ey"
	w.passes(time.Second, jobIs(evil, "Running", 2*time.Minute))
	w.passes(time.Second, jobIs(evil, "Failed", 5*time.Minute), bertIs("Failed", 5*time.Minute))
	check := func(text string) {
		t.Helper()
		if strings.ContainsAny(text, "\a\u202e") || strings.Contains(text, "\x1b[2J") || strings.Contains(text, "\x1b]") {
			t.Errorf("%q", text)
		}
	}
	check(w.coloured())
	w.command("incidents")
	check(w.coloured())
	if ring == "" {
		t.Error("nothing rang")
	}
	check(ring)
}
