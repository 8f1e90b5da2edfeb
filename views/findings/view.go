// Package findings lists the findings of the whole cluster, grouped by cause.
package findings

import (
	"cmp"
	"fmt"
	"regexp"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the list of causes, or of the jobs that have one of them.
type View struct {
	views.Rows[row]
	// cause limits the list to one cause, a row for each job; "" groups.
	cause train.Cause
	// reports counts the reports that were shown: rows are made again with
	// each.
	reports uint64
	report  *diagnose.Report
	sum     diagnose.Sum // of the jobs that are shown
	pods    int          // pods of no job among the rows
}

// row is a cause with the jobs that have it, or a pod of no job that holds GPUs
// and does not use them.
type row struct {
	diagnose.Group
	pod train.Ref // zero for a cause of jobs
}

// idlePodCause names pods of no job that hold idle GPUs, as rows do.
const idlePodCause train.Cause = "idle-pod"

// one is the only finding of a row, nil when there are several.
func (r row) one() *train.Finding {
	if len(r.Findings) == 1 {
		return r.Findings[0]
	}
	return nil
}

// New makes the screen.
func New(r views.FindingsRoute) *View {
	v := &View{cause: r.Cause}
	v.Noun = "finding"
	v.Columns = columns()
	v.Key = func(r row) string {
		if len(r.Findings) > 0 && v.cause != "" {
			return string(r.Cause) + " " + string(r.Findings[0].JobID)
		}
		return string(r.Cause) + " " + r.pod.String()
	}
	v.Faulty = func(r row) bool { return r.Severity == train.SeverityError }
	v.FirstName = "severity"
	v.Ref = func(r row) train.Ref {
		if f := r.one(); f != nil {
			return f.Job
		}
		if r.pod.Kind != "" {
			return r.pod
		}
		return train.Ref{Name: string(r.Cause)}
	}
	v.Sorts = map[keymap.Action]string{keymap.SortName: titleCause, keymap.SortStatus: titleSeverity, keymap.SortAge: titleSince}
	v.Detail = func(r row) string { return r.Sentence }
	v.Enter = func(r row, _ views.Frame) views.Effect {
		if f := r.one(); f != nil {
			return views.OpenScreen{Route: views.DiagnosisRoute{Job: f.JobID}}
		}
		if r.pod.Kind != "" {
			return views.OpenScreen{Route: views.GPUsRoute{Filter: regexp.QuoteMeta(r.pod.Name)}}
		}
		return views.OpenScreen{Route: views.FindingsRoute{Cause: r.Cause}}
	}
	return v
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "diagnose" }

// Crumb names the cause that the list is limited to.
func (v *View) Crumb() string {
	if v.cause != "" {
		return string(v.cause)
	}
	return v.Name()
}

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Findings }

// Title counts causes and jobs.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	text := "Findings " + draw.Count(v.Len())
	if v.sum.Looked == 0 {
		text = "Findings " + f.CountOf(v.Len())
	}
	if v.cause != "" {
		text = draw.Clean(string(v.cause)) + " " + draw.Plural(v.Len(), "job")
	}
	parts := []draw.Span{{Text: "in " + draw.Plural(v.sum.Looked, "job"), Role: themes.Dim}}
	if v.sum.Looked == 0 {
		parts = nil
	}
	if f.Diagnosis == nil {
		parts = []draw.Span{{Text: "looking" + f.Theme.Glyphs.Ellipsis, Role: themes.Dim}}
	}
	if v.sum.Errors > 0 {
		parts = append(parts, draw.Span{Text: f.Theme.Glyphs.Failed + " " + draw.Count(v.sum.Errors), Role: themes.Bad})
	}
	if v.sum.Warnings > 0 {
		parts = append(parts, draw.Span{Text: f.Theme.Glyphs.Warning + " " + draw.Count(v.sum.Warnings), Role: themes.Waiting})
	}
	if v.sum.Needs() > 0 {
		parts = append(parts, draw.Span{Text: v.sum.NeedWords(), Role: themes.Text})
	}
	if v.pods > 0 {
		parts = append(parts, draw.Span{Text: draw.Plural(v.pods, "pod") + " of no job with idle GPUs", Role: themes.Waiting})
	}
	return views.Title{
		Text: text, Parts: parts,
		Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note(),
	}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	if action == keymap.OpenLogs || action == keymap.OpenDiagnosis || action == keymap.JumpOwner {
		r, any := v.Current()
		switch {
		case !any:
			return nil, true
		case r.one() == nil || action == keymap.OpenDiagnosis:
			return v.Enter(r, f), true
		case action == keymap.OpenLogs:
			return views.OpenScreen{Route: views.LogsRoute{Job: r.one().JobID}}, true
		}
		return views.OpenScreen{Route: views.JobRoute{Job: r.one().JobID}}, true
	}
	return v.Rows.Do(action, f)
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string {
		if f.Diagnosis == nil {
			return []string{"looking" + f.Theme.Glyphs.Ellipsis}
		}
		if texts := f.Missing(); texts != nil {
			return texts
		}
		return v.empty(f)
	})
}

// empty explains what it means that there is no finding.
func (v *View) empty(f views.Frame) []string {
	missing := f.Diagnosis.Missing(f.Namespace, v.sum.Looked)
	switch {
	case len(missing) > 0:
		return []string{diagnose.NotEnoughRead.Words(), missing[0].Why, missing[0].Help}
	case v.sum.Looked == 0:
		return []string{diagnose.NothingToLookAt.Words()}
	case f.FollowsLogs && views.FirstReadOf(f.Streams, f.Snapshot).Unread > 0:
		return []string{"not known yet", views.FirstReadOf(f.Streams, f.Snapshot).Text()}
	case v.sum.Unknown > 0:
		return []string{diagnose.NotEnoughRead.Words(), "of " + draw.Of(v.sum.Unknown, v.sum.Looked) + " jobs; the diagnosis of each says what is missing"}
	}
	return []string{diagnose.NothingWrong.Words(), "in " + draw.Plural(v.sum.Looked, "job") + "; :sources says what could not be read"}
}

func (v *View) load(f views.Frame) {
	if f.Diagnosis != v.report {
		v.report = f.Diagnosis
		v.reports++
	}
	version := draw.Version{Data: v.reports, Limits: f.Namespace}
	v.Load(version, f.Ink(), func() []row { return v.rows(f) })
}

func (v *View) rows(f views.Frame) []row {
	v.sum = f.Diagnosis.Sum(f.Snapshot, f.ShowsTraining)
	var rows []row
	for _, g := range f.Diagnosis.Groups(f.Snapshot, f.ShowsTraining) {
		switch {
		case v.cause == "":
			rows = append(rows, row{Group: g})
		case g.Cause == v.cause:
			for _, x := range g.Findings {
				rows = append(rows, row{Group: diagnose.Group{
					Cause: x.Cause, Severity: x.Severity, Stage: x.Stage, Findings: []*train.Finding{x}, Since: x.Since, Sentence: x.Title,
				}})
			}
		}
	}
	v.pods = 0
	if v.cause == "" {
		pods := idlePods(f)
		v.pods, rows = len(pods), append(rows, pods...)
	}
	return rows
}

// idlePods are the pods of no job that hold idle GPUs, a row for each: a
// notebook keeps jobs waiting as an idle job does.
func idlePods(f views.Frame) []row {
	var rows []row
	for _, p := range f.Diagnosis.Signals().IdlePods(f.Snapshot) {
		if f.Namespace != "" && p.Namespace != f.Namespace {
			continue
		}
		rows = append(rows, row{
			Group: diagnose.Group{
				Cause: idlePodCause, Severity: train.SeverityWarning, Stage: train.StageSpeed,
				Sentence: fmt.Sprintf("a pod of no job holds %s, which nobody uses: stop it, or what runs in it, where it is no longer needed", termtext.GPUs(p.GPUs, p.Slices)),
			},
			pod: train.PodRef(p.Namespace, p.Name, ""),
		})
	}
	return rows
}

// Titles of the sort keys.
const (
	titleSeverity = "SEVERITY"
	titleCause    = "CAUSE"
	titleSince    = "FOR"
)

func columns() []draw.Column[row] {
	return []draw.Column[row]{
		{Title: titleSeverity, Importance: 97, Cell: func(r row, ink draw.Ink) draw.Cell {
			if r.Severity == train.SeverityError {
				return draw.Cell{Text: ink.Theme.Glyphs.Failed + " error", Role: themes.Bad}
			}
			return draw.Cell{Text: ink.Theme.Glyphs.Warning + " " + string(r.Severity), Role: themes.Waiting}
		}, Compare: func(a, b row) int { return cmp.Compare(a.Severity.Order(), b.Severity.Order()) }},
		{Title: titleCause, Importance: 80, Name: true, Min: 12, Want: 18, Max: 32, Cell: func(r row, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: string(r.Cause), Role: themes.Strong}
		}, Compare: func(a, b row) int { return cmp.Compare(a.Cause, b.Cause) }},
		{Title: "STAGE", Importance: 40, Cell: func(r row, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: string(r.Stage), Role: themes.Dim}
		}},
		{Title: "JOBS", Importance: 70, Right: true, Cell: func(r row, _ draw.Ink) draw.Cell {
			if r.pod.Kind != "" {
				return draw.Cell{Text: "0", Role: themes.Dim}
			}
			return draw.Cell{Text: draw.Count(len(r.Findings))}
		}, Compare: func(a, b row) int { return cmp.Compare(len(a.Findings), len(b.Findings)) }, Descending: true},
		{Title: titleSince, Importance: 60, Right: true, Reserve: 5, Cell: func(r row, ink draw.Ink) draw.Cell {
			return draw.Cell{Text: ink.Ages.Since(r.Since), Role: themes.Dim}
		}, Compare: func(a, b row) int { return a.Since.Compare(b.Since) }},
		{Title: "WHICH", Importance: 65, Min: 10, Want: 20, Max: 36, Cell: func(r row, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: which(r)}
		}},
		{Title: "WHAT", Importance: 95, Min: 16, Want: 32, Grow: true, Wrap: true, Cell: func(r row, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: r.Sentence}
		}},
	}
}

// which names the first jobs.
func which(r row) string {
	if r.pod.Kind != "" {
		return "pod " + r.pod.Name
	}
	return termtext.FewOf(r.Findings, 3, func(f *train.Finding) string { return f.Job.Name })
}
