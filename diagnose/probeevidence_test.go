package diagnose

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// behind returns the job of the demo with one rank behind the others; its
// finding names the probe python-stack.
func behind(t *testing.T) (*store.Snapshot, train.JobID) {
	t.Helper()
	s := store.New(func() time.Time { return time.Time{} })
	if err := dump.New([]string{"../testdata/demo"}, dump.Options{}).Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	snapshot := s.Snapshot()
	report := Run(snapshot, Options{}, nil)
	for _, id := range report.Jobs() {
		for _, f := range report.Job(id).Findings {
			if f.Cause == "one-rank-behind" {
				return snapshot, id
			}
		}
	}
	t.Fatal("no rank lies behind in the demo")
	return nil, ""
}

func probeTexts(report *Report, id train.JobID) []string {
	var texts []string
	for _, f := range report.Job(id).Findings {
		for _, e := range f.Evidence {
			if e.Kind == train.EvidenceProbe {
				texts = append(texts, fmt.Sprintf("%s %s %d %s: %s", f.Cause, e.Field, e.Rank, e.Object.Name, e.Text))
			}
		}
	}
	return texts
}

func TestAnswersOfProbesStandBesideTheFindingThatNamesThem(t *testing.T) {
	snapshot, id := behind(t)
	at := snapshot.Now
	answers := []ProbeAnswer{
		{Probe: "python-stack", Job: id, Rank: 2, Line: "in all_reduce", At: at},
		{Probe: "python-stack", Job: id, Rank: 0, Line: "in all_reduce", At: at},
		{Probe: "python-stack", Job: id, Rank: 1, Line: "in all_reduce", At: at},
		{Probe: "python-stack", Job: id, Rank: 3, Line: "in \x1b[31mread_batch\n", Odd: true, At: at},
		{Probe: "infiniband", Job: id, Rank: 3, Line: "no step names it", Bad: true, At: at},
		{Probe: "python-stack", Job: "another", Rank: 3, Line: "another job's", Bad: true, At: at},
	}
	before := Run(snapshot, Options{}, nil)
	after := Run(snapshot, Options{Probes: answers}, before)
	got := probeTexts(after, id)
	if len(got) != 2 || !strings.HasPrefix(got[0], "one-rank-behind python-stack 3 ") || !strings.HasSuffix(got[0], "read_batch") ||
		strings.Contains(got[0], "\x1b") || got[1] != "one-rank-behind python-stack -1 : ranks 0-2: in all_reduce" {
		t.Errorf("%q", got)
	}
	if after.Version() == before.Version() {
		t.Error("a screen would not be drawn again")
	}
	if again := Run(snapshot, Options{Probes: answers}, after); again.Version() != after.Version() {
		t.Error("the same answers make another report")
	}
	if without := probeTexts(Run(snapshot, Options{}, after), id); len(without) != 0 {
		t.Errorf("answers that are no longer filed stay: %q", without)
	}
}

func TestManyAnswersAreCounted(t *testing.T) {
	snapshot, id := behind(t)
	var answers []ProbeAnswer
	for rank := range 64 {
		answers = append(answers, ProbeAnswer{Probe: "python-stack", Job: id, Rank: rank, Line: fmt.Sprintf("in line %d", rank), Bad: rank == 40})
	}
	got := probeTexts(Run(snapshot, Options{Probes: answers}, nil), id)
	if len(got) != mostAnswers || !strings.Contains(got[0], "in line 40") || !strings.Contains(got[3], "61 other ranks") {
		t.Errorf("%q", got)
	}
}
