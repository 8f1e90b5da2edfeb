package ui

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// The header shows a tick only for data that was read: not for zero jobs, and
// not for a source that is out of reach or still lists.
func TestHeaderTicksOnlyWhatWasRead(t *testing.T) {
	for _, f := range []struct {
		state train.SourceState
		want  string
	}{
		{train.SourceLive, "nothing to look at"},
		{train.SourceListing, "not enough was read to say: kube has not been read yet (begun at 12:00:00Z)"},
		{train.SourceRetrying, "not enough was read to say: kube cannot be read since 12:00:00Z: connection refused"},
	} {
		noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		st := store.New(func() time.Time { return noon })
		st.Apply(store.HealthChanged{Health: train.Health{Source: "kube", State: f.state, Text: "connection refused", Since: noon}})
		d := drive(t, Options{Session: Session{Store: st}}, 120, 40)
		d.m.analysis.report = diagnose.Run(st.Snapshot(), diagnose.Options{}, nil)
		line := d.m.painter.line()
		d.m.head.addVerdict(line, diagnose.Sum{})
		text := ansi.Strip(line.String())
		if !strings.Contains(text, f.want) || strings.Contains(text, d.m.theme.Glyphs.Done) {
			t.Errorf("%s: %q", f.state, text)
		}
	}
}

// Where many lists fail at once, one of them does not represent all.
func TestHeaderCountsWhatWasNotRead(t *testing.T) {
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	st := store.New(func() time.Time { return noon })
	for _, resource := range []string{"events", "nodes", "pods"} {
		st.Apply(store.HealthChanged{Health: train.Health{Source: "kube/" + resource, Resource: resource, State: train.SourceRetrying, Text: "no answer in 15s", Since: noon}})
	}
	d := drive(t, Options{Session: Session{Store: st}}, 160, 40)
	d.m.analysis.report = diagnose.Run(st.Snapshot(), diagnose.Options{}, nil)
	line := d.m.painter.line()
	d.m.head.addVerdict(line, diagnose.Sum{})
	want := "not enough was read to say: 3 sources are not read: kube/events cannot be read since 12:00:00Z: no answer in 15s"
	if text := ansi.Strip(line.String()); !strings.Contains(text, want) {
		t.Errorf("the header says %q, not %q", text, want)
	}
}

// A file that is still being read may hold jobs: nothing is reported about what is
// in it.
func TestHeaderWaitsForFiles(t *testing.T) {
	d := drive(t, withHealth(train.Health{Source: "file big.yaml", State: train.SourceListing, Text: "file big.yaml"}), 120, 40)
	d.m.analysis.report = diagnose.Run(d.m.snapshot, diagnose.Options{}, nil)
	line := d.m.painter.line()
	d.m.head.addVerdict(line, diagnose.Sum{})
	if text := ansi.Strip(line.String()); !strings.Contains(text, "big.yaml is still being read") {
		t.Errorf("the header says %q", text)
	}
}

// Where there is no room for why GPUs are not free in full, it is reported in few
// words, and use comes after it.
func TestTheHeaderSaysWhyGPUsAreNotFree(t *testing.T) {
	for width, want := range map[int]string{120: "14 free, 8 on a cordoned node", 86: "14 free, 8 cordoned"} {
		drive(t, Options{}, width, 30).shows("74 of 96 held, " + want)
	}
}

// Whatever else fits, how sources are is reported at every width.
func TestTheHeaderSaysHowSourcesAreAtEveryWidth(t *testing.T) {
	d := drive(t, Options{}, 200, 30)
	for width := 60; width <= 200; width++ {
		d.m.width = width
		if line := ansi.Strip(d.m.head.whereLine()); !strings.HasSuffix(line, "file read ") {
			t.Errorf("at %d the header is %q", width, line)
		}
	}
}

// Before the first diagnosis the header shows what it waits for.
func TestHeaderSaysWhatTheFirstDiagnosisWaitsFor(t *testing.T) {
	d := drive(t, withHealth(train.Health{Source: "kube", State: train.SourceRetrying, Text: "no answer from https://cluster"},
		train.Health{Source: "prometheus", State: train.SourceRetrying, Text: "listing services"}), 160, 40)
	d.m.analysis.report = nil
	line := d.m.painter.line()
	d.m.head.addFindings(line)
	if text := ansi.Strip(line.String()); !strings.Contains(text, "not known yet: kube retrying") || !strings.Contains(text, ":ctx") || strings.Contains(text, "services") {
		t.Errorf("the header says %q", text)
	}
}

// No tick while a log that was requested has not answered once.
func TestHeaderWaitsForTheFirstLogs(t *testing.T) {
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	st := store.New(func() time.Time { return noon })
	id := train.StreamID{Namespace: "llm", Pod: "sft-0", Container: "main"}
	plan := &streams.Plan{Chosen: []streams.Chosen{{ID: id}}}
	for _, f := range []struct {
		state  train.StreamState
		unread int
	}{{"", 1}, {train.StreamOpening, 1}, {train.StreamForbidden, 0}, {train.StreamLive, 0}, {train.StreamWaiting, 0}} {
		if f.state != "" {
			st.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: f.state, Since: noon}, Rank: -1})
		}
		if got := views.FirstReadOf(plan, st.Snapshot()); got.Unread != f.unread || got.All != 1 {
			t.Errorf("%q: %+v", f.state, got)
		}
	}
	d := drive(t, withHealth(train.Health{Source: "kube", State: train.SourceLive}), 160, 40)
	d.m.o.Cluster, d.m.reading.plan, d.m.analysis.looked = &fakeCluster{}, plan, store.New(time.Now).Snapshot()
	d.m.session.Actor = &fakeActor{}
	d.m.analysis.report = diagnose.Run(st.Snapshot(), diagnose.Options{}, nil)
	line := d.m.painter.line()
	d.m.head.addVerdict(line, diagnose.Sum{Looked: 1})
	if text := ansi.Strip(line.String()); !strings.Contains(text, "not known yet: 1 of 1 log is being read for the first time") {
		t.Errorf("the header says %q", text)
	}
	d.m.session.Actor = nil // files are shown
	line = d.m.painter.line()
	d.m.head.addVerdict(line, diagnose.Sum{Looked: 1})
	if text := ansi.Strip(line.String()); strings.Contains(text, "not known yet") {
		t.Errorf("of files the header says %q", text)
	}
}

// TestHeaderCallsACutRecordingIncomplete holds that a recording that lacks
// something, and was read, is not called failed.
func TestHeaderCallsACutRecordingIncomplete(t *testing.T) {
	d := drive(t, withHealth(train.Health{Source: "recording night.ttrec", State: train.SourceFailed, Text: "cut"}), 160, 30)
	d.shows("▲ recording incomplete")
	if text := ansi.Strip(d.m.head.healthLine(80).String()); strings.Contains(text, "failed") {
		t.Errorf("the header says %q", text)
	}
}

// A notebook with idle GPUs needs a person as a job does: the header counts both.
func TestTheHeaderCountsIdlePods(t *testing.T) {
	d := drive(t, Options{Session: Session{Store: fixture(t)}}, 120, 35)
	d.m.analysis.gpus.idlePods = []signals.IdlePod{{Namespace: "lab", Name: "notebook-0", GPUs: 2}}
	says := func(want string) {
		t.Helper()
		line := d.m.painter.line()
		d.m.head.addFindings(line)
		if text := ansi.Strip(line.String()); !strings.Contains(text, want) {
			t.Errorf("the header says %q, want %q", text, want)
		}
	}
	d.m.analysis.report = diagnose.Run(d.m.snapshot, diagnose.Options{}, nil)
	says("✖ 6 ▲ 2  7 jobs and 1 pod need you")
	d.m.analysis.report = diagnose.Run(store.New(time.Now).Snapshot(), diagnose.Options{}, nil)
	says("▲ 1  1 pod needs you   lab/notebook-0  holds 2 idle GPUs")
	d.m.namespace = "vision"
	says("no training job here")
	d.m.height, d.m.namespace = 10, ""
	if text := ansi.Strip(d.m.head.where().String()); !strings.Contains(text, "▲ 1") {
		t.Errorf("a low screen says %q", text)
	}
}

// The header names the first job of the list, with its reason there: also a job that no
// finding explains.
func TestTheHeaderNamesTheFirstJobOfTheList(t *testing.T) {
	const restarting = `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: NAME, namespace: ml, uid: NAME, resourceVersion: "7", creationTimestamp: "CREATED"}
spec:
  pytorchReplicaSpecs:
    Master: {replicas: 1, restartPolicy: OnFailure, template: {spec: {containers: [{name: pytorch, image: "train:1"}]}}}
status:
  conditions: [{type: TYPE, status: "True", reason: Because, message: "MESSAGE", lastTransitionTime: "CREATED"}]
`
	job := func(name, created, condition, message string) string {
		return strings.NewReplacer("NAME", name, "CREATED", created, "TYPE", condition, "MESSAGE", message).Replace(restarting)
	}
	older := job("older", "2026-11-20T08:00:00Z", "Restarting", "PyTorchJob older is restarting because 1 Master replica(s) failed.")
	newer := job("newer", "2026-11-20T08:59:00Z", "Running", "PyTorchJob newer is running.")
	path := filepath.Join(t.TempDir(), "jobs.yaml")
	if err := os.WriteFile(path, []byte(newer+"---"+older), 0o600); err != nil {
		t.Fatal(err)
	}
	d := drive(t, Options{Session: Session{Store: fromFiles(t, path)}}, 160, 35)
	d.shows("1 job needs you   ml/older  PyTorchJob older is restarting because 1 Master replica(s) failed")
	namesFirst := func(d *driver) {
		t.Helper()
		_, rest, _ := strings.Cut(d.screen(), " need you   ")
		if rest == "" {
			_, rest, _ = strings.Cut(d.screen(), " needs you   ")
		}
		first, _, _ := strings.Cut(rest, "  ")
		_, row, _ := strings.Cut(d.screen(), "\n▌")
		if name := first[strings.Index(first, "/")+1:]; name == "" || !strings.Contains(strings.SplitN(row, "\n", 2)[0], " "+name+" ") {
			t.Errorf("the header names %q, the first row is\n%s", first, d.screen())
		}
	}
	namesFirst(d)
	d = drive(t, Options{}, 200, 45)
	namesFirst(d)
	for _, namespace := range d.m.snapshot.Jobs() {
		if of := drive(t, Options{Session: Session{Namespace: namespace.Ref.Namespace}, NamespaceGiven: true}, 200, 45); strings.Contains(of.screen(), " you   ") {
			namesFirst(of)
		}
	}
}

// The list of namespaces and the header count the same GPUs: those that pods hold.
func TestNamespacesCountTheGPUsThatTheHeaderCounts(t *testing.T) {
	d := drive(t, Options{}, 120, 35).command("ns").shows("GPUs 74 of 96 held")
	drive(t, Options{}, 200, 35).shows("GPUs 74 of 96 held, 14 free, 8 on a cordoned node, MIG 0 of 18 held")
	held := 0
	for _, line := range strings.Split(d.screen(), "\n") {
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "▌"):
			if got := fields[len(fields)-2]; got != "74" || fields[len(fields)-1] != "current" {
				t.Errorf("all namespaces hold %s: %q", got, line)
			}
		case strings.HasPrefix(line, "  ") && fields[0] != "NAME":
			n, _ := strconv.Atoi(fields[len(fields)-1])
			held += n
		}
	}
	if held != 74 {
		t.Errorf("the namespaces hold %d together:\n%s", held, d.screen())
	}
}

// The number of jobs of which too little was read is given in words that count one
// job as one.
func TestTheHeaderCountsJobsOfWhichTooLittleWasRead(t *testing.T) {
	for want, of := range map[string][2]int{"the job": {1, 1}, "any of 4 jobs": {4, 4}, "1 of 4 jobs": {1, 4}} {
		if got := unknownWords(of[0], of[1]); got != want {
			t.Errorf("%d of %d: %q, want %q", of[0], of[1], got, want)
		}
	}
	drive(t, Options{Session: Session{Store: fromFiles(t, "../train/kinds/testdata/objects/lws-progressing.yaml")}}, 120, 20).
		shows("1 job that shows no sign of being training: press t")
}
