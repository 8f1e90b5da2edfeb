package incidentlist

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

var nine = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// lab is a cluster with a clock, and a list that looks at it.
type lab struct {
	t     *testing.T
	now   time.Time
	store *store.Store
	list  *List
}

func newLab(t *testing.T, o Options) *lab {
	t.Helper()
	l := &lab{t: t, now: nine}
	l.store = store.New(func() time.Time { return l.now })
	o.Cluster, o.Rules = "prod", alerts.Presets()
	l.list = New(o)
	return l
}

// job sets a PyTorchJob with a condition since now.
func (l *lab) job(name, condition string) { l.store.Apply(jobIs(name, condition, l.now)) }

func jobIs(name, condition string, since time.Time) store.Event {
	return store.Set{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"namespace": "ml", "name": name, "uid": name, "creationTimestamp": nine.Add(-time.Hour).Format(time.RFC3339)},
		"spec": map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(2), "template": map[string]any{"spec": map[string]any{
			"containers": []any{map[string]any{"name": "pytorch", "image": "pytorch/pytorch:2.8.0", "command": []any{"torchrun", "train.py"}}}}}}}},
		"status": map[string]any{"conditions": []any{map[string]any{
			"type": condition, "status": "True", "reason": "PyTorchJob" + condition, "message": "the job is " + condition, "lastTransitionTime": since.Format(time.RFC3339),
		}}},
	}}}
}

// look looks some time later.
func (l *lab) look(after time.Duration) Found {
	l.now = l.now.Add(after)
	s := l.store.Snapshot()
	return l.list.Look(s, diagnose.Run(s, diagnose.Options{}, nil))
}

// names are the jobs of incidents with what became of them.
func names(f Found) (all []string) {
	for _, i := range f.Incidents {
		word := ""
		switch {
		case !i.Open():
			word = " over"
		case i.Old:
			word = " old"
		}
		all = append(all, i.Rule+" "+i.Jobs[0].Name+word)
	}
	return all
}

func (l *lab) expect(f Found, want ...string) {
	l.t.Helper()
	if got := names(f); !slices.Equal(got, want) {
		l.t.Errorf("at %s: %q, want %q", l.now.Format(time.TimeOnly), got, want)
	}
}

func TestIncidentsOpenAndAreResolved(t *testing.T) {
	l := newLab(t, Options{})
	l.job("broken", "Failed")
	l.job("bert", "Running")
	f := l.look(0)
	l.expect(f, "failed broken old")
	if len(f.Opened) > 0 {
		t.Errorf("what was there before is news: %+v", f.Opened)
	}
	version := f.Version
	if f = l.look(time.Second); f.Version != version {
		t.Error("nothing changed, and the version did")
	}
	l.job("bert", "Failed")
	f = l.look(time.Second)
	l.expect(f, "failed bert", "failed broken old")
	if len(f.Opened) != 1 || f.Opened[0].Incident.Jobs[0].Name != "bert" || f.Version == version {
		t.Errorf("opened %+v, version %d", f.Opened, f.Version)
	}
	if f = l.look(time.Second); len(f.Opened) > 0 || len(f.Incidents[0].Sent) > 0 {
		t.Errorf("it is news again, or counts as sent: %+v", f)
	}
	l.job("bert", "Succeeded")
	l.expect(l.look(time.Second), "failed bert over", "failed broken old")
}

// The screen and a watcher give one incident one ID.
func TestIDsAreThoseOfAWatcher(t *testing.T) {
	l := newLab(t, Options{})
	w := alerts.NewWatcher("prod", alerts.Presets(), func(string) {})
	if err := w.Begin("", nil); err != nil {
		t.Fatal(err)
	}
	l.look(0)
	l.job("bert", "Failed")
	f := l.look(time.Minute)
	s := l.store.Snapshot()
	w.Look(observationOf(s, diagnose.Run(s, diagnose.Options{}, nil)))
	if theirs := w.Incidents(); len(theirs) != 1 || theirs[0].ID != f.Incidents[0].ID {
		t.Errorf("%+v is not %+v", theirs, f.Incidents)
	}
}

func TestAReplayThatJumpsBackBeginsAnew(t *testing.T) {
	l := newLab(t, Options{})
	l.look(0)
	l.job("bert", "Failed")
	l.expect(l.look(time.Hour), "failed bert")
	l.store = store.New(func() time.Time { return l.now })
	l.job("bert", "Running")
	l.expect(l.look(-30 * time.Minute))
	l.job("bert", "Failed")
	if f := l.look(time.Minute); len(f.Opened) != 1 {
		t.Errorf("after the jump nothing opens: %+v", f)
	}
}

// A replay that jumps ahead does not wait for what is over there, and what is there
// goes on as one incident.
func TestAReplayThatJumpsAheadWaitsForNothing(t *testing.T) {
	l := newLab(t, Options{})
	l.look(0)
	l.job("bert", "Failed")
	l.job("gpt", "Failed")
	l.expect(l.look(time.Second), "failed gpt", "failed bert")
	l.store = store.New(func() time.Time { return l.now })
	l.job("bert", "Running")
	l.store.Apply(jobIs("gpt", "Failed", l.now))
	l.expect(l.look(10*time.Minute), "failed gpt", "failed bert over")
}

// An incident that a replay saw stays known after jumps back and forth, and is
// listed once.
func TestWhatAReplaySawIsKept(t *testing.T) {
	l := newLab(t, Options{})
	failed := nine.Add(10 * time.Minute)
	at := func(minute int, condition string) Found {
		l.store = store.New(func() time.Time { return l.now })
		l.store.Apply(jobIs("bert", condition, failed))
		l.now = nine.Add(time.Duration(minute) * time.Minute)
		return l.look(0)
	}
	at(0, "Running")
	at(11, "Failed")
	f := at(20, "Succeeded")
	seen := func(f Found, opened, resolved int) {
		t.Helper()
		if len(f.Seen) != 1 || f.Seen[0].Old || !f.Seen[0].Opened.Equal(nine.Add(time.Duration(opened)*time.Minute)) || f.Seen[0].Open() != (resolved == 0) {
			t.Fatalf("at %s seen are %+v", l.now, f.Seen)
		}
		if want := nine.Add(time.Duration(resolved) * time.Minute); resolved > 0 && !f.Seen[0].Resolved.Equal(want) {
			t.Errorf("at %s it was resolved at %s, want %s", l.now, f.Seen[0].Resolved, want)
		}
	}
	seen(f, 10, 20)
	f = at(5, "Running")
	seen(f, 10, 20)
	l.expect(f)
	f = at(12, "Failed") // one minute later than the first time
	seen(f, 10, 20)
	l.expect(f, "failed bert")
	at(3, "Running")
	f = at(15, "Failed")
	seen(f, 10, 20)
	at(2, "Running")
	l.list.begin() // as a jump to where it has failed
	f = at(14, "Failed")
	seen(f, 10, 20)
	l.expect(f, "failed bert")
	if !f.Incidents[0].Opened.Equal(nine.Add(10 * time.Minute)) {
		t.Errorf("the incident that opened at 9:10 has opened at %s", f.Incidents[0].Opened)
	}
	seen(at(25, "Succeeded"), 10, 20)

	// A second failure, hours later, is another one.
	failed = nine.Add(5 * time.Hour)
	if f = at(301, "Failed"); len(f.Seen) != 2 {
		t.Errorf("a failure hours later is joined: %+v", f.Seen)
	}
}

func TestMarksAreShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "watch", "prod.marks.json")
	l := newLab(t, Options{Marks: alerts.MarksFile{Path: path}})
	l.job("bert", "Failed")
	id := l.look(0).Incidents[0].ID
	f := l.list.Mark([]alerts.IncidentID{id}, func(m *alerts.Mark, now time.Time) { m.Acknowledged = now })
	if !f.Incidents[0].Acknowledged.Equal(nine) || len(f.Problems) > 0 {
		t.Errorf("it is not taken: %+v", f)
	}
	f = l.list.Mark([]alerts.IncidentID{id}, func(m *alerts.Mark, now time.Time) { m.Muted = now.Add(time.Hour) })
	if f.Incidents[0].Acknowledged.IsZero() || f.Incidents[0].Muted.IsZero() {
		t.Errorf("a second mark took the first away: %+v", f.Incidents[0])
	}

	other := newLab(t, Options{Marks: alerts.MarksFile{Path: path}})
	other.job("bert", "Failed")
	if i := other.look(time.Second).Incidents[0]; i.Acknowledged.IsZero() || i.Muted.IsZero() {
		t.Errorf("another session does not know the marks: %+v", i)
	}
	other.list.Mark([]alerts.IncidentID{id}, func(m *alerts.Mark, _ time.Time) { *m = alerts.Mark{} })
	if i := l.look(time.Second).Incidents[0]; i.Acknowledged.IsZero() {
		t.Error("the file was read again at once")
	}
	if i := l.look(readAgain).Incidents[0]; !i.Acknowledged.IsZero() || !i.Muted.IsZero() {
		t.Errorf("what another session changed is not seen: %+v", i)
	}
}

// A mark that cannot be written is kept in memory, and that is reported once.
func TestMarksThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := newLab(t, Options{Marks: alerts.MarksFile{Path: filepath.Join(file, "marks.json")}})
	l.job("bert", "Failed")
	said := slices.Clone(l.look(0).Problems)
	id := l.look(0).Incidents[0].ID
	for range 2 {
		f := l.list.Mark([]alerts.IncidentID{id}, func(m *alerts.Mark, now time.Time) { m.Acknowledged = now })
		said = append(said, f.Problems...)
		if f.Incidents[0].Acknowledged.IsZero() {
			t.Error("it is not taken")
		}
	}
	if len(said) != 1 {
		t.Errorf("said %q", said)
	}
}

// stateWith writes the state of a watcher that sent an incident about bert, and
// remembers one that is over.
func stateWith(t *testing.T, path string, id alerts.IncidentID, lastSeen time.Time) {
	t.Helper()
	bert := alerts.AffectedJob{ID: "bert", Namespace: "ml", Kind: "PyTorchJob", Name: "bert", Attempt: 1}
	gone := alerts.AffectedJob{ID: "gone", Namespace: "ml", Kind: "PyTorchJob", Name: "gone", Attempt: 1}
	w := alerts.State{Version: 1, Cluster: "prod", LastSeen: lastSeen, Incidents: []*alerts.Incident{
		{ID: "0001", Rule: "stuck", Jobs: []alerts.AffectedJob{gone}, Opened: nine.Add(-3 * time.Hour)},
		{ID: id, Rule: "failed", Jobs: []alerts.AffectedJob{bert}, Opened: nine.Add(-time.Minute), Sent: []alerts.Delivery{{Receiver: "team", Change: alerts.Opened, At: nine.Add(-time.Minute)}}},
	}}
	if err := alerts.WriteState(path, w); err != nil {
		t.Fatal(err)
	}
}

func TestTheStateOfAWatcherIsJoined(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prod.json")
	l := newLab(t, Options{State: path})
	l.job("bert", "Failed")
	f := l.look(0)
	l.expect(f, "failed bert old")
	stateWith(t, path, f.Incidents[0].ID, nine)
	l.look(time.Second)
	f = l.look(readAgain)
	l.expect(f, "failed bert", "stuck gone")
	if len(f.Incidents[0].Sent) != 1 {
		t.Errorf("what was sent is not known: %+v", f.Incidents[0])
	}
	f = l.look(watcherStopped + time.Minute)
	l.expect(f, "failed bert", "stuck gone over")
	if f.Incidents[1].Outcome != notSeen {
		t.Errorf("the outcome is %q", f.Incidents[1].Outcome)
	}

	// Its ID differs where it is unknown since when the job is in trouble.
	stateWith(t, path, "feed", l.now)
	f = l.look(readAgain)
	l.expect(f, "failed bert", "stuck gone")
	if f.Incidents[0].ID != "feed" {
		t.Errorf("the incident of the watcher is another: %+v", f.Incidents[0])
	}
}

// Watchers of one namespace, of some jobs and of all are joined, whenever they
// began; what two of them sent about one incident is shown together.
func TestTheStatesOfAllWatchersAreJoined(t *testing.T) {
	folder := t.TempDir()
	l := newLab(t, Options{State: filepath.Join(folder, "prod.json"), Marks: alerts.MarksFile{Path: filepath.Join(folder, "prod.marks.json")}})
	l.job("bert", "Failed")
	id := l.look(0).Incidents[0].ID
	stateWith(t, filepath.Join(folder, "prod_ml.json"), id, nine)
	f := l.look(readAgain)
	l.expect(f, "failed bert", "stuck gone")
	if len(f.Incidents[0].Sent) != 1 {
		t.Errorf("what a watcher of a namespace sent is not known: %+v", f.Incidents[0])
	}
	stateWith(t, filepath.Join(folder, "prod.json"), id, nine)
	stateWith(t, filepath.Join(folder, "production.json"), "other", nine) // another context
	f = l.look(readAgain)
	l.expect(f, "failed bert", "stuck gone")
	if len(f.Incidents[0].Sent) != 2 || len(f.Problems) > 0 {
		t.Errorf("what two watchers sent is %+v, problems %q", f.Incidents[0].Sent, f.Problems)
	}
	if err := os.Remove(filepath.Join(folder, "prod.json")); err != nil {
		t.Fatal(err)
	}
	if f = l.look(readAgain); len(f.Incidents[0].Sent) != 1 {
		t.Errorf("of a state that is gone there is still %+v", f.Incidents[0].Sent)
	}
}

func TestAStateThatCannotBeReadIsSaidOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prod.json")
	l := newLab(t, Options{State: path})
	l.job("bert", "Failed")
	l.look(0)
	var said []string
	for k := range 3 {
		if err := os.WriteFile(path, []byte(strings.Repeat("{", k+1)), 0o600); err != nil {
			t.Fatal(err)
		}
		said = append(said, l.look(2*readAgain).Problems...)
	}
	if len(said) == 0 || len(said) > 2 || !strings.Contains(said[0], "move the file away") {
		t.Errorf("said %q", said)
	}
	stateWith(t, path, "feed", l.now)
	if f := l.look(readAgain); len(f.Incidents) != 2 || len(f.Problems) > 0 {
		t.Errorf("once it can be read: %+v", f)
	}
	other := alerts.State{Version: 1, Cluster: "lab", Incidents: []*alerts.Incident{{ID: "x", Rule: "failed", Jobs: []alerts.AffectedJob{{Name: "of lab"}}}}}
	if err := alerts.WriteState(path, other); err != nil {
		t.Fatal(err)
	}
	if f := l.look(readAgain); strings.Contains(fmt.Sprint(names(f)), "lab") {
		t.Errorf("incidents of another cluster are listed: %q", names(f))
	}
}

func TestNothingEndsWhileTheClusterIsSilent(t *testing.T) {
	l := newLab(t, Options{})
	l.look(0)
	l.job("bert", "Failed")
	l.expect(l.look(time.Second), "failed bert")
	l.store.Apply(
		store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceRetrying, Since: l.now, Text: "connection refused"}},
		store.Deleted{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Namespace: "ml", Name: "bert", UID: "bert"},
	)
	l.expect(l.look(time.Hour), "failed bert")
}

// Looks, marks and further looks may come from several goroutines.
func TestSeveralGoroutinesUseAList(t *testing.T) {
	l := newLab(t, Options{Marks: alerts.MarksFile{Path: filepath.Join(t.TempDir(), "marks.json")}})
	l.job("bert", "Failed")
	s := l.store.Snapshot()
	report := diagnose.Run(s, diagnose.Options{}, nil)
	id := l.list.Look(s, report).Incidents[0].ID
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				l.list.Look(s, report)
				l.list.Mark([]alerts.IncidentID{id}, func(m *alerts.Mark, now time.Time) { m.Acknowledged = now })
			}
		})
	}
	all.Wait()
}

// With thousands of jobs a look waits a second after the last.
func TestLooksAtManyJobsAreApart(t *testing.T) {
	l := newLab(t, Options{})
	for i := range many + 1 {
		l.job(fmt.Sprint("train-", i), "Running")
	}
	l.look(0)
	l.job("train-7", "Failed")
	l.expect(l.look(looksApart / 2))
	l.expect(l.look(looksApart/2), "failed train-7")
}

// manyJobs are so many jobs, a fifth of them failed.
func manyJobs(n int) *store.Snapshot {
	s := store.New(func() time.Time { return nine })
	for i := range n {
		condition := []string{"Created", "Running", "Succeeded", "Failed", "Suspended"}[i%5]
		s.Apply(jobIs(fmt.Sprintf("train-%05d", i), condition, nine.Add(-time.Duration(i)*time.Second)))
	}
	return s.Snapshot()
}

// A look costs less than a tenth of the diagnosis that it follows.
func TestALookIsCheapBesideADiagnosis(t *testing.T) {
	s := manyJobs(10_000)
	list := New(Options{Cluster: "prod", Rules: alerts.Presets()})
	began := time.Now()
	report := diagnose.Run(s, diagnose.Options{}, nil)
	run, look := time.Since(began), time.Hour
	for range 3 {
		began = time.Now()
		list.Look(s, report)
		look = min(look, time.Since(began))
	}
	t.Logf("a diagnosis of 10,000 jobs takes %s, a look after it %s", run, look)
	if look > run/10 {
		t.Errorf("a look takes %s, more than a tenth of %s", look, run)
	}
}

func BenchmarkLook(b *testing.B) {
	s := manyJobs(10_000)
	report := diagnose.Run(s, diagnose.Options{}, nil)
	b.Run("run", func(b *testing.B) {
		for b.Loop() {
			diagnose.Run(s, diagnose.Options{}, nil)
		}
	})
	b.Run("rerun", func(b *testing.B) {
		for b.Loop() {
			diagnose.Run(s, diagnose.Options{}, report)
		}
	})
	list := New(Options{Cluster: "prod", Rules: alerts.Presets()})
	b.Run("look", func(b *testing.B) {
		for b.Loop() {
			list.Look(s, report)
		}
	})
}

// A watcher that knows less of the cause, or not since when, gives an incident
// another ID. It stays one row, also once it is over.
func TestOneTroubleOfAJobIsOneRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prod.json")
	l := newLab(t, Options{State: path})
	l.job("bert", "Failed")
	own := l.look(0).Incidents[0]
	save := func(change func(i *alerts.Incident)) {
		t.Helper()
		i := own
		i.ID, i.Opened, i.Old = "feed", nine.Add(-time.Hour), false
		change(&i)
		if err := alerts.WriteState(path, alerts.State{Version: 1, Cluster: "prod", LastSeen: l.now, Incidents: []*alerts.Incident{&i}}); err != nil {
			t.Fatal(err)
		}
	}
	save(func(i *alerts.Incident) { i.Cause = "less-is-known" })
	l.look(time.Second)
	l.expect(l.look(readAgain), "failed bert")

	save(func(i *alerts.Incident) {
		i.Cause, i.Jobs = "of-the-attempt-before", slices.Clone(i.Jobs)
		i.Jobs[0].Attempt--
	})
	l.look(time.Second)
	l.expect(l.look(readAgain), "failed bert old", "failed bert")

	save(func(*alerts.Incident) {})
	l.look(time.Second)
	l.expect(l.look(readAgain), "failed bert")
	l.job("bert", "Succeeded")
	l.expect(l.look(time.Minute), "failed bert over")
	save(func(i *alerts.Incident) { i.Resolved, i.Outcome = l.now, "the job succeeded" })
	l.look(time.Second)
	f := l.look(readAgain)
	l.expect(f, "failed bert over")

	save(func(i *alerts.Incident) { i.Resolved, i.Outcome = nine.Add(-30*time.Minute), "the job runs" })
	l.look(time.Second)
	l.expect(l.look(readAgain), "failed bert over", "failed bert over")
}
