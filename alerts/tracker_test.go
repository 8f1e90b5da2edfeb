package alerts

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// lab is a tracker that is shown troubles, and the notices that it made.
type lab struct {
	t       *testing.T
	tracker Tracker
	now     time.Time
	phases  map[train.JobID]train.Phase
	due     []Due
	// settling is that of the next looks.
	settling bool
}

// newLab begins with a look at a cluster without trouble.
func newLab(t *testing.T, rules ...Rule) *lab {
	t.Helper()
	l := &lab{t: t, tracker: Tracker{Cluster: "prod", Rules: RulesFrom(rules)}, now: noon, phases: map[train.JobID]train.Phase{}}
	l.look(0)
	return l
}

// look shows troubles some time after the last look, and returns the notices as
// "opened failed job-1".
func (l *lab) look(after time.Duration, troubles ...Trouble) []string {
	l.t.Helper()
	l.now = l.now.Add(after)
	for i := range troubles {
		l.phases[troubles[i].Job.ID] = troubles[i].Phase
	}
	l.due = l.tracker.Observe(Observation{At: l.now, Settling: l.settling, Troubles: troubles, Phase: func(id train.JobID) (train.Phase, bool) {
		phase, there := l.phases[id]
		return phase, there
	}})
	var all []string
	for _, d := range l.due {
		i := d.Notice.Incident
		of := i.Shared
		if of == "" {
			of = i.Jobs[0].Name
		}
		all = append(all, fmt.Sprintf("%s %s %s", d.Notice.Change, i.Rule, of))
	}
	return all
}

func (l *lab) expect(got []string, want ...string) {
	l.t.Helper()
	if !slices.Equal(got, want) {
		l.t.Errorf("at %s: %q, want %q", l.now.Format("15:04:05"), got, want)
	}
}

// trouble is that of job n.
func trouble(n int, phase train.Phase, cause train.Cause) Trouble {
	name := fmt.Sprintf("job-%d", n)
	return Trouble{
		Job:   AffectedJob{ID: train.JobID(name), Namespace: "ml", Kind: "PyTorchJob", Name: name, Attempt: 1, GPUs: 8},
		Phase: phase, Cause: cause, Severity: train.SeverityError, Title: "it is " + string(cause), Rank: -1,
	}
}

func onNode(t Trouble, node string) Trouble {
	t.Shared = "Node/" + node
	return t
}

func TestWhatWasBrokenBeforeIsNotSent(t *testing.T) {
	l := &lab{t: t, tracker: Tracker{Cluster: "prod", Rules: Presets()}, now: noon, phases: map[train.JobID]train.Phase{}}
	failed := trouble(1, train.Failed, "cuda-out-of-memory")
	l.expect(l.look(0, failed))
	l.expect(l.look(time.Hour, failed))
	if all := l.tracker.Incidents(); len(all) != 1 || !all[0].Old {
		t.Errorf("incidents are %+v", all)
	}
	l.expect(l.look(time.Minute)) // nor is its end
	l.expect(l.look(time.Minute))
	again := trouble(1, train.Failed, "cuda-out-of-memory")
	l.expect(l.look(time.Minute, again), "opened failed job-1")
}

// Reports from logs come after the first look. While they are read, what began
// before that look is old, and so is what they add to an old trouble; what begins
// now is sent.
func TestWhatLogsTellOfTheTimeBeforeIsNotSent(t *testing.T) {
	settling := func(began time.Duration, continued bool) *lab {
		l := &lab{t: t, tracker: Tracker{Cluster: "prod", Rules: Presets()}, now: noon, phases: map[train.JobID]train.Phase{}}
		if continued {
			l.tracker.Continue(State{LastSeen: noon.Add(-time.Minute)})
		}
		l.settling = true
		failed := trouble(1, train.Failed, "failed-unknown")
		failed.Since = noon.Add(-time.Hour)
		l.look(0, failed)
		failed.Cause = "cuda-out-of-memory"
		nan := trouble(2, train.Running, "nan-loss")
		nan.Since = noon.Add(began)
		l.look(10*time.Second, failed, nan)
		l.settling = false
		return l
	}
	l := settling(-time.Hour, false)
	if len(l.due) > 0 || len(l.tracker.Incidents()) != 2 || l.tracker.Incidents()[0].Cause == "failed-unknown" || l.tracker.Incidents()[1].Cause == "failed-unknown" {
		t.Errorf("what was there before: %d sent, incidents %+v", len(l.due), l.tracker.Incidents())
	}
	if l := settling(5*time.Second, false); len(l.due) != 1 || l.due[0].Notice.Incident.Cause != "nan-loss" {
		t.Errorf("what began a moment ago: sent are %+v", l.due)
	}
	if l := settling(-time.Second, true); len(l.due) == 0 {
		t.Error("since the last watcher: nothing is sent")
	}
	l = settling(5*time.Second, false)
	l.settling = true
	fails := trouble(3, train.Failed, "failed-unknown")
	fails.Since = noon.Add(-2 * time.Second) // by a clock that is behind
	if l.look(time.Second, fails); len(l.due) != 1 {
		t.Errorf("a job that fails while logs are read: sent are %+v", l.due)
	}
	second := &lab{t: t, tracker: Tracker{Cluster: "prod", Rules: Presets()}, now: noon.Add(700 * time.Millisecond), phases: map[train.JobID]train.Phase{}, settling: true}
	second.look(0)
	hot := trouble(2, train.Running, "nan-loss")
	hot.Since = noon
	if second.look(time.Second, hot); len(second.due) != 1 {
		t.Errorf("what begins in the second of the first look: sent are %+v", second.due)
	}
}

// A trouble that was there before is sent once it is worse, and lasted as long
// as its rule requires; then its end is sent too.
func TestWhatWasBrokenBeforeIsSentWhenItIsWorse(t *testing.T) {
	l := &lab{t: t, tracker: Tracker{Cluster: "prod", Rules: Presets()}, now: noon, phases: map[train.JobID]train.Phase{}}
	waits := trouble(1, train.Queued, "gang-not-ready")
	waits.Severity, waits.Since = train.SeverityWarning, noon.Add(-time.Minute)
	l.expect(l.look(0, waits))
	worse := waits
	worse.Severity = train.SeverityError
	l.expect(l.look(time.Minute, worse))
	if kept := l.tracker.openNow(l.now); len(kept) != 0 {
		t.Errorf("nobody was told, and it is kept open: %+v", kept)
	}
	l.expect(l.look(7*time.Minute, worse))
	l.expect(l.look(time.Minute, worse), "updated stuck job-1")
	m := MessageOf(l.due[0].Notice)
	if want := (Field{"changed", "its severity was warning, and is error now"}); !slices.Contains(m.Fields, want) {
		t.Errorf("the message is %+v", m)
	}
	if kept := l.tracker.openNow(l.now); len(kept) != 1 {
		t.Errorf("people were told, and it is not kept open: %+v", kept)
	}
	l.expect(l.look(time.Minute))
	l.expect(l.look(time.Minute), "resolved stuck job-1")
}

// A trouble that was there before, became worse for a moment and went away is not
// sent at all.
func TestWhatWasBrokenBeforeAndIsWorseForAMomentIsNotSent(t *testing.T) {
	l := &lab{t: t, tracker: Tracker{Cluster: "prod", Rules: Presets()}, now: noon, phases: map[train.JobID]train.Phase{}}
	waits := trouble(1, train.Queued, "gang-not-ready")
	waits.Severity, waits.Since = train.SeverityWarning, noon.Add(-time.Minute)
	l.expect(l.look(0, waits))
	waits.Severity = train.SeverityError
	l.expect(l.look(time.Minute, waits))
	l.expect(l.look(time.Minute))
	l.expect(l.look(time.Minute))
	l.expect(l.look(time.Minute))
}

func TestWhileTheClusterIsUnreadNothingBeginsOrEnds(t *testing.T) {
	watcher := Presets()[0]
	watcher.Off = false
	l := newLab(t, watcher)
	nan := trouble(1, train.Running, "nan-loss")
	l.expect(l.look(time.Second, nan), "opened nan job-1")
	for range 20 {
		l.now = l.now.Add(time.Minute)
		l.due = l.tracker.Observe(Observation{At: l.now, Unread: "connection refused"})
		if len(l.due) > 0 {
			break
		}
	}
	if len(l.due) != 1 || l.due[0].Notice.Incident.Shared != "cluster prod" || !strings.Contains(l.due[0].Notice.Incident.Title, "connection refused") {
		t.Errorf("it sends %+v", l.due)
	}
	l.expect(l.look(time.Minute, nan))
	l.expect(l.look(time.Minute, nan), "resolved watcher cluster prod")
}

func TestATroubleIsAnIncidentOnceItLasts(t *testing.T) {
	l := newLab(t)
	pending := trouble(1, train.Pending, "image-not-found")
	l.expect(l.look(time.Minute, pending))
	l.expect(l.look(9*time.Minute, pending))
	l.expect(l.look(time.Minute, pending), "opened stuck job-1")
	l.expect(l.look(time.Hour, pending))
	l.expect(l.look(24*time.Hour, pending), "repeated stuck job-1")
	delete(l.phases, "job-1")
	l.expect(l.look(time.Second), "resolved stuck job-1")
	if outcome := l.due[0].Notice.Incident.Outcome; outcome != "the job was deleted" {
		t.Errorf("the outcome is %q", outcome)
	}
	l.expect(l.look(time.Hour))
}

func TestATroubleThatPassesIsNone(t *testing.T) {
	l := newLab(t)
	l.expect(l.look(time.Minute, trouble(1, train.Pending, "insufficient-gpu")))
	l.expect(l.look(5 * time.Minute))
	l.expect(l.look(time.Minute, trouble(1, train.Pending, "insufficient-gpu")))
	l.expect(l.look(9*time.Minute, trouble(1, train.Pending, "insufficient-gpu")))
}

func TestFortyJobsOnOneLostNodeAreOneNotice(t *testing.T) {
	l := newLab(t)
	var hit []Trouble
	for n := range 40 {
		hit = append(hit, onNode(trouble(n, train.Running, "node-lost"), "gpu-3"))
	}
	l.expect(l.look(time.Second, hit[:1]...))
	l.expect(l.look(10*time.Second, hit...))
	l.expect(l.look(10*time.Second, hit...), "opened node Node/gpu-3")
	message := MessageOf(l.due[0].Notice)
	if !strings.Contains(message.Heading, "Node/gpu-3, 40 jobs") || !strings.Contains(message.Fields[0].Text, "and 30 more") {
		t.Errorf("the message is %+v", message)
	}
	more := append(hit, onNode(trouble(40, train.Running, "node-lost"), "gpu-3"), onNode(trouble(41, train.Running, "node-lost"), "gpu-4"))
	l.expect(l.look(time.Minute, more...)) // an update waits
	l.expect(l.look(4*time.Minute, more...), "updated node Node/gpu-3", "opened node Node/gpu-4")
	l.expect(l.look(time.Minute, more[:41]...))
	l.expect(l.look(time.Minute, more[:41]...), "resolved node Node/gpu-4")
}

// The sentence of an incident is about one job: where several share the incident, it names the job.
func TestAnIncidentOfSeveralJobsNamesTheOneItSpeaksOf(t *testing.T) {
	l := newLab(t)
	hit := []Trouble{onNode(trouble(1, train.Running, "node-lost"), "gpu-3"), onNode(trouble(2, train.Running, "node-lost"), "gpu-3")}
	for i := range hit {
		hit[i].Title = "The job waits for its node"
	}
	l.look(time.Second, hit[:1]...)
	l.look(20*time.Second, hit[:1]...)
	if title := l.tracker.Incidents()[0].Title; title != "The job waits for its node" {
		t.Errorf("of one job: %q", title)
	}
	l.look(time.Second, hit...)
	if title := l.tracker.Incidents()[0].Title; title != "ml/PyTorchJob/job-1 waits for its node" {
		t.Errorf("of two jobs: %q", title)
	}
}

func TestJobsThatFailTogetherAreOneNotice(t *testing.T) {
	l := newLab(t)
	var all []Trouble
	for n := range burst {
		all = append(all, trouble(n, train.Failed, "image-registry-unreachable"))
	}
	l.expect(l.look(time.Second, all...), "opened failed cause image-registry-unreachable")
	alone := trouble(90, train.Failed, "cuda-out-of-memory")
	l.expect(l.look(time.Second, append(all, alone)...), "opened failed job-90")
	l.expect(l.look(time.Hour, append(all, alone)...))
}

func TestACrashLoopIsOneIncident(t *testing.T) {
	l := newLab(t)
	crash := trouble(1, train.Restarting, "python-exception")
	l.expect(l.look(time.Second, crash))
	l.expect(l.look(3*time.Minute, crash), "opened restarts job-1")
	for attempt := 2; attempt < 9; attempt++ {
		l.phases["job-1"] = train.Running
		l.expect(l.look(10 * time.Second)) // it runs for a moment
		crash.Job.Attempt = attempt
		l.expect(l.look(10*time.Second, crash))
	}
	l.phases["job-1"] = train.Running
	l.expect(l.look(20 * time.Second))
	l.expect(l.look(30*time.Second), "resolved restarts job-1")
	if outcome := l.due[0].Notice.Incident.Outcome; outcome != "the job runs" {
		t.Errorf("the outcome is %q", outcome)
	}
}

func TestALaterAttemptWithAnotherCauseIsAnotherIncident(t *testing.T) {
	l := newLab(t)
	l.expect(l.look(time.Second, trouble(1, train.Running, "nan-loss")), "opened nan job-1")
	other := trouble(1, train.Failed, "cuda-out-of-memory")
	other.Job.Attempt = 2
	l.expect(l.look(time.Minute, other), "resolved nan job-1", "opened failed job-1")
	if all := l.tracker.Incidents(); len(all) != 2 || all[0].ID == all[1].ID {
		t.Errorf("incidents are %+v", all)
	}
}

func TestAHangThatFailsIsUpdated(t *testing.T) {
	l := newLab(t)
	hang := trouble(1, train.Running, "hang-no-output")
	hang.Since = noon.Add(-30 * time.Minute)
	l.expect(l.look(time.Second, hang), "opened hang job-1")
	first := l.due[0].Notice
	l.expect(l.look(10*time.Minute, trouble(1, train.Failed, "nccl-timeout")), "updated failed job-1")
	if second := l.due[0].Notice; second.Incident.ID != first.Incident.ID || second.ID == first.ID {
		t.Errorf("notices are %s and %s", first.ID, second.ID)
	}
	if got, want := l.due[0].Notice.Incident.Changed, "the job failed; the cause was hang-no-output"; got != want {
		t.Errorf("changed is %q, want %q", got, want)
	}
}

// A failure is sent at once, also when an update was sent just before.
func TestAFailureDoesNotWaitForTheLastUpdate(t *testing.T) {
	l := newLab(t)
	hang := trouble(1, train.Running, "hang-no-output")
	hang.Since = noon.Add(-30 * time.Minute)
	l.expect(l.look(time.Second, hang), "opened hang job-1")
	l.expect(l.look(10*time.Second, trouble(1, train.Failed, "nccl-timeout")), "updated failed job-1")
}

// A job that is one of many with a cause and fails of another one is sent alone;
// one that fails of the same cause changes the incident of all.
func TestAJobOfManyThatFailsIsReported(t *testing.T) {
	l := newLab(t)
	var hangs []Trouble
	for n := range burst {
		hang := trouble(n+1, train.Running, "storage-hang")
		hang.Since = noon.Add(-30 * time.Minute)
		hangs = append(hangs, hang)
	}
	l.expect(l.look(time.Second, hangs...))
	l.expect(l.look(time.Minute, hangs...), "opened hang cause storage-hang")
	hangs[2] = trouble(3, train.Failed, "cuda-out-of-memory")
	l.expect(l.look(10*time.Second, hangs...), "opened failed job-3")
	hangs[3] = trouble(4, train.Failed, "storage-hang")
	l.expect(l.look(10*time.Second, hangs...), "updated failed cause storage-hang")
	l.expect(l.look(10*time.Second, hangs...))
}

func TestQuietHoursHoldAndForget(t *testing.T) {
	quiet, err := ParseQuiet([]string{"22:00-07:00"}, "UTC")
	if err != nil {
		t.Fatal(err)
	}
	l := newLab(t, Rule{Name: "idle", Causes: []train.Cause{"low-gpu-utilisation"}, Quiet: quiet})
	idle, other := trouble(1, train.Running, "low-gpu-utilisation"), trouble(2, train.Running, "low-gpu-utilisation")
	idle.Severity, other.Severity = train.SeverityWarning, train.SeverityWarning
	l.expect(l.look(11*time.Hour, idle, other)) // 23:00
	l.expect(l.look(time.Hour, idle))
	l.expect(l.look(time.Hour, idle))
	l.expect(l.look(6*time.Hour, idle), "opened idle job-1") // 07:00
	l.expect(l.look(14*time.Hour, idle))
	l.phases["job-1"] = train.Running
	l.expect(l.look(2 * time.Hour))
	l.expect(l.look(8*time.Hour), "resolved idle job-1")
}

func TestMoreThanTheRateComesTogether(t *testing.T) {
	l := newLab(t, Rule{Name: "failed", Phases: []train.Phase{train.Failed}, Most: 3})
	var all []Trouble
	for n := range 8 {
		all = append(all, trouble(n, train.Failed, train.Cause(fmt.Sprintf("cause-%d", n))))
	}
	l.expect(l.look(time.Second, all...), "opened failed job-0", "opened failed job-1", "opened failed rule failed")
	if jobs := l.due[2].Notice.Incident.Jobs; len(jobs) != 6 {
		t.Errorf("%d jobs come together, want 6", len(jobs))
	}
	all = append(all, trouble(9, train.Failed, "cause-9"))
	l.expect(l.look(time.Minute, all...))
	l.expect(l.look(time.Hour, all...), "opened failed job-9")
}

func TestATakenIncidentIsSentOnceMoreAtItsEnd(t *testing.T) {
	l := newLab(t)
	hang := trouble(1, train.Running, "hang-no-output")
	hang.Since = noon.Add(-time.Hour)
	l.expect(l.look(time.Second, hang), "opened hang job-1")
	l.tracker.incidents[0].Acknowledged = l.now
	l.expect(l.look(24*time.Hour, hang))
	l.phases["job-1"] = train.Succeeded
	l.expect(l.look(time.Second), "resolved hang job-1")
}

// The person who took an incident looks after the job: a worse state is no news.
func TestATakenIncidentThatGetsWorseIsNotSent(t *testing.T) {
	l := newLab(t)
	hang := trouble(1, train.Running, "hang-no-output")
	hang.Since = noon.Add(-time.Hour)
	l.expect(l.look(time.Second, hang), "opened hang job-1")
	l.tracker.incidents[0].Acknowledged = l.now
	l.expect(l.look(time.Hour, trouble(1, train.Failed, "nccl-timeout")))
}

// A trouble without a reported beginning is another incident when it
// comes again.
func TestATroubleThatComesAgainHasAnotherID(t *testing.T) {
	l := newLab(t)
	l.expect(l.look(time.Second, trouble(1, train.Running, "nan-loss")), "opened nan job-1")
	first := l.due[0].Notice.Incident.ID
	l.phases["job-1"] = train.Succeeded
	l.expect(l.look(time.Hour), "resolved nan job-1")
	l.expect(l.look(24*time.Hour, trouble(1, train.Running, "nan-loss")), "opened nan job-1")
	if again := l.due[0].Notice.Incident.ID; again == first {
		t.Errorf("both are %s", again)
	}
}

func TestAMutedIncidentIsSentAfterwards(t *testing.T) {
	l := newLab(t)
	nan := trouble(1, train.Running, "nan-loss")
	l.expect(l.look(time.Second, nan), "opened nan job-1")
	l.tracker.incidents[0].Muted = l.now.Add(6 * time.Hour)
	l.expect(l.look(5*time.Hour, nan))
	l.expect(l.look(2*time.Hour, nan), "repeated nan job-1")
}

// outlet keeps the notices that it gets.
type outlet struct{ got []string }

func (o *outlet) Name() string { return "team" }

func (o *outlet) Queue(n Notice) {
	o.got = append(o.got, string(n.Change)+" "+n.Incident.Jobs[0].Name)
}

func TestAWatcherThatIsStartedAgainSendsNothingTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	phases := map[train.JobID]train.Phase{"job-1": train.Running}
	look := func(w *Watcher, at time.Time, troubles ...Trouble) {
		w.Look(Observation{At: at, Troubles: troubles, Phase: func(id train.JobID) (train.Phase, bool) { p, there := phases[id]; return p, there }})
	}
	var said []string
	begin := func() (*Watcher, *outlet) {
		w, team := NewWatcher("prod", Presets(), func(line string) { said = append(said, line) }), &outlet{}
		if err := w.Begin(path, []Outlet{team}); err != nil {
			t.Fatal(err)
		}
		return w, team
	}
	w, team := begin()
	look(w, noon)
	look(w, noon.Add(time.Second), trouble(1, train.Running, "nan-loss"))
	if !slices.Equal(team.got, []string{"opened job-1"}) {
		t.Fatalf("it sends %q", team.got)
	}
	killed, team := begin() // before the outlet reported
	if !slices.Equal(team.got, []string{"opened job-1"}) || len(said) != 1 || !strings.Contains(said[0], "may have arrived") {
		t.Errorf("after a kill it sends %q and says %q", team.got, said)
	}
	n := killed.outgoing[[2]string{"team", onlyKey(killed)}].Notice
	killed.Delivered(n, Delivery{Receiver: "team", Change: n.Change, At: noon})

	quiet, team := begin()
	look(quiet, noon.Add(time.Minute), trouble(1, train.Running, "nan-loss"))
	if len(team.got) > 0 {
		t.Errorf("it sends %q again", team.got)
	}
	delete(phases, "job-1")
	failed := trouble(2, train.Failed, "cuda-out-of-memory") // while no watcher ran
	last, team := begin()
	look(last, noon.Add(2*time.Hour), failed)
	if !slices.Equal(team.got, []string{"resolved job-1", "opened job-2"}) {
		t.Errorf("after a while it sends %q", team.got)
	}
	if sent := last.Incidents()[1].Sent; len(sent) != 1 || sent[0].Receiver != "team" {
		t.Errorf("deliveries are %+v", sent)
	}
}

func onlyKey(w *Watcher) string {
	for key := range w.outgoing {
		return key[1]
	}
	return ""
}

func TestAStandbySendsWhatTheOtherDidNot(t *testing.T) {
	w, team := NewWatcher("prod", Presets(), func(string) {}), &outlet{}
	if err := w.Begin("", []Outlet{team}); err != nil {
		t.Fatal(err)
	}
	look := func(at time.Time, troubles ...Trouble) {
		w.Look(Observation{At: at, Troubles: troubles, Phase: func(train.JobID) (train.Phase, bool) { return train.Running, true }})
	}
	w.StandBy()
	look(noon)
	look(noon.Add(time.Second), trouble(1, train.Failed, "a"))
	look(noon.Add(time.Minute), trouble(1, train.Failed, "a"), trouble(2, train.Failed, "b"))
	w.TakeOver(noon.Add(30 * time.Second)) // the other was last seen alive then
	if !slices.Equal(team.got, []string{"opened job-2"}) {
		t.Errorf("it sends %q", team.got)
	}
	look(noon.Add(2*time.Minute), trouble(3, train.Failed, "c"))
	look(noon.Add(3*time.Minute), trouble(3, train.Failed, "c"))
	if len(team.got) != 4 { // 3 begins, 1 and 2 end
		t.Errorf("it sends %q", team.got)
	}
}

// A watcher that does not know whether it still holds the Lease waits: it sends when it
// does, and leaves to another one what that has sent.
func TestWhatIsDueWithoutTheLeaseWaits(t *testing.T) {
	for name, c := range map[string]struct {
		then func(w *Watcher)
		want []string
	}{
		"it still holds it":            {func(*Watcher) {}, []string{"opened job-1"}},
		"nobody held it meanwhile":     {func(w *Watcher) { w.StandBy(); w.TakeOver(time.Time{}) }, []string{"opened job-1"}},
		"another one sends":            {func(w *Watcher) { w.StandBy() }, nil},
		"another one had it and ended": {func(w *Watcher) { w.StandBy(); w.TakeOver(noon.Add(time.Hour)) }, nil},
	} {
		holds := true
		w, team := NewWatcher("prod", Presets(), func(string) {}), &outlet{}
		w.Holds = func() bool { return holds }
		if err := w.Begin("", []Outlet{team}); err != nil {
			t.Fatal(err)
		}
		look := func(at time.Time, troubles ...Trouble) {
			w.Look(Observation{At: at, Troubles: troubles, Phase: func(train.JobID) (train.Phase, bool) { return train.Running, true }})
		}
		look(noon)
		holds = false // it was stopped, and goes on
		look(noon.Add(time.Minute), trouble(1, train.Failed, "a"))
		if len(team.got) != 0 {
			t.Errorf("%s: without the Lease it sends %q", name, team.got)
		}
		holds = true
		c.then(w)
		look(noon.Add(time.Minute+time.Second), trouble(1, train.Failed, "a"))
		if !slices.Equal(team.got, c.want) {
			t.Errorf("%s: it sends %q", name, team.got)
		}
	}
}

// Notices that the other watcher sent long ago are not kept.
func TestAStandbyKeepsLittle(t *testing.T) {
	w := NewWatcher("prod", Presets(), func(string) {})
	if err := w.Begin("", nil); err != nil {
		t.Fatal(err)
	}
	w.StandBy()
	for hour := range 50 {
		var troubles []Trouble
		if hour > 0 {
			troubles = []Trouble{trouble(hour, train.Failed, "a")}
		}
		w.Look(Observation{At: noon.Add(time.Duration(hour) * time.Hour), Troubles: troubles, Phase: func(train.JobID) (train.Phase, bool) { return "", false }})
	}
	if len(w.waiting) > 2 {
		t.Errorf("it keeps %d notices", len(w.waiting))
	}
}

func TestAFullDiskIsSaidOnce(t *testing.T) {
	var said []string
	w := NewWatcher("prod", Presets(), func(line string) { said = append(said, line) })
	if err := w.Begin("", nil); err != nil {
		t.Fatal(err)
	}
	w.Path = filepath.Join(t.TempDir(), "state.json")
	if err := WriteState(filepath.Join(w.Path, "in-a-file"), State{}); err != nil { // the path is a folder
		t.Fatal(err)
	}
	for n := range 3 {
		w.Look(Observation{At: noon.Add(time.Duration(n) * time.Hour), Phase: func(train.JobID) (train.Phase, bool) { return "", false }})
	}
	if len(said) != 1 || !strings.Contains(said[0], "goes on in memory") {
		t.Errorf("it says %q", said)
	}
}
