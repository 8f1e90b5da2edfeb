package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Group is one cause and the jobs that have it.
type Group struct {
	Cause    train.Cause
	Severity train.Severity // the worst of them
	Stage    train.Stage
	// Findings are in the order of Report.Jobs, one for each job.
	Findings []*train.Finding
	// Since is when the first of them began, zero when unknown.
	Since time.Time
	// Sentence says it in one line.
	Sentence string
}

// Groups are the causes found in the jobs that show accepts (nil for all),
// the worst first, then those of most jobs. A finding of severity info makes
// no group.
func (r *Report) Groups(s *store.Snapshot, show func(*train.Job) bool) []Group {
	byCause := map[train.Cause]*Group{}
	for _, id := range r.Jobs() {
		if job := s.Job(id); job == nil || show != nil && !show(job) {
			continue
		}
		findings := r.Job(id).Findings
		for i := range findings {
			if findings[i].Severity != train.SeverityInfo {
				join(byCause, &findings[i])
			}
		}
	}
	groups := make([]Group, 0, len(byCause))
	for _, g := range byCause {
		g.Sentence = r.sentence(s, g)
		groups = append(groups, *g)
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
			cmp.Compare(len(b.Findings), len(a.Findings)),
			cmp.Compare(a.Cause, b.Cause))
	})
	return groups
}

func join(byCause map[train.Cause]*Group, f *train.Finding) {
	g := byCause[f.Cause]
	if g == nil {
		g = &Group{Cause: f.Cause, Severity: f.Severity, Stage: f.Stage}
		byCause[f.Cause] = g
	}
	if f.Severity.Rank() < g.Severity.Rank() {
		g.Severity = f.Severity
	}
	if !f.Since.IsZero() && (g.Since.IsZero() || f.Since.Before(g.Since)) {
		g.Since = f.Since
	}
	g.Findings = append(g.Findings, f)
}

// sentence is the title of the only finding, or what the jobs have in common.
func (r *Report) sentence(s *store.Snapshot, g *Group) string {
	text := g.Findings[0].Title
	if n := len(g.Findings); n > 1 {
		text = fmt.Sprintf("%d jobs, the first: %s", n, text)
	}
	if g.Cause == "insufficient-gpu" || g.Cause == "kueue-not-admitted" || g.Cause == "gang-not-ready" {
		if jobs, gpus := r.idle(s); gpus > 0 {
			waiting := "1 job waits"
			if n := len(g.Findings); n > 1 {
				waiting = fmt.Sprintf("%d jobs wait", n)
			}
			holding := "1 idle job holds"
			if jobs > 1 {
				holding = fmt.Sprintf("%d idle jobs hold", jobs)
			}
			text = fmt.Sprintf("%s for GPUs while %s %d; %s", waiting, holding, gpus, g.Findings[0].Title)
		}
	}
	return text
}

// idle counts the jobs whose GPUs do nothing, and those GPUs.
func (r *Report) idle(s *store.Snapshot) (jobs, gpus int) {
	for _, id := range r.Jobs() {
		idle := 0
		for _, signal := range r.Signals().Job(id) {
			if signal.Word == "idle" {
				idle++
			}
		}
		if job := s.Job(id); idle > 0 && job != nil {
			jobs++
			gpus += job.GPUs
		}
	}
	return jobs, gpus
}
