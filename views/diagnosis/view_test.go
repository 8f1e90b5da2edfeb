package diagnosis

import (
	"context"
	"fmt"
	"github.com/traintop/traintop/views/screentest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

func frameOf(t testing.TB, width, height int, path string) (views.Frame, *train.Job) {
	t.Helper()
	s := store.New(func() time.Time { return time.Time{} })
	if err := dump.New([]string{path}, dump.Options{}).Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	theme, err := themes.Named("dark", themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	snapshot := s.Snapshot()
	f := views.Frame{Snapshot: snapshot, Width: width, Height: height, Theme: theme, Ages: &draw.Ages{Now: snapshot.Now}}
	f.Diagnosis = diagnose.Run(snapshot, diagnose.Options{}, nil)
	return f, snapshot.Jobs()[0]
}

const pending = "../../diagnose/testdata/clusters/pytorch-pending-gpu.yaml"

// draft lays out findings as if the diagnosis had returned them.
func draft(f views.Frame, findings ...train.Finding) []string {
	w := newWriter(f, f.Width-2)
	for i := range findings {
		w.finding(&findings[i])
	}
	return w.window(f, 0, len(w.lines), 0)
}

func TestHostileFindingsAreSafe(t *testing.T) {
	f, _ := frameOf(t, 80, 24, pending)
	text := "\x1b]0;owned\x07\x1b[2Jred\r\nnext\tline \xff\u202ebackwards " + strings.Repeat("long word ", 2_000)
	x := train.Finding{
		Cause: train.Cause(text), Severity: "odd", Title: text, Explanation: strings.Repeat("line\n", 1_000), Verify: text, RootRank: -1,
		Evidence: []train.Evidence{{Kind: train.EvidenceEvent, Object: train.Ref{Kind: text, Name: text}, Text: text, Rank: -1}, {}},
		Next:     []train.Step{{Text: text, Command: text}, {Edit: text}, {}}, Hides: []train.Cause{train.Cause(text)},
	}
	for _, width := range []int{1, 5, 20, 40, 80, 300} {
		f.Width = width
		lines := draft(f, x)
		if len(lines) > 300 {
			t.Errorf("%d lines", len(lines))
		}
		for _, l := range lines {
			plain := ansi.Strip(l)
			if strings.ContainsAny(plain, "\x1b\x07\r\t\u202e") || strings.Contains(l, "\x1b]") || strings.Contains(l, "\x1b[2J") {
				t.Fatalf("%q", l)
			}
			if ansi.StringWidth(l) > width {
				t.Fatalf("%d cells of %d: %q", ansi.StringWidth(l), width, plain)
			}
		}
	}
}

// The cursor stays on its step when another piece of evidence appears above it.
func TestTheCursorStaysOnItsItem(t *testing.T) {
	f, job := frameOf(t, 120, 40, pending)
	v := New(views.DiagnosisRoute{Job: job.ID})
	v.Render(f)
	v.Do(keymap.Bottom, f)
	key := v.page.items[v.at].key
	answer := f.Diagnosis.Job(job.ID)
	answer.Findings[0].Evidence = append([]train.Evidence{{Kind: train.EvidenceText, Text: "new", Rank: -1}}, answer.Findings[0].Evidence...)
	v.Render(f)
	if v.page.items[v.at].key != key {
		t.Errorf("on %q, was on %q", v.page.items[v.at].key, key)
	}
	answer.Findings = nil
	v.Render(f)
	v.Do(keymap.Open, f)
}

// A finding that is gone is listed with the time, and no longer when it is
// back.
func TestHealedFindingsAreReported(t *testing.T) {
	f, job := frameOf(t, 120, 40, pending)
	v := New(views.DiagnosisRoute{Job: job.ID})
	v.Render(f)
	was := f.Diagnosis.Job(job.ID)
	v.heal(&diagnose.Answer{}, f)
	if len(v.gone) != 1 {
		t.Fatalf("%+v", v.gone)
	}
	if text := strings.Join(v.Render(f), "\n"); !strings.Contains(text, "gone since "+f.Now().UTC().Format("15:04:05")) {
		t.Error(ansi.Strip(text))
	}
	v.heal(was, f)
	if len(v.gone) != 0 {
		t.Errorf("%+v", v.gone)
	}
}

// A finding that an earlier instant does not have yet is not gone, and a job that is
// deleted while its diagnosis is open keeps the last one.
func TestEarlierInstantsAndDeletedJobs(t *testing.T) {
	f, job := frameOf(t, 120, 40, pending)
	v := New(views.DiagnosisRoute{Job: job.ID})
	v.Render(f)
	earlier, none := f, *f.Snapshot
	none.Now = f.Now().Add(-time.Minute)
	earlier.Snapshot, earlier.Diagnosis = &none, diagnose.Run(store.New(func() time.Time { return none.Now }).Snapshot(), diagnose.Options{}, nil)
	later := f
	empty := *store.New(func() time.Time { return f.Now() }).Snapshot()
	empty.Now = f.Now().Add(time.Minute)
	later.Snapshot, later.Diagnosis = &empty, diagnose.Run(&empty, diagnose.Options{}, nil)
	was := ansi.Strip(strings.Join(v.Render(f), "\n"))
	if text := ansi.Strip(strings.Join(v.Render(later), "\n")); strings.Contains(text, "not been looked at") || !strings.Contains(text, f.Diagnosis.Job(job.ID).Findings[0].Title[:30]) {
		t.Errorf("deleted:\n%s\nbefore:\n%s", text, was)
	}
	title := v.Title(later)
	if !slices.ContainsFunc(title.Parts, func(s draw.Span) bool { return strings.HasPrefix(s.Text, "deleted; ") }) {
		t.Errorf("the title of a deleted job: %+v", title.Parts)
	}
	v.Render(f)
	if v.Render(earlier); len(v.gone) != 0 || v.before != nil {
		t.Errorf("a minute earlier: %+v, %+v", v.gone, v.before)
	}
}

func TestWhereEvidenceLeads(t *testing.T) {
	f, job := frameOf(t, 120, 40, pending)
	v := New(views.DiagnosisRoute{Job: job.ID})
	v.Render(f)
	stream := train.StreamID{Namespace: "llm", Pod: "p", Container: "c"}
	for _, c := range []struct {
		evidence train.Evidence
		want     string
	}{
		{train.Evidence{Kind: train.EvidenceLog, Rank: 1, Stream: stream, Line: 17}, "logs line 17"},
		{train.Evidence{Kind: train.EvidenceEvent, Rank: -1, Object: train.Ref{Kind: "Pod", Name: "p.0"}}, `events /p\.0`},
		{train.Evidence{Kind: train.EvidenceObject, Rank: -1, Object: train.Ref{Kind: "Node", Name: "n"}}, "node n"},
		{train.Evidence{Kind: train.EvidenceObject, Rank: -1, Object: train.Ref{Kind: "Node"}}, "nodes"},
		{train.Evidence{Kind: train.EvidenceStatus, Rank: -1, Object: train.Ref{Kind: "Pod", Name: "p"}}, "describe Pod/p"},
		{train.Evidence{Kind: train.EvidenceStatus, Rank: -1, Object: train.Ref{Kind: "Pod", Name: "p"}, Field: "status.conditions[PodScheduled].message", Text: "0/3"}, "describe /PodScheduled Pod/p"},
		{train.Evidence{Kind: train.EvidenceStatus, Rank: -1, Object: train.Ref{Kind: "Pod", Name: "p"}, Field: "status.containerStatuses[c].state.waiting", Text: "ImagePullBackOff: no"}, "describe /ImagePullBackOff Pod/p"},
		{train.Evidence{Kind: train.EvidenceSeries, Rank: 1}, "charts rank 1"},
		{train.Evidence{Kind: train.EvidenceSeries, Rank: 1, GPU: "GPU-none"}, "rank rank 1"},
		{train.Evidence{Kind: train.EvidenceSeries, Rank: -1, GPU: "GPU-none"}, "gpus"},
		{train.Evidence{Kind: train.EvidenceText, Rank: -1, Text: "pasted"}, "text evidence"},
	} {
		if got := routeText(screentest.In[views.OpenScreen](v.jump(f, &c.evidence)).Route); got != c.want {
			t.Errorf("%+v leads to %q, want %q", c.evidence, got, c.want)
		}
	}
}

// routeText describes a route: its screen, and its other fields.
func routeText(r views.Route) string {
	if r == nil {
		return ""
	}
	text := r.Screen()
	if filtered, is := r.(views.Filtered); is && filtered.BeginFilter() != "" {
		text += " /" + filtered.BeginFilter()
	}
	switch r := r.(type) {
	case views.NodeRoute:
		text += " " + r.Name
	case views.TextRoute:
		text += " " + r.Title
	case views.DescribeRoute:
		text += " " + r.Ref.String()
	case views.ChartsRoute:
		text += fmt.Sprint(" rank ", r.Rank)
	case views.RankRoute:
		text += fmt.Sprint(" rank ", r.Rank)
	case views.LogsRoute:
		if r.Line > 0 {
			text += fmt.Sprint(" line ", r.Line)
		} else {
			text += fmt.Sprint(" rank ", r.Ranks[0])
		}
	}
	return text
}

func TestWhichCommandsRunInPlace(t *testing.T) {
	f, job := frameOf(t, 120, 40, pending)
	v := New(views.DiagnosisRoute{Job: job.ID})
	v.Render(f)
	for command, want := range map[string]string{
		"kubectl describe nodes":                                           "nodes",
		"kubectl get nodes -o custom-columns=NAME:.metadata.name":          "nodes",
		"kubectl get pods -A -o wide --field-selector spec.nodeName=n1":    "node n1",
		"kubectl describe pod/x -n llm":                                    "describe llm/Pod/x",
		"kubectl --context prod --as ci describe pod/x -n llm":             "describe llm/Pod/x",
		"kubectl get events -n llm":                                        "events",
		"kubectl get pods -n llm":                                          "text get pods",
		"kubectl logs pod/llama-70b-worker-1 -n llm -c pytorch --tail=100": "logs rank 2",
		"kubectl get widgets -n llm":                                       "",
		"kubectl delete pod x":                                             "",
		"kubectl exec x -- nvidia-smi":                                     "",
		"kubectl get pods -A -l app=operator":                              "",
		"nvidia-smi -q -d ECC":                                             "",
	} {
		effect, can := v.inPlace(f, strings.Fields(command))
		if got := routeText(screentest.In[views.OpenScreen](effect).Route); can != (want != "") || got != want {
			t.Errorf("%s: %q %v, want %q", command, got, can, want)
		}
	}
}

func TestBeforeTheFirstReport(t *testing.T) {
	f, job := frameOf(t, 80, 24, pending)
	f.Diagnosis = nil
	if text := ansi.Strip(strings.Join(New(views.DiagnosisRoute{Job: job.ID}).Render(f), "\n")); !strings.Contains(text, "not been looked at yet") {
		t.Error(text)
	}
	if text := ansi.Strip(strings.Join(New(views.DiagnosisRoute{Job: "no such job"}).Render(f), "\n")); !strings.Contains(text, "there no more") {
		t.Error(text)
	}
}

// BenchmarkFrame is one drawing of a diagnosis.
func BenchmarkFrame(b *testing.B) {
	f, job := frameOf(b, 160, 45, pending)
	v := New(views.DiagnosisRoute{Job: job.ID})
	b.ReportAllocs()
	for b.Loop() {
		v.Title(f)
		v.Render(f)
	}
}
