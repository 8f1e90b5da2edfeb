package incidents

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

// job is an affected job of the demo's cluster, or of none.
func job(id train.JobID, name string, hours float64) alerts.AffectedJob {
	return alerts.AffectedJob{ID: id, Namespace: "vision", Group: "kubeflow.org", Kind: "PyTorchJob", Name: name, Attempt: 1, GPUs: 8, GPUHours: hours}
}

// some are an incident of each state, the newest first.
func some(f views.Frame) []alerts.Incident {
	at := func(ago time.Duration) time.Time { return f.Now().Add(-ago) }
	first := f.Snapshot.Jobs()[0]
	var hit []alerts.AffectedJob
	for n := range 40 {
		hit = append(hit, job(train.JobID(fmt.Sprint("gone-", n)), fmt.Sprintf("sweep-%02d", n), 30))
	}
	return []alerts.Incident{
		{
			ID: "a1", Rule: "node", Cause: "node-lost", Severity: train.SeverityError, Shared: "Node/h100-3", Jobs: hit, Rank: -1,
			Title: "node h100-3 is lost: its kubelet has not answered for 4m", Since: at(5 * time.Minute), Opened: at(4 * time.Minute),
			Evidence: "NodeStatusUnknown: Kubelet stopped posting node status.", Next: "Cordon the node, and ask who runs it.", NextCommand: "kubectl cordon h100-3",
			Sent: []alerts.Delivery{{Receiver: "team", Change: alerts.Opened, At: at(4 * time.Minute)}, {Receiver: "pager", Change: alerts.Opened, At: at(4 * time.Minute), Failed: "the server answered 500"}},
		},
		{
			ID: "a2", Rule: "failed", Cause: "cuda-out-of-memory", Severity: train.SeverityError, Rank: 37, Since: at(20 * time.Minute), Opened: at(20 * time.Minute),
			Jobs:  []alerts.AffectedJob{{ID: first.ID, Namespace: first.Ref.Namespace, Group: first.Ref.Group, Kind: first.Ref.Kind, Name: first.Ref.Name, Attempt: 2, GPUs: 64, GPUHours: 4812.6}},
			Title: "worker-36: the GPU ran out of memory in train.py:388", Evidence: "torch.OutOfMemoryError: CUDA out of memory.", Next: "Use a smaller batch.",
			Sent: []alerts.Delivery{{Receiver: "team", Change: alerts.Opened, At: at(20 * time.Minute)}}, Acknowledged: at(time.Minute),
		},
		{
			ID: "a3", Rule: "idle", Cause: "low-gpu-utilisation", Severity: train.SeverityWarning, Rank: -1, Since: at(3 * time.Hour), Opened: at(2 * time.Hour),
			Jobs: []alerts.AffectedJob{job("idle", "notebook-ana", 12.3)}, Title: "8 GPUs do nothing for 2h", Muted: f.Now().Add(42 * time.Minute),
		},
		{
			ID: "a4", Rule: "stuck", Cause: "image-not-found", Severity: train.SeverityError, Rank: 0, Since: at(50 * time.Hour), Opened: at(3 * time.Hour), Old: true,
			Jobs: []alerts.AffectedJob{job("stuck", "detr-r50", 0)}, Title: "the image registry.example/detr:v9 is not there",
		},
		{
			ID: "a5", Rule: "nan", Cause: "nan-loss", Severity: train.SeverityError, Rank: 0, Since: at(5 * time.Hour), Opened: at(5 * time.Hour), Resolved: at(4 * time.Hour), Outcome: "the job runs",
			Jobs: []alerts.AffectedJob{job("nan", "tts-vits", 0.4)}, Title: "loss is NaN from epoch 1.16 on",
			Sent: []alerts.Delivery{{Receiver: "team", Change: alerts.Opened, At: at(5 * time.Hour)}, {Receiver: "team", Change: alerts.Resolved, At: at(4 * time.Hour)}},
		},
	}
}

func TestMain(m *testing.M) {
	time.Local = time.UTC // clock times are those of the reader
	os.Exit(m.Run())
}

// demo is the demo's cluster, read once.
var demo *store.Snapshot

func frame(tb testing.TB, width, height int, o themes.Options) views.Frame {
	tb.Helper()
	if demo == nil {
		demo = screentest.Demo(tb)
	}
	f := screentest.Frame(tb, demo, width, height, o)
	f.Incidents = views.Incidents{All: some(f), Rules: alerts.Presets(), Version: 1}
	return f
}

func TestScreens(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 18}, {160, 39}, {40, 7}, {20, 5}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden.RequireEqual(t, screentest.Plain(New(), frame(t, size.width, size.height, themes.Options{})))
		})
	}
	t.Run("none", func(t *testing.T) {
		f := frame(t, 80, 12, themes.Options{})
		f.Incidents.All = nil
		golden.RequireEqual(t, screentest.Plain(New(), f))
	})
	t.Run("ascii", func(t *testing.T) {
		screen := screentest.Screen(New(), frame(t, 160, 18, themes.Options{ASCII: true, NoColor: true}))
		screentest.CheckASCII(t, screen)
		golden.RequireEqual(t, screen)
	})
}

// do carries out an action that has to mean something.
func do(t *testing.T, v *View, f views.Frame, action keymap.Action) views.Effect {
	t.Helper()
	effect, handled := v.Do(action, f)
	if !handled {
		t.Errorf("%s means nothing", action)
	}
	return effect
}

func TestEnterOpensWhatIsAtFault(t *testing.T) {
	v, f := New(), frame(t, 160, 40, themes.Options{})
	v.Render(f)
	if to, is := screentest.RouteOf[views.NodeRoute](do(t, v, f, keymap.Open)); !is || to.Name != "h100-3" {
		t.Errorf("a node opens %+v", to)
	}
	v.Select("a2")
	if to, is := screentest.RouteOf[views.DiagnosisRoute](do(t, v, f, keymap.Open)); !is || to.Job != f.Snapshot.Jobs()[0].ID {
		t.Errorf("a job opens %+v", to)
	}
	if to, is := screentest.RouteOf[views.LogsRoute](do(t, v, f, keymap.OpenLogs)); !is || to.Job != f.Snapshot.Jobs()[0].ID {
		t.Errorf("its logs are %+v", to)
	}
	v.Select("a4")
	if notice := screentest.In[views.Notice](do(t, v, f, keymap.Open)); !strings.Contains(notice.Text, "vision/PyTorchJob/detr-r50 is not there any more") {
		t.Errorf("a deleted job: %+v", notice)
	}
	f.Incidents.All[0].Shared, f.Incidents.Version = "cause image-not-found", 2
	for range 40 {
		f.Incidents.All[0].Jobs = append(f.Incidents.All[0].Jobs, job("more", "more", 0))
	}
	v.Render(f)
	v.Select("a1")
	effect := do(t, v, f, keymap.Open)
	if to, is := screentest.RouteOf[views.JobsRoute](effect); !is || !strings.HasPrefix(to.Filter, "sweep-00|sweep-01|") {
		t.Errorf("many jobs open %+v", to)
	}
	if notice := screentest.In[views.Notice](effect); notice.Text != "the first 50 of 80 jobs that it hits" {
		t.Errorf("it says %q", notice.Text)
	}
}

func TestMarksAreSetAndTakenAway(t *testing.T) {
	v, f := New(), frame(t, 160, 40, themes.Options{})
	v.Render(f)
	expect := func(action keymap.Action, mark views.IncidentMark, ids ...alerts.IncidentID) {
		t.Helper()
		got := screentest.In[views.MarkIncidents](do(t, v, f, action))
		if got.Mark != mark || !slices.Equal(got.IDs, ids) {
			t.Errorf("%s: %+v, want %d of %v", action, got, mark, ids)
		}
	}
	expect(keymap.TakeIncident, views.TakeIncident, "a1")
	expect(keymap.MuteIncident, views.MuteIncident, "a1")
	v.Select("a2")
	expect(keymap.TakeIncident, views.GiveBackIncident, "a2")
	v.Do(keymap.Mark, f)
	v.Select("a1")
	v.Do(keymap.Mark, f)
	expect(keymap.TakeIncident, views.TakeIncident, "a1", "a2") // not all are taken
	v.Do(keymap.ClearMarks, f)
	v.Select("a3")
	expect(keymap.MuteIncident, views.UnmuteIncident, "a3")
	v.Select("a5")
	if effect := do(t, v, f, keymap.TakeIncident); len(screentest.In[views.MarkIncidents](effect).IDs) > 0 || !screentest.In[views.Notice](effect).Failed {
		t.Errorf("one that is over: %+v", effect)
	}
}

func TestPastOnesAreHidden(t *testing.T) {
	v, f := New(), frame(t, 160, 40, themes.Options{})
	if screen := screentest.Plain(v, f); !strings.Contains(screen, "tts-vits") || strings.Index(screen, "tts-vits") < strings.Index(screen, "detr-r50") {
		t.Errorf("past ones are not last:\n%s", screen)
	}
	do(t, v, f, keymap.ShowPast)
	if screen := screentest.Plain(v, f); strings.Contains(screen, "tts-vits") || !strings.Contains(screen, "t shows") {
		t.Errorf("past ones are there:\n%s", screen)
	}
	f.Incidents.All, f.Incidents.Version = f.Incidents.All[4:], 2
	if screen := screentest.Plain(v, f); !strings.Contains(screen, "no incident is open") {
		t.Errorf("nothing says that none is open:\n%s", screen)
	}
}

func TestAMuteEndsByTimeAlone(t *testing.T) {
	v, f := New(), frame(t, 160, 40, themes.Options{})
	if screen := screentest.Plain(v, f); !strings.Contains(screen, "muted 42m") {
		t.Errorf("the mute is not shown:\n%s", screen)
	}
	later := *f.Snapshot
	later.Now = later.Now.Add(43 * time.Minute)
	f.Snapshot, f.Ages.Now = &later, later.Now
	if screen := screentest.Plain(v, f); strings.Contains(screen, "muted") || !strings.Contains(screen, "2 open") {
		t.Errorf("after it is over:\n%s", screen)
	}
}

func TestOnlyTheNamespaceIsShown(t *testing.T) {
	v, f := New(), frame(t, 160, 40, themes.Options{})
	f.Namespace = "nowhere"
	if screen := screentest.Plain(v, f); !strings.Contains(screen, "no incident in namespace nowhere") {
		t.Errorf("another namespace:\n%s", screen)
	}
}

// A name from the cluster moves no cursor.
func TestNamesAreShownSafely(t *testing.T) {
	v, f := New(), frame(t, 160, 20, themes.Options{NoColor: true})
	evil := "x\x1b[2J\r\n\x1b]52;c;aGk=\a\u202e"
	for k := range f.Incidents.All {
		i := &f.Incidents.All[k]
		i.Title, i.Evidence, i.Next, i.Shared, i.Rule = evil, evil, evil, evil, evil
		i.Jobs = []alerts.AffectedJob{{ID: "evil", Namespace: evil, Name: evil, Kind: evil}}
		i.Sent = []alerts.Delivery{{Receiver: evil, Failed: evil}}
	}
	check := func(screen string) {
		t.Helper()
		if strings.ContainsAny(screen, "\r\a\u202e") || strings.Contains(screen, "\x1b[2J") || strings.Contains(screen, "\x1b]") {
			t.Errorf("%q", screen)
		}
	}
	check(screentest.Screen(v, f))
	check(screentest.In[views.Notice](do(t, v, f, keymap.Open)).Text)
	check(v.Text(f))
}

// BenchmarkFrame draws one window of 2,000 incidents after they changed.
func BenchmarkFrame(b *testing.B) {
	v, f := New(), frame(b, 160, 50, themes.Options{})
	one := f.Incidents.All[1]
	for n := range 2000 {
		one.ID = alerts.IncidentID(fmt.Sprint(n))
		f.Incidents.All = append(f.Incidents.All, one)
	}
	b.ReportAllocs()
	for b.Loop() {
		f.Incidents.Version++
		v.Title(f)
		v.Render(f)
	}
}

// Incidents of jobs that have one name are distinguished.
func TestJobsOfOneNameAreDistinct(t *testing.T) {
	v, f := New(), frame(t, 160, 40, themes.Options{})
	there := f.Snapshot.Jobs()[0]
	now := alerts.AffectedJob{ID: there.ID, Namespace: "ml", Group: "kubeflow.org", Kind: "PyTorchJob", Name: "bert", Attempt: 1}
	shows := func(jobs []alerts.AffectedJob, want ...string) {
		t.Helper()
		f.Incidents.All, f.Incidents.Version = nil, f.Incidents.Version+1
		for k, job := range jobs {
			f.Incidents.All = append(f.Incidents.All, alerts.Incident{ID: alerts.IncidentID(fmt.Sprint(k)), Rule: "failed", Rank: -1, Title: "it failed", Jobs: []alerts.AffectedJob{job}})
		}
		screen := screentest.Plain(v, f)
		for _, text := range want {
			if !strings.Contains(screen, text) {
				t.Errorf("there is no %q in\n%s", text, screen)
			}
		}
	}
	with := func(change func(*alerts.AffectedJob)) alerts.AffectedJob {
		other := now
		change(&other)
		return other
	}
	shows([]alerts.AffectedJob{now}, "  ml/bert  ")
	shows([]alerts.AffectedJob{now, with(func(j *alerts.AffectedJob) { j.ID = "earlier" })}, "  ml/bert  ", "ml/bert (deleted)")
	shows([]alerts.AffectedJob{now, with(func(j *alerts.AffectedJob) { j.ID, j.Kind, j.Group = "other", "Job", "batch" })}, "ml/PyTorchJob/bert  ", "ml/Job/bert (deleted)")
	shows([]alerts.AffectedJob{now, with(func(j *alerts.AffectedJob) { j.Attempt = 2 })}, "ml/bert attempt 1", "ml/bert attempt 2")
}
