package alerts

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// failures lets so many jobs fail in a row, some at each look, and returns what
// was sent.
func (l *lab) failures(jobs, each int, apart time.Duration, cause train.Cause) (all []Trouble, sent []string) {
	l.t.Helper()
	for n := range jobs {
		all = append(all, trouble(n, train.Failed, cause))
		if (n+1)%each == 0 {
			sent = append(sent, l.look(apart, all...)...)
		}
	}
	return all, sent
}

func TestAThousandJobsThatFailInAMinute(t *testing.T) {
	for _, cause := range []train.Cause{"image-registry-unreachable", ""} {
		l := newLab(t)
		all, sent := l.failures(1000, 20, time.Second, cause)
		if len(sent) != 1 {
			t.Errorf("%q: %q are sent", cause, sent)
		}
		l.look(updatesApart, all...)
		if len(l.due) != 1 || l.due[0].Notice.Change != Updated || len(l.due[0].Notice.Incident.Jobs) != 1000 {
			t.Errorf("%q: afterwards %d notices are sent, want one of 1000 jobs", cause, len(l.due))
		}
		if text := MessageOf(l.due[0].Notice).Heading; !strings.Contains(text, "1000 jobs") || strings.Contains(text, "cause ,") {
			t.Errorf("%q: the heading is %q", cause, text)
		}
		l.expect(l.look(time.Hour, all...))
	}
}

// Jobs that fail one after the other come together from the fifth on.
func TestJobsThatFailOneAfterTheOther(t *testing.T) {
	l := newLab(t)
	all, sent := l.failures(60, 1, 3*time.Second, "storage-unreachable")
	if len(sent) != burst {
		t.Errorf("%q are sent, want %d", sent, burst)
	}
	l.expect(l.look(updatesApart, all...), "updated failed cause storage-unreachable")
	if jobs := len(l.due[0].Notice.Incident.Jobs); jobs != 60-burst+1 {
		t.Errorf("the notice lists %d jobs", jobs)
	}
	// A job that fails hours later is another incident.
	later := append(all, trouble(90, train.Failed, "storage-unreachable"))
	l.expect(l.look(3*time.Hour, later...), "opened failed job-90")
	for n := range burst {
		later = append(later, trouble(100+n, train.Failed, "storage-unreachable"))
	}
	l.expect(l.look(time.Hour, later...), "opened failed cause storage-unreachable")
	if jobs := len(l.due[0].Notice.Incident.Jobs); jobs != burst {
		t.Errorf("the second incident lists %d jobs", jobs)
	}
	first, second := l.tracker.Incidents()[burst+1], l.tracker.Incidents()[0]
	if first.ID == second.ID {
		t.Errorf("both have the id %s", first.ID)
	}
}

// A cause that is found later changes the incident of the jobs, and opens none.
func TestACauseThatIsFoundLater(t *testing.T) {
	l := newLab(t)
	all, sent := l.failures(40, 40, time.Second, "")
	l.expect(sent, "opened failed rule failed")
	for i := range all {
		all[i].Cause = "cuda-out-of-memory"
		l.expect(l.look(time.Second, all...))
	}
	l.expect(l.look(updatesApart, all...), "updated failed cause cuda-out-of-memory")
	if i := l.due[0].Notice.Incident; i.Cause != "cuda-out-of-memory" || len(i.Jobs) != 40 {
		t.Errorf("the incident is %+v", i)
	}
	for i := range all {
		delete(l.phases, all[i].Job.ID)
	}
	l.expect(l.look(time.Second), "resolved failed cause cuda-out-of-memory")
	if outcome := l.due[0].Notice.Incident.Outcome; outcome != "40: was deleted" {
		t.Errorf("the outcome is %q", outcome)
	}
}

func TestWhatWasBrokenBeforeIsNotJoined(t *testing.T) {
	l := &lab{t: t, tracker: Tracker{Cluster: "prod", Rules: Presets()}, now: noon, phases: map[train.JobID]train.Phase{}}
	old, sent := l.failures(8, 8, 0, "python-exception")
	l.expect(sent)
	l.expect(l.look(time.Second, append(old, trouble(20, train.Failed, "python-exception"))...), "opened failed job-20")
}

func TestManyJobsThatWaitTooLongComeTogether(t *testing.T) {
	l := newLab(t)
	var all []Trouble
	var sent []string
	for n := range 100 {
		waits := trouble(n, train.Queued, "quota-exceeded")
		waits.Severity, waits.Since = train.SeverityInfo, l.now
		all = append(all, waits)
		sent = append(sent, l.look(10*time.Second, all...)...)
	}
	l.expect(sent)
	l.now = noon.Add(12 * time.Hour)
	for range 120 {
		sent = append(sent, l.look(10*time.Second, all...)...)
	}
	if len(sent) < 2 || len(sent) > burst+4 {
		t.Errorf("%d notices are sent of 100 jobs: %q", len(sent), sent)
	}
}

// A trouble that comes and goes all day is few notices, and none is lost for ever.
func TestATroubleThatComesAndGoes(t *testing.T) {
	l := newLab(t)
	crash := trouble(1, train.Restarting, "python-exception")
	var sent []string
	for range 24 * 6 { // each ten minutes
		for range 5 {
			sent = append(sent, l.look(time.Minute, crash)...)
		}
		l.phases["job-1"] = train.Running
		for range 5 {
			sent = append(sent, l.look(time.Minute)...)
		}
	}
	if len(sent) > 8 || !slices.Contains(sent, "repeated restarts job-1") {
		t.Errorf("in a day %d notices are sent: %q", len(sent), sent)
	}
	sent = nil
	for range 70 {
		sent = append(sent, l.look(time.Minute)...)
	}
	l.expect(sent, "resolved restarts job-1")
	l.expect(l.look(7*time.Hour, crash))
	l.expect(l.look(3*time.Minute, crash), "opened restarts job-1")
	l.phases["job-1"] = train.Running
	l.look(time.Second)
	l.expect(l.look(SettleFor), "resolved restarts job-1") // it is remembered for some hours only
}

func TestComingAndGoingIsKnownAfterARestart(t *testing.T) {
	l := newLab(t)
	nan := trouble(1, train.Running, "nan-loss")
	l.look(time.Second, nan)
	l.look(time.Second)
	l.expect(l.look(SettleFor), "resolved nan job-1")
	state := l.tracker.State(nil)
	l.tracker = Tracker{Cluster: "prod", Rules: Presets()}
	l.tracker.Continue(state)
	l.expect(l.look(time.Minute, nan), "opened nan job-1")
	l.look(time.Second)
	l.expect(l.look(SettleFor))
	l.expect(l.look(settleGrows*SettleFor), "resolved nan job-1")
}

// A clock that was ahead, and is right again, holds nothing up.
func TestTheClockGoesBack(t *testing.T) {
	l := newLab(t, Rule{Name: "failed", Phases: []train.Phase{train.Failed}, Most: 1})
	l.now = noon.Add(100 * 24 * time.Hour)
	one, nan := trouble(1, train.Failed, "a"), trouble(2, train.Running, "nan-loss")
	l.expect(l.look(0, one, nan), "opened nan job-2", "opened failed job-1")
	l.now = noon
	two := trouble(3, train.Failed, "b")
	l.expect(l.look(0, one, nan, two))
	l.expect(l.look(time.Hour, one, nan, two), "opened failed job-3")
	l.expect(l.look(4*time.Hour, one, nan, two), "repeated nan job-2")
	l.look(time.Second, one, two)
	l.expect(l.look(SettleFor, one, two), "resolved nan job-2")
}

// A state that contains nothing that can be used is moved beside, and the watcher
// begins.
func TestAStateThatCannotBeUsed(t *testing.T) {
	for name, text := range map[string]string{
		"cut off": `{"version":1,"cluster":"prod","incid`, "empty": "", "of another version": `{"version":7}`, "no incident": `{"version":1,"incidents":[null]}`, "without ids": `{"version":1,"incidents":[{"rule":"nan"}]}`,
		"of wrong types": `{"version":1,"incidents":{"a":1}}`,
	} {
		path := filepath.Join(t.TempDir(), "prod.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var said []string
		w, team := NewWatcher("prod", Presets(), func(line string) { said = append(said, line) }), &outlet{}
		if err := w.Begin(path, []Outlet{team}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(said) != 1 || !strings.Contains(said[0], "was moved to "+path+unusableSuffix) || strings.Contains(said[0], "move the file") {
			t.Errorf("%s: it says %q", name, said)
		}
		if kept, err := os.ReadFile(path + unusableSuffix); err != nil || string(kept) != text {
			t.Errorf("%s: what is kept is %q, %v", name, kept, err)
		}
		running := func(train.JobID) (train.Phase, bool) { return train.Running, true }
		w.Look(Observation{At: noon, Phase: running})
		w.Look(Observation{At: noon.Add(time.Second), Troubles: []Trouble{trouble(1, train.Running, "nan-loss")}, Phase: running})
		if s, err := ReadState(path); err != nil || len(s.Incidents) != 1 || len(team.got) != 1 {
			t.Errorf("%s: afterwards %+v, %v; sent %q", name, s, err, team.got)
		}
	}
}

// A file that no watcher wrote stays, whatever is in it, and so do states that
// were moved aside before.
func TestAFileOfOthersIsNoState(t *testing.T) {
	for name, text := range map[string]string{
		"text": "precious", "binary": "\x00\xff\x00", "a list": "[]", "null": "null", "JSON of another program": `{"name":"train","version":"1.0.0"}`,
	} {
		path := filepath.Join(t.TempDir(), "prod.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := NewWatcher("prod", Presets(), func(string) {}).Begin(path, nil)
		if err == nil || !strings.Contains(err.Error(), "was not written by a watcher") {
			t.Errorf("%s: the error is %v", name, err)
		}
		if kept, err := os.ReadFile(path); err != nil || string(kept) != text {
			t.Errorf("%s: afterwards it is %q, %v", name, kept, err)
		}
	}
}

func TestWhatIsNoFileIsNoState(t *testing.T) {
	for name, made := range map[string]func(string) error{
		"a folder":           func(path string) error { return os.Mkdir(path, 0o700) },
		"a link to a device": func(path string) error { return os.Symlink(os.DevNull, path) },
	} {
		path := filepath.Join(t.TempDir(), "prod.json")
		if err := made(path); err != nil {
			t.Skip(err)
		}
		before, _ := os.Lstat(path)
		if err := NewWatcher("prod", Presets(), func(string) {}).Begin(path, nil); err == nil || !strings.Contains(err.Error(), "no file") {
			t.Errorf("%s: the error is %v", name, err)
		}
		if err := WriteState(path, State{}); err == nil {
			t.Errorf("%s was replaced by a state", name)
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s is another afterwards: %v", name, err)
		}
	}
}

func TestUnusableStatesStandBesideEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prod.json")
	for n, text := range []string{`{"version":7}`, `{"version":8}`, `{"version":9}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := NewWatcher("prod", Presets(), func(string) {}).Begin(path, nil); err != nil {
			t.Fatal(err)
		}
		aside, _ := filepath.Glob(path + unusableSuffix + "*")
		if len(aside) != n+1 {
			t.Errorf("after %d unusable states there are %q", n+1, aside)
		}
	}
}

func TestAStateBehindALinkIsReplacedThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prod.json")
	target := filepath.Join(t.TempDir(), "kept.json")
	if err := errors.Join(os.WriteFile(target, nil, 0o600), os.Symlink(target, path)); err != nil {
		t.Skip(err)
	}
	if err := WriteState(path, State{Version: stateVersion, Cluster: "prod"}); err != nil {
		t.Fatal(err)
	}
	if s, err := ReadState(target); err != nil || s.Cluster != "prod" {
		t.Errorf("behind the link is %+v, %v", s, err)
	}
}

func TestAStateOfUnknownThingsIsContinued(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prod.json")
	text := `{"version":1,"cluster":"prod","later":true,"followed":[{"key":"job|x","incident":"gone","owed":"dance"},{"key":"job|y","owed":"dance"},{}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w := NewWatcher("prod", Presets(), func(line string) { t.Error(line) })
	if err := w.Begin(path, nil); err != nil {
		t.Fatal(err)
	}
	w.Look(Observation{At: noon, Phase: func(train.JobID) (train.Phase, bool) { return "", false }})
}

// The Lease goes to another watcher and comes back, twice: each notice is sent by
// one of the two.
func TestTheLeaseIsTakenAndComesBack(t *testing.T) {
	var all []Trouble
	at := noon
	look := func(watchers ...*Watcher) {
		at = at.Add(time.Second)
		for _, w := range watchers {
			w.Look(Observation{At: at, Troubles: all, Phase: func(train.JobID) (train.Phase, bool) { return train.Running, true }})
		}
	}
	begin := func() (*Watcher, *outlet) {
		w, team := NewWatcher("prod", Presets(), func(string) {}), &outlet{}
		if err := w.Begin(filepath.Join(t.TempDir(), "state.json"), []Outlet{team}); err != nil {
			t.Fatal(err)
		}
		return w, team
	}
	first, ofFirst := begin()
	second, ofSecond := begin()
	first.StandBy()
	second.StandBy()
	look(first, second)
	first.TakeOver(at)
	for n := range 4 {
		all = append(all, trouble(2*n, train.Failed, train.Cause("a"+string(rune('0'+n)))))
		look(first, second) // the one that leads sends
		leads, follows := first, second
		if n%2 == 1 {
			leads, follows = second, first
		}
		leads.StandBy()
		lost := at
		all = append(all, trouble(2*n+1, train.Failed, train.Cause("b"+string(rune('0'+n)))))
		look(first, second) // nobody does
		follows.TakeOver(lost.Add(time.Millisecond))
	}
	got := append(slices.Clone(ofFirst.got), ofSecond.got...)
	slices.Sort(got)
	want := []string{"opened job-0", "opened job-1", "opened job-2", "opened job-3", "opened job-4", "opened job-5", "opened job-6", "opened job-7"}
	if !slices.Equal(got, want) {
		t.Errorf("they send %q and %q", ofFirst.got, ofSecond.got)
	}
}
