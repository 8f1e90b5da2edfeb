package diagnose

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// The demo's cluster has several jobs for one cause, and idle GPUs.
func TestGroupsOfACluster(t *testing.T) {
	s := readDump(t, "../testdata/demo")
	r := Run(s, Options{}, nil)
	groups := r.Groups(s, nil)
	if len(groups) < 5 {
		t.Fatalf("%d groups", len(groups))
	}
	worst, jobs := 0, 0
	for _, g := range groups {
		t.Log(g.Severity, g.Cause, len(g.Findings), g.Sentence)
		if rank := g.Severity.Order(); rank < worst {
			t.Errorf("%s stands behind what is milder", g.Cause)
		} else {
			worst = rank
		}
		if g.Sentence == "" || strings.Contains(g.Sentence, "%!") || g.Stage == "" || g.Severity == train.SeverityInfo {
			t.Errorf("%+v", g)
		}
		for _, f := range g.Findings {
			if f.Cause != g.Cause || !g.Since.IsZero() && !f.Since.IsZero() && f.Since.Before(g.Since) {
				t.Errorf("%s holds %s since %v", g.Cause, f.Cause, f.Since)
			}
		}
		jobs = max(jobs, len(g.Findings))
	}
	if jobs < 2 {
		t.Error("no cause is that of several jobs")
	}
	none := func(*train.Job) bool { return false }
	if left := r.Groups(s, none); len(left) != 0 {
		t.Errorf("no job is shown and there are %d groups", len(left))
	}
	if len((*Report)(nil).Groups(s, nil)) != 0 {
		t.Error("before the first report something is known")
	}
}

func TestSentenceOfSeveralJobs(t *testing.T) {
	g := &Group{Cause: "image-not-found", Findings: []*train.Finding{{Title: "image a does not exist"}, {Title: "image b does not exist"}}}
	r := &Report{}
	if got := r.sentence(nil, g); !strings.HasPrefix(got, "2 jobs: ") || strings.Contains(got, "image a") {
		t.Errorf("different titles: %q", got)
	}
	g.Findings[1].Title = g.Findings[0].Title
	if got := r.sentence(nil, g); got != "2 jobs: image a does not exist" {
		t.Errorf("one title: %q", got)
	}
}

func BenchmarkGroups(b *testing.B) {
	s := readDump(b, "../testdata/demo")
	r := Run(s, Options{}, nil)
	b.ReportAllocs()
	for b.Loop() {
		r.Groups(s, nil)
	}
}
