package ui

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// The recording of these tests lasts ten minutes: bert is made after one,
// runs after two, fails after five, and is gone after nine.
var recordedFrom = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

const recordedFor = 10 * time.Minute

// bertIs is a PyTorchJob with a condition, as training-operator 1.9 writes it.
func bertIs(condition string, at time.Duration) store.Event {
	object := map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"namespace": "ml", "name": "bert", "uid": "1", "creationTimestamp": recordedFrom.Add(time.Minute).Format(time.RFC3339)},
		"spec": map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{
			"replicas": int64(2), "template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "pytorch", "image": "pytorch/pytorch:2.8.0", "command": []any{"torchrun", "train.py"}}}}},
		}}},
	}
	if condition != "" {
		object["status"] = map[string]any{"conditions": []any{map[string]any{
			"type": condition, "status": "True", "reason": "PyTorchJob" + condition, "lastTransitionTime": recordedFrom.Add(at).Format(time.RFC3339),
		}}}
	}
	return store.Set{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Object: &unstructured.Unstructured{Object: object}}
}

// recorded writes the recording.
func recorded(t *testing.T) *recording.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bert.ttrec")
	now := recordedFrom
	w, err := recording.Create(path, recording.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	var marker recording.Marker
	s := store.New(func() time.Time { return now })
	tell := func(at time.Duration, events ...store.Event) {
		now = recordedFrom.Add(at)
		w.Apply(events...)
		s.Apply(events...)
		w.Mark(marker.Next(s.Snapshot())...)
	}
	jobs := schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}
	tell(0, store.Listed{Kind: jobs}, store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceLive, Since: now}})
	tell(time.Minute, bertIs("Created", time.Minute))
	tell(2*time.Minute, bertIs("Running", 2*time.Minute))
	tell(5*time.Minute, bertIs("Failed", 5*time.Minute))
	tell(9*time.Minute, store.Deleted{Kind: jobs, Namespace: "ml", Name: "bert", UID: "1"})
	tell(recordedFor, store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceLive, Since: now}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// tape is a recording as a Timeline.
type tape struct{ *recording.Player }

func (tape) Instant(text string) (time.Time, error) { return time.Parse(time.RFC3339, text) }

func (p tape) Moments(ctx context.Context) (moments []Moment, err error) {
	marks, err := p.Marks(ctx)
	for _, m := range marks {
		moments = append(moments, Moment{At: m.At, Until: m.Until, Job: m.Job, Text: m.Text, Trouble: m.Trouble})
	}
	return moments, err
}

func replaying(t *testing.T, width, height int) *driver {
	t.Helper()
	useUTC(t)
	now := func() time.Time { return recordedFrom.Add(24 * time.Hour) }
	p := tape{recording.NewPlayer(recorded(t), "bert.ttrec", now)}
	s := store.New(now)
	if err := p.Begin(t.Context(), s, time.Time{}); err != nil {
		t.Fatal(err)
	}
	return drive(t, Options{Session: Session{Store: s, Context: "bert.ttrec", Past: p, Replayed: true}, NamespaceGiven: true}, width, height)
}

func useUTC(t *testing.T) {
	t.Helper()
	zone := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = zone })
}

func (d *driver) jobs() (phases []string) {
	for _, job := range d.m.snapshot.Jobs() {
		phases = append(phases, job.Ref.Name+" "+string(job.Phase))
	}
	return phases
}

func TestEachInstantShowsWhatWasKnown(t *testing.T) {
	d := replaying(t, 120, 30)
	steps := []struct {
		keys string
		at   time.Duration
		jobs []string
	}{
		{"", recordedFor, nil},
		{"{", 9*time.Minute + 50*time.Second, nil},
		{"(", 8*time.Minute + 50*time.Second, []string{"bert Failed"}},
		{"( ( ( (", 4*time.Minute + 50*time.Second, []string{"bert Running"}},
		{"}", 5 * time.Minute, []string{"bert Failed"}},
		{"\"", 2 * time.Minute, []string{"bert Running"}},
		{"\"", time.Minute, []string{"bert Pending"}},
		{"'", 2 * time.Minute, []string{"bert Running"}},
		{"' '", 9 * time.Minute, nil},
		{"alt+left", 0, nil},
		{"alt+right", recordedFor, nil},
	}
	for _, step := range steps {
		d.keys(strings.Fields(step.keys)...)
		if got := d.m.travel.heading().Sub(recordedFrom); got != step.at {
			t.Errorf("after %q this is %v, want %v", step.keys, got, step.at)
		}
		if diff := cmp.Diff(step.jobs, d.jobs()); diff != "" {
			t.Errorf("after %q (-want +got):\n%s", step.keys, diff)
		}
	}
}

func TestTheDiagnosisIsThatOfTheInstant(t *testing.T) {
	d := replaying(t, 120, 30)
	d.keys("(", "(")
	if d.m.analysis.report == nil || d.m.analysis.looked != d.m.snapshot {
		t.Fatal("the instant came without its diagnosis")
	}
	if got := len(d.m.analysis.report.Jobs()); got != 1 {
		t.Errorf("the diagnosis of 8:00 knows %d jobs", got)
	}
	d.keys("alt+left")
	if got := len(d.m.analysis.report.Jobs()); got != 0 {
		t.Errorf("the diagnosis of the beginning knows %d jobs", got)
	}
}

func TestPlayingGoesOnAndEnds(t *testing.T) {
	d := replaying(t, 120, 30)
	d.keys("alt+left", "*", "*", "*", "*", "*", ";") // 60x: a tick is 12 s
	if !d.m.travel.playing || d.m.travel.speed != 60 {
		t.Fatalf("it does not play at 60x: %+v", d.m.travel)
	}
	tick := func() { d.send(playTick(d.m.travel.generation)) }
	for range 10 {
		tick()
	}
	d.drain(d.m.look())
	if got := d.m.travel.heading().Sub(recordedFrom); got != 2*time.Minute {
		t.Errorf("after ten steps this is %v", got)
	}
	if diff := cmp.Diff([]string{"bert Running"}, d.jobs()); diff != "" {
		t.Error(diff)
	}
	d.keys(";")
	tick()
	if got := d.m.travel.heading().Sub(recordedFrom); got != 2*time.Minute {
		t.Errorf("it goes on while it is paused: %v", got)
	}
	d.keys(";")
	for range 100 {
		tick()
	}
	if got := d.m.travel.heading().Sub(recordedFrom); got != recordedFor || d.m.travel.playing {
		t.Errorf("at the end this is %v, playing %v", got, d.m.travel.playing)
	}
}

func TestTheTimelineShowsWhereTroubleWas(t *testing.T) {
	d := replaying(t, 120, 30)
	line := d.line("10:00")
	if d.m.page.timeline.width < 40 {
		t.Fatalf("the bar has %d cells: %q", d.m.page.timeline.width, line)
	}
	if !strings.Contains(line, "▲") || !strings.Contains(line, "◆") {
		t.Errorf("no trouble, or no instant, on %q", line)
	}
	p := d.m.page.timeline
	d.send(tea.MouseClickMsg{X: p.left + p.cell(recordedFrom.Add(3*time.Minute)), Y: p.row, Button: tea.MouseLeft})
	if got := d.m.travel.heading().Sub(recordedFrom); got < 2*time.Minute || got > 4*time.Minute {
		t.Errorf("a click on 3:00 shows %v", got)
	}
	for _, size := range [][2]int{{24, 6}, {40, 10}, {80, 24}, {300, 100}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, line := range strings.Split(d.m.content, "\n") {
			if width := ansi.StringWidth(line); width > size[0] {
				t.Errorf("%dx%d: a line of %d cells", size[0], size[1], width)
			}
		}
	}
}

// line is the first line of the screen with a text.
func (d *driver) line(text string) string {
	d.t.Helper()
	for _, line := range strings.Split(ansi.Strip(d.m.content), "\n") {
		if strings.Contains(line, text) {
			return line
		}
	}
	d.t.Fatalf("no line with %q:\n%s", text, ansi.Strip(d.m.content))
	return ""
}

// rewinding is a live session that has a past.
func rewinding(t *testing.T) *driver {
	t.Helper()
	useUTC(t)
	now := func() time.Time { return recordedFrom.Add(recordedFor + time.Second) }
	live := store.New(now)
	live.Apply(bertIs("Succeeded", recordedFor))
	p := tape{recording.NewPlayer(recorded(t), "", now)}
	return drive(t, Options{Session: Session{Store: live, Context: "prod", Past: p, Actor: &fakeActor{}}, NamespaceGiven: true}, 120, 30)
}

func TestALiveClusterIsRewound(t *testing.T) {
	d := rewinding(t)
	live := d.m.session.Store
	if strings.Contains(ansi.Strip(d.m.content), "◆") {
		t.Error("a timeline is shown although this is now")
	}
	d.keys("(", "(")
	if diff := cmp.Diff([]string{"bert Failed"}, d.jobs()); diff != "" || !d.m.travel.past() {
		t.Fatalf("two minutes ago: %s", diff)
	}
	d.line("09:08:01")
	if d.m.acting.rights().NoCluster != true {
		t.Error("something could be done to the past")
	}
	d.keys("s")
	if !strings.Contains(d.m.notice.text, "ctrl-l") {
		t.Errorf("a shell in the past: %q", d.m.notice.text)
	}
	live.Apply(bertIs("Running", recordedFor)) // live events are not seen yet
	if d.send(takeSnapshot(live)); d.jobs()[0] != "bert Failed" {
		t.Errorf("the present shows in the past: %v", d.jobs())
	}
	d.keys("ctrl+l")
	if diff := cmp.Diff([]string{"bert Running"}, d.jobs()); diff != "" || d.m.travel.past() || d.m.session.Store != live {
		t.Errorf("now: %s", diff)
	}
	d.keys("{", "}")
	if d.m.travel.past() {
		t.Error("ten seconds on from ten seconds ago is not now")
	}
}

// TestBackToNowTakesNoSnapshotInUpdate counts the snapshots of the live store
// across Update, and across the command that it returns.
func TestBackToNowTakesNoSnapshotInUpdate(t *testing.T) {
	d := rewinding(t)
	live := d.m.session.Store
	d.keys("(")
	live.Apply(bertIs("Running", recordedFor))
	before := live.Snapshot().Sequence
	_, back := d.m.Update(keyPress("ctrl+l"))
	if taken := live.Snapshot().Sequence - before - 1; taken != 0 {
		t.Errorf("Update took %d snapshots", taken)
	}
	if !d.m.travel.past() {
		t.Error("now is shown before its snapshot is there")
	}
	d.keys("(") // a jump requested meanwhile comes after it
	d.drain(back)
	if !d.m.travel.past() || d.m.travel.moving {
		t.Error("the jump was lost")
	}
	d.keys("ctrl+l")
	if diff := cmp.Diff([]string{"bert Running"}, d.jobs()); diff != "" || d.m.travel.past() {
		t.Errorf("now: %s", diff)
	}
}

// TestSwitchingTakesNoSnapshotInUpdate hands a session over with its snapshot.
func TestSwitchingTakesNoSnapshotInUpdate(t *testing.T) {
	d := rewinding(t)
	next := fixture(t)
	now := next.Snapshot()
	if d.m.Update(switched{session: Session{Store: next, Context: "other", Namespace: d.m.namespace}, now: now}); next.Snapshot().Sequence != now.Sequence+1 {
		t.Error("Update took a snapshot")
	}
	if d.m.session.Store != next || len(d.m.snapshot.Jobs()) == 0 {
		t.Error("the other session is not shown")
	}
}

func TestWithoutAPastTheKeysSaySo(t *testing.T) {
	d := drive(t, Options{}, 120, 30)
	d.keys("{")
	if !strings.Contains(d.m.notice.text, "traintop record") {
		t.Errorf("files: %q", d.m.notice.text)
	}
	for _, b := range d.m.acting.rights().In(keymap.Jobs) {
		if b.Action == keymap.TravelBack {
			t.Error("the help names keys that do nothing")
		}
	}
	d = drive(t, Options{Session: Session{Actor: &fakeActor{}}}, 120, 30)
	d.keys(";")
	if !strings.Contains(d.m.notice.text, "rewind") {
		t.Errorf("a cluster: %q", d.m.notice.text)
	}
}

// TestWhereNothingWasRecordedTheBarIsEmpty: a gap of a fifth of the span, in
// its middle.
func TestWhereNothingWasRecordedTheBarIsEmpty(t *testing.T) {
	d := replaying(t, 120, 20)
	d.m.page.timeline = timelineBounds{width: 50, from: recordedFrom, to: recordedFrom.Add(50 * time.Minute)}
	d.m.travel.moments = []Moment{{At: recordedFrom.Add(20 * time.Minute), Until: recordedFrom.Add(30 * time.Minute), Text: "nothing was recorded", Trouble: true}}
	bar := ""
	for _, cell := range d.m.travel.bar(recordedFrom.Add(40 * time.Minute)) {
		bar += cell.Text
	}
	g := d.m.theme.Glyphs
	want := strings.Repeat(g.Rule, 20) + g.Warning + strings.Repeat(" ", 10) + strings.Repeat(g.Rule, 9) + g.Marked + strings.Repeat(g.Rule, 9)
	if bar != want {
		t.Errorf("the bar is\n%q, want\n%q", bar, want)
	}
}

// narrated is a timeline with one sentence about all of it.
type narrated struct {
	Timeline
	text, keys string
}

func (n narrated) Story(time.Time) (text, keys string) { return n.text, n.keys }

// On a narrow terminal the sentence is cut, and not the keys that show more.
func TestANarrationKeepsItsKeys(t *testing.T) {
	for _, c := range []struct {
		width int
		keys  string
		want  string
	}{
		{120, "D on bert, :gpus", "the others fail with NCCL errors.  D on bert, :gpus"},
		{80, "D on bert, :gpus", "the others fail wi…  D on bert\n"},
		{80, "C on bert", "the others fail wi…  C on bert\n"},
		{24, "enter on bert-large", "Rank 2 of bert is o"},
	} {
		d := replaying(t, c.width, 24)
		d.m.session.Past = narrated{d.m.session.Past, "Rank 2 of bert is out of GPU memory on its node, the others fail with NCCL errors.", c.keys}
		d.keys("j").shows(c.want)
	}
}
