package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
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
	// Sentence describes it in one line.
	Sentence string
}

// Groups returns the causes found in the jobs that show accepts (nil for all),
// the worst first, then those of most jobs. A finding of severity info forms
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
			cmp.Compare(a.Severity.Order(), b.Severity.Order()),
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
	if f.Severity.Order() < g.Severity.Order() {
		g.Severity = f.Severity
	}
	if !f.Since.IsZero() && (g.Since.IsZero() || f.Since.Before(g.Since)) {
		g.Since = f.Since
	}
	g.Findings = append(g.Findings, f)
}

// sentence returns the title of the only finding, or what the jobs have in
// common. Where jobs wait for GPUs, it contains how many, and which jobs hold
// GPUs without using them.
func (r *Report) sentence(s *store.Snapshot, g *Group) string {
	text, n := g.Findings[0].Title, len(g.Findings)
	if n > 1 {
		text = fmt.Sprintf("%s: %s", termtext.Count(n, "job"), common(g))
	}
	if !waitsForGPUs[g.Cause] {
		return text
	}
	waiting, others := r.idle(s, g)
	if len(waiting.jobs)+len(others.jobs) == 0 {
		return text
	}
	sentence := fmt.Sprintf("%s %s for %s", termtext.Count(n, "job"), termtext.Agree(n, "waits", "wait"), gpusWanted(s, g))
	if len(others.jobs) > 0 {
		sentence += fmt.Sprintf(" while %s %s %d", others.names(termtext.Agree(len(others.jobs), "idle job", "idle jobs")), termtext.Agree(len(others.jobs), "holds", "hold"), others.gpus)
	}
	if len(waiting.jobs) > 0 {
		sentence += fmt.Sprintf("; %s %s %d idle meanwhile", waiting.names("of them"), termtext.Agree(len(waiting.jobs), "holds", "hold"), waiting.gpus)
	}
	if n == 1 {
		sentence += "; " + text
	}
	return sentence
}

// waitsForGPUs are the causes that end when a job releases GPUs.
var waitsForGPUs = map[train.Cause]bool{
	"insufficient-gpu": true, "kueue-not-admitted": true, "gang-not-ready": true, "queue-quota-exceeded": true,
}

// common returns the text shared by the findings of several jobs: their title
// when it is the same, else the meaning of the cause.
func common(g *Group) string {
	title := g.Findings[0].Title
	c := causes.Of(g.Cause)
	if c == nil || !slices.ContainsFunc(g.Findings, func(f *train.Finding) bool { return f.Title != title }) {
		return title
	}
	meaning, _, _ := strings.Cut(c.Meaning, ". ")
	return rule.Plain(strings.TrimSuffix(meaning, "."))
}

// gpusWanted returns how many GPUs the jobs still lack: those of ranks without
// a node.
func gpusWanted(s *store.Snapshot, g *Group) string {
	n, slices := 0, 0
	for _, f := range g.Findings {
		if job := s.Job(f.JobID); job != nil {
			all, sliced := gpusLacking(job)
			n, slices = n+all, slices+sliced
		}
	}
	if n == 0 {
		return "GPUs"
	}
	return termtext.GPUs(n, slices)
}

func gpusLacking(job *train.Job) (lacking, slices int) {
	placed, placedSlices := 0, 0
	for i := range job.Ranks {
		switch rank := &job.Ranks[i]; rank.State {
		case train.RankMissing, train.RankGated, train.RankPending:
			lacking, slices = lacking+rank.GPUs, slices+rank.Slices
		default:
			placed, placedSlices = placed+rank.GPUs, placedSlices+rank.Slices
		}
	}
	if lacking == 0 { // ranks without pods may not be known
		lacking = max(0, job.GPUs-placed)
		return lacking, min(lacking, max(0, job.Slices-placedSlices))
	}
	return lacking, slices
}

// idlers are jobs that hold GPUs without using them.
type idlers struct {
	jobs []*train.Job
	gpus int
}

// names returns their count and the first names: "2 of them (a, b)".
func (i *idlers) names(what string) string {
	text := termtext.FewOf(i.jobs, 2, func(job *train.Job) string { return rule.Plain(job.Ref.Name) })
	return fmt.Sprintf("%d %s (%s)", len(i.jobs), what, text)
}

// idle finds them, separating those that wait for GPUs themselves.
func (r *Report) idle(s *store.Snapshot, g *Group) (waiting, others idlers) {
	for _, id := range r.Jobs() {
		gpus := 0
		for _, signal := range r.Signals().Job(id) {
			if signal.Kind == "idle" {
				gpus += signal.GPUs
			}
		}
		job := s.Job(id)
		if gpus == 0 || job == nil {
			continue
		}
		to := &others
		if slices.ContainsFunc(g.Findings, func(f *train.Finding) bool { return f.JobID == id }) {
			to = &waiting
		}
		to.jobs = append(to.jobs, job)
		to.gpus += gpus
	}
	return waiting, others
}
