package jobs

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// Titles that sort keys and what is remembered name.
const (
	titleNamespace = "NAMESPACE"
	titleName      = "NAME"
	titlePhase     = "PHASE"
	titleGPUs      = "GPUS"
	titleRestarts  = "RESTARTS"
	titleAge       = "AGE"
)

type (
	job    = *train.Job
	column = draw.Column[*train.Job]
)

func (v *View) columns() []column {
	all := []column{
		{Title: titleNamespace, Importance: 55, Min: 8, Max: 24, Cell: quiet(func(j job) string { return j.Ref.Namespace }), Compare: byText(func(j job) string { return j.Ref.Namespace })},
		{Title: titleName, Importance: 100, Min: 12, Want: 14, Max: 48, Cell: v.name, Compare: byText(func(j job) string { return j.Ref.Name })},
		{Title: "KIND", Importance: 50, Min: 8, Max: 18, Cell: quiet(func(j job) string { return j.Ref.Kind }), Compare: byText(func(j job) string { return j.Ref.Kind })},
		{Title: titlePhase, Importance: 95, Cell: phase, Compare: func(a, b job) int { return cmp.Compare(a.Phase.Urgency(), b.Phase.Urgency()) }},
		{Title: "RANKS", Importance: 80, Right: true, Cell: ranks, Compare: func(a, b job) int { return cmp.Compare(a.Wanted, b.Wanted) }, Descending: true},
		{Title: titleGPUs, Importance: 70, Right: true, Cell: gpus, Compare: func(a, b job) int { return cmp.Compare(a.GPUs, b.GPUs) }, Descending: true},
		{Title: "QUEUE", Importance: 35, Min: 8, Max: 26, Cell: queue, Compare: byText(queueName)},
		{Title: titleRestarts, Importance: 30, Right: true, Cell: restarts, Compare: func(a, b job) int { return cmp.Compare(a.Restarts, b.Restarts) }, Descending: true},
		{Title: "ROLES", Importance: 25, Min: 8, Max: 40, Wide: true, Cell: quiet(roles)},
		{Title: "NODES", Importance: 24, Right: true, Wide: true, Cell: quiet(nodes)},
		{Title: "GPU RESOURCE", Importance: 20, Max: 32, Wide: true, Cell: quiet(func(j job) string { return j.GPUResource })},
		{Title: "OWNER", Importance: 18, Max: 40, Wide: true, Cell: quiet(owner)},
		{Title: "STARTED", Importance: 22, Right: true, Wide: true, Cell: aged(func(j job, a *draw.Ages) string { return a.Since(j.Started) }), Compare: func(a, b job) int { return a.Started.Compare(b.Started) }, Descending: true},
		{Title: "DURATION", Importance: 23, Right: true, Wide: true, Cell: aged(func(j job, a *draw.Ages) string { return a.Between(j.Started, j.Finished) })},
	}
	all = append(all, v.used()...)
	all = append(all, v.read()...)
	return append(all,
		column{Title: titleAge, Importance: 60, Right: true, Min: 5, Cell: aged(func(j job, a *draw.Ages) string { return a.Since(j.Created) }), Compare: func(a, b job) int { return b.Created.Compare(a.Created) }},
		column{Title: "WHY", Importance: 90, Min: 12, Want: 30, Grow: true, Cell: v.why},
	)
}

func byText(of func(job) string) func(a, b job) int {
	return func(a, b job) int { return cmp.Compare(of(a), of(b)) }
}

// quiet is a column that explains and does not alarm.
func quiet(of func(job) string) func(job, draw.Ink) draw.Cell {
	return func(j job, _ draw.Ink) draw.Cell { return draw.Cell{Text: of(j), Role: themes.Dim} }
}

func aged(of func(job, *draw.Ages) string) func(job, draw.Ink) draw.Cell {
	return func(j job, ink draw.Ink) draw.Cell { return draw.Cell{Text: of(j, ink.Ages), Role: numbers(j)} }
}

// numbers are read while a job lives and recede when it is over.
func numbers(j job) themes.Role {
	if j.Phase.Terminal() {
		return themes.Dim
	}
	return themes.Text
}

func (v *View) name(j job, _ draw.Ink) draw.Cell {
	switch {
	case v.needsPerson(j):
		return draw.Cell{Text: j.Ref.Name, Role: themes.Strong}
	case j.Phase == train.Running || j.LogsOnly:
		return draw.Cell{Text: j.Ref.Name, Role: themes.Text}
	}
	return draw.Cell{Text: j.Ref.Name, Role: themes.Dim}
}

func phase(j job, ink draw.Ink) draw.Cell {
	if j.LogsOnly {
		return draw.Cell{Text: ink.Theme.Glyphs.Unknown + " log", Role: themes.Dim}
	}
	state := draw.Phase(ink.Theme, j.Phase)
	return draw.Cell{Text: state.String(), Role: state.Role}
}

func ranks(j job, _ draw.Ink) draw.Cell {
	role := numbers(j)
	if j.LogsOnly { // which of them run is not known
		return draw.Cell{Text: draw.Count(j.Wanted), Role: role}
	}
	if j.Phase == train.Running && j.Ready < j.Wanted {
		role = themes.Waiting
	}
	return draw.Cell{Text: draw.Of(j.Ready, j.Wanted), Role: role}
}

func gpus(j job, ink draw.Ink) draw.Cell {
	if j.GPUs == 0 {
		return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
	}
	return draw.Cell{Text: draw.Count(j.GPUs), Role: numbers(j)}
}

func queueName(j job) string {
	if j.Queue == nil {
		return ""
	}
	return cmp.Or(j.Queue.Name, j.Queue.Cluster)
}

// queue names the queue and the place in it.
func queue(j job, _ draw.Ink) draw.Cell {
	text, role := queueName(j), themes.Dim
	if j.Queue != nil && j.Queue.Place > 0 {
		text, role = text+" #"+strconv.Itoa(j.Queue.Place), themes.Queued
	}
	return draw.Cell{Text: text, Role: role}
}

func restarts(j job, ink draw.Ink) draw.Cell {
	if j.Restarts == 0 {
		return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
	}
	role := themes.Redoing
	if j.Phase == train.Succeeded {
		role = themes.Dim
	}
	return draw.Cell{Text: draw.Count(j.Restarts), Role: role}
}

func roles(j job) string {
	var parts []string
	for _, r := range j.Roles {
		parts = append(parts, r.Name+" "+draw.Of(r.Ready, r.Wanted))
	}
	return strings.Join(parts, ", ")
}

func nodes(j job) string {
	on := map[string]bool{}
	for i := range j.Ranks {
		if j.Ranks[i].Node != "" {
			on[j.Ranks[i].Node] = true
		}
	}
	if len(on) == 0 {
		return ""
	}
	return strconv.Itoa(len(on))
}

func owner(j job) string {
	if j.Owner.Kind == "" {
		return ""
	}
	return j.Owner.Kind + "/" + j.Owner.Name
}

// reason is a sentence about a job, and the role that it is drawn in.
type reason struct {
	text string
	role themes.Role
}

// why is the sentence that saves opening the job.
func (v *View) why(j job, _ draw.Ink) draw.Cell {
	r := v.reason(j)
	return draw.Cell{Text: short(r.text), Role: r.role}
}

// reason is the best that is known of why a job is as it is: a finding of the
// diagnosis, the job's own reason, that it has stalled, what its numbers say,
// or how far it says it is.
func (v *View) reason(j job) reason {
	text, severity := trouble(v.frame.Diagnosis, j)
	stalled := v.stalled(j)
	switch {
	case severity != "" && isFinding(v.frame.Diagnosis, j):
		return reason{text, severityRole(severity)}
	case v.frame.Diagnosis.Job(j.ID).UnknownFailure(j) != "":
		return reason{v.frame.Diagnosis.Job(j.ID).UnknownFailure(j), themes.Waiting}
	case j.Reason != "":
		return reason{j.Reason, v.reasonRole(j)}
	case severity == train.SeverityError:
		return reason{text, severityRole(severity)}
	case stalled != "":
		return reason{stalled, themes.Waiting}
	case severity != "":
		return reason{text, severityRole(severity)}
	case j.Queue != nil && !j.Queue.Admitted && j.Queue.Reason != "":
		return reason{j.Queue.Reason, v.reasonRole(j)}
	case j.Phase == train.Running && v.run(j) == nil: // or else the columns say more than the operator
		return reason{progress(j), themes.Dim}
	}
	return reason{}
}

// reasonRole is how a job's own reason is drawn.
func (v *View) reasonRole(j job) themes.Role {
	if j.Phase == train.Succeeded || j.Phase == train.Suspended {
		return themes.Dim
	}
	return themes.Text
}

// progress is what the operator itself reports of a job that runs.
func progress(j job) string {
	if j.Progress == nil {
		return ""
	}
	text := fmt.Sprintf("%.0f %%", j.Progress.Percent)
	if loss := j.Progress.Metrics["loss"]; loss != "" {
		text += ", loss " + loss
	}
	if j.Progress.Remaining > 0 {
		text += ", " + draw.Duration(j.Progress.Remaining) + " left"
	}
	return text
}
