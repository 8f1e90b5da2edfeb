package job

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/jobrows"
	"github.com/traintop/traintop/views/draw"
)

// mostReason is how many lines the reason takes.
const mostReason = 3

// facts are the lines above the tabs, most at most: sizes and times, the reason, the
// roles.
func (v *View) facts(f views.Frame, most int) []string {
	lines := []string{v.sizes(f)}
	if line := v.progress(f); line != "" {
		lines = append(lines, line)
	}
	if line := v.gpuFacts(f); line != "" {
		lines = append(lines, line)
	}
	why := (&jobrows.Facts{Snapshot: f.Snapshot, Report: f.Diagnosis, Ages: f.Ages}).Reason(v.job)
	for _, part := range reasonLines(f, why.Text, min(mostReason, most-len(lines))) {
		lines = append(lines, f.Line().Add(reasonRole(v.job, why.Role), " "+part).String())
	}
	if line := v.roles(f); line != "" {
		lines = append(lines, line)
	}
	lines = append(lines, "")
	return lines[:min(len(lines), max(0, most))]
}

// reasonLines is a reason in at most most lines, the last one with all that is left,
// for the line that it is drawn in to cut.
func reasonLines(f views.Frame, text string, most int) []string {
	lines := draw.Wrap(draw.Clean(text), max(1, f.Width-2))
	if text == "" || most <= 0 {
		return nil
	}
	if len(lines) > most {
		lines = append(lines[:most-1], strings.Join(lines[most-1:], " "))
	}
	return lines
}

// reasonRole is the role of the reason: that of the list, red for a job that
// failed.
func reasonRole(j *train.Job, inList themes.Role) themes.Role {
	if j.Phase == train.Failed {
		return themes.Bad
	}
	return inList
}

// sizes is the first line: number of ranks, accelerators, queue and place,
// since when.
func (v *View) sizes(f views.Frame) string {
	j := v.job
	line := f.Line().Add(themes.Strong, " "+jobrows.Ranks(j)).Add(themes.Dim, rankWord(j))
	if j.Elastic != nil {
		line.Add(themes.Dim, fmt.Sprintf(" (elastic %d-%d)", j.Elastic.Min, j.Elastic.Max))
	}
	fact := func(value, what string) {
		if value != "" {
			line.Add(themes.Text, "   "+draw.Clean(value)).Add(themes.Dim, draw.Clean(what))
		}
	}
	if j.GPUs > 0 {
		fact(draw.Count(j.GPUs), " "+j.GPUResource+onNodes(j))
	}
	if j.Queue != nil {
		fact("queue "+queue(j.Queue), behind(j.Queue))
	}
	if j.Restarts > 0 {
		line.Add(themes.Redoing, "   "+draw.Plural(j.Restarts, "restart"))
	}
	times(f, j, fact)
	if p := j.Progress; p != nil {
		fact(fmt.Sprintf("%.0f %%", p.Percent), " done")
		fact(draw.Clean(p.Metrics["loss"]), " loss")
		if p.Remaining > 0 {
			fact(termtext.Duration(p.Remaining), " left")
		}
	}
	return line.String()
}

// rankWord is the noun behind the number of ranks.
func rankWord(j *train.Job) string {
	if jobrows.Ranks(j) == "1" {
		return " rank"
	}
	return " ranks"
}

func times(f views.Frame, j *train.Job, fact func(value, what string)) {
	switch {
	case !j.Finished.IsZero() && began(j).IsZero():
		fact("ended "+f.Ages.Since(j.Finished), " ago")
	case !j.Finished.IsZero():
		fact("ran "+termtext.Duration(j.Finished.Sub(began(j))), ", ended "+f.Ages.Since(j.Finished)+" ago")
	case !j.Started.IsZero() && !waits(j):
		fact("started "+f.Ages.Since(j.Started), " ago")
	case !j.Created.IsZero():
		fact("created "+f.Ages.Since(j.Created), " ago")
	}
	if j.Owner.Kind != "" {
		fact(j.Owner.Short(), " owns it")
	}
}

// waits reports whether a job has yet to run: its operator may have noted a start all the
// same.
func waits(j *train.Job) bool {
	return (j.Phase == train.Pending || j.Phase == train.Queued || j.Phase == train.Suspended) && !j.Created.IsZero()
}

// began is the best known time at which a job began to run.
func began(j *train.Job) time.Time {
	if j.Started.IsZero() {
		return j.Created
	}
	return j.Started
}

func onNodes(j *train.Job) string {
	nodes := map[string]bool{}
	for i := range j.Ranks {
		if j.Ranks[i].Node != "" {
			nodes[j.Ranks[i].Node] = true
		}
	}
	if len(nodes) == 0 {
		return ""
	}
	return " on " + draw.Plural(len(nodes), "node")
}

func queue(q *train.Queue) string {
	name := q.Name
	if name == "" {
		name = q.ClusterQueue
	}
	if q.Place > 0 {
		name += " #" + strconv.Itoa(q.Place)
	}
	return name
}

func behind(q *train.Queue) string {
	text := " (" + q.System
	if q.ClusterQueue != "" && q.ClusterQueue != q.Name {
		text += ", " + q.ClusterQueue
	}
	if q.Admitted {
		return text + ", admitted)"
	}
	return text + ", not admitted)"
}

// roles names the groups of ranks when there is more than one, or one rank
// asks for several accelerators.
func (v *View) roles(f views.Frame) string {
	if len(v.job.Roles) < 2 {
		return ""
	}
	line := f.Line()
	for i := range v.job.Roles {
		r := &v.job.Roles[i]
		name := r.Name
		if name == "" {
			name = "ranks"
		}
		line.Add(themes.Text, " "+draw.Clean(name)+" "+jobrows.RoleRanks(v.job, r))
		if r.GPUs > 0 {
			line.Add(themes.Dim, " x "+termtext.GPUs(r.GPUs, r.Slices))
		}
		line.Add(themes.Dim, "  ")
	}
	return line.String()
}

// titles is the line of tabs.
func (v *View) titles(f views.Frame) string {
	line := f.Line()
	v.tabs = v.tabs[:0]
	for i, name := range []string{
		counted("Ranks", len(v.job.Ranks)), counted("Events", v.events.Total()), counted("Objects", v.objects.Total()), "4 YAML", "5 describe",
		"6 " + strings.ToLower(counted("Diagnosis", v.found(f))),
	} {
		role := themes.Dim
		text := "  " + name + " "
		if i == int(tabCount) { // from here on other screens, by their keys
			line.Add(themes.Rule, "  "+f.Theme.Glyphs.Divider+" ")
		}
		if i == int(v.at) {
			role = themes.Chosen
			line.Add(themes.Text, " ")
			text = " " + name + " "
		}
		line.Add(role, text)
		v.tabs = append(v.tabs, f.Width-line.Left())
	}
	return line.Right(f.Line().Add(themes.Dim, strings.TrimSpace(v.summary(f.Theme))+" ")).String()
}

// found counts the job's findings, without informational ones.
func (v *View) found(f views.Frame) (n int) {
	if answer := f.Diagnosis.Job(v.id); answer != nil {
		for i := range answer.Findings {
			if answer.Findings[i].Severity != train.SeverityInfo {
				n++
			}
		}
	}
	return n
}

func counted(name string, n int) string {
	if n == 0 {
		return name
	}
	return name + " " + draw.Count(n)
}

// summary counts the ranks by state, and notes when their order is a guess.
func (v *View) summary(t *themes.Theme) string {
	counts := map[train.RankState]int{}
	assumed := false
	var states []train.RankState
	for i := range v.job.Ranks {
		r := &v.job.Ranks[i]
		assumed = assumed || r.Assumed && !r.Unranked
		if counts[r.State] == 0 {
			states = append(states, r.State)
		}
		counts[r.State]++
	}
	var parts []string
	for _, s := range states {
		word := views.RankState(t, v.job, &train.Rank{State: s}).Word
		parts = append(parts, draw.Count(counts[s])+" "+word)
	}
	if assumed {
		parts = append(parts, "rank numbers assumed")
	}
	return strings.Join(parts, ", ")
}
