// Package incidents lists the incidents of a session: open ones, and those that
// are over.
package incidents

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the list of incidents.
type View struct {
	views.Rows[*alerts.Incident]
	// withoutPast leaves out incidents that are over.
	withoutPast bool
	// now is the instant of the frame being drawn.
	now time.Time
	// counts are those of the shown incidents by their state, past ones that are
	// left out among them.
	counts [len(stateWords)]int
	// names are those of jobs that would be called the same.
	names map[alerts.IncidentID]string
}

// New makes the screen.
func New() *View {
	v := &View{}
	v.Noun = "incident"
	v.Columns = v.columns()
	v.Key = func(i *alerts.Incident) string { return string(i.ID) }
	v.Faulty = func(i *alerts.Incident) bool { return stateOf(i, v.now) == open }
	v.First, v.FirstName = v.openFirst, "open first"
	v.Ref = refOf
	v.Sorts = map[keymap.Action]string{keymap.SortName: titleJob, keymap.SortStatus: titleState, keymap.SortAge: titleSince}
	v.Detail = detail
	v.Enter = enter
	return v
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "incidents" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Incidents }

// Title counts the incidents by their state.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	text := "Incidents " + draw.Count(v.Len())
	if len(f.Snapshot.Jobs()) == 0 {
		text = "Incidents " + f.CountOf(v.Len())
	}
	title := views.Title{Text: text, Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
	for s, word := range stateWords {
		if n := v.counts[s]; n > 0 {
			title.Parts = append(title.Parts, draw.Span{Text: draw.Count(n) + " " + word, Role: stateRoles[s]})
		}
	}
	if v.withoutPast && v.counts[past] > 0 {
		title.Parts = append(title.Parts, draw.Span{Text: "hidden, t shows", Role: themes.Dim})
	}
	return title
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	switch action {
	case keymap.ShowPast:
		v.withoutPast = !v.withoutPast
		return nil, true
	case keymap.TakeIncident:
		return v.mark(views.TakeIncident, views.GiveBackIncident, func(i *alerts.Incident) bool { return !i.Acknowledged.IsZero() }), true
	case keymap.MuteIncident:
		return v.mark(views.MuteIncident, views.UnmuteIncident, func(i *alerts.Incident) bool { return v.now.Before(i.Muted) }), true
	case keymap.OpenLogs, keymap.OpenDiagnosis, keymap.JumpOwner:
		if i, any := v.Current(); any {
			return ofJob(i, action, f), true
		}
		return nil, true
	}
	return v.Rows.Do(action, f)
}

// mark marks the chosen incidents that are open, or takes the mark away where
// all of them have it.
func (v *View) mark(set, end views.IncidentMark, has func(*alerts.Incident) bool) views.Effect {
	chosen := v.Chosen()
	opened := slices.DeleteFunc(slices.Clone(chosen), func(i *alerts.Incident) bool { return !i.Open() })
	switch {
	case len(chosen) == 0:
		return nil
	case len(opened) == 0:
		return views.Notice{Text: "it is over: nothing more is sent about it", Failed: true}
	case !slices.ContainsFunc(opened, func(i *alerts.Incident) bool { return !has(i) }):
		set = end
	}
	effect := views.MarkIncidents{Mark: set}
	for _, i := range opened {
		effect.IDs = append(effect.IDs, i.ID)
	}
	return effect
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string { return v.none(f) })
}

// none explains what would be listed, and how to be notified.
func (v *View) none(f views.Frame) []string {
	switch {
	case v.counts[past] > 0:
		return []string{"no incident is open", draw.Plural(v.counts[past], "incident") + " over: press t"}
	case f.Diagnosis == nil:
		return []string{"looking" + f.Theme.Glyphs.Ellipsis}
	case len(f.Snapshot.Jobs()) == 0:
		if texts := f.Missing(); texts != nil {
			return texts
		}
	}
	texts := []string{"no incident"}
	if f.Namespace != "" {
		texts[0] += " in namespace " + f.Namespace
	}
	var names []string
	for _, rule := range f.Incidents.Rules {
		if !rule.Off {
			names = append(names, rule.Name)
		}
	}
	return append(texts,
		"a trouble that lasts is listed here: one root cause of one job, or one that many jobs share",
		"rules: "+strings.Join(names, ", "),
		"traintop watch --notify NAME tells you while no screen is open",
	)
}

func (v *View) load(f views.Frame) {
	v.now = f.Now()
	muted := 0 // ends by time alone
	for i := range f.Incidents.All {
		if v.now.Before(f.Incidents.All[i].Muted) {
			muted++
		}
	}
	version := draw.Version{Data: f.Incidents.Version, Limits: fmt.Sprint(f.Namespace, " ", v.withoutPast, " ", muted)}
	v.Load(version, f.Ink(), func() []*alerts.Incident {
		v.counts = [len(stateWords)]int{}
		var rows []*alerts.Incident
		for k := range f.Incidents.All {
			i := &f.Incidents.All[k]
			if !shows(f, i) {
				continue
			}
			s := stateOf(i, v.now)
			v.counts[s]++
			if s != past || !v.withoutPast {
				rows = append(rows, i)
			}
		}
		v.names = namesApart(f, rows)
		return rows
	})
}

// shows reports whether an incident is within the frame's limits: one of its
// jobs is, or it hits none.
func shows(f views.Frame, i *alerts.Incident) bool {
	return len(i.Jobs) == 0 || slices.ContainsFunc(i.Jobs, func(j alerts.AffectedJob) bool {
		if job := f.Snapshot.Job(j.ID); job != nil {
			return f.Shows(job)
		}
		return f.Namespace == "" || j.Namespace == f.Namespace
	})
}

// node is the name of the node that is at fault, "" for none.
func node(i *alerts.Incident) string {
	name, _ := strings.CutPrefix(i.Shared, "Node/")
	if name == i.Shared {
		return ""
	}
	return name
}

// refOf is the one object that an incident is about. Anything else that jobs share
// has a name and nothing to fetch.
func refOf(i *alerts.Incident) train.Ref {
	if name := node(i); name != "" {
		return train.Ref{Kind: "Node", Name: name}
	}
	if len(i.Jobs) == 1 {
		return i.Jobs[0].Ref()
	}
	return train.Ref{Name: i.Shared}
}

// mostNamed is how many jobs a filter names.
const mostNamed = 50

// enter opens what is at fault: the node, the diagnosis of the job, or the jobs
// that share the cause.
func enter(i *alerts.Incident, f views.Frame) views.Effect {
	if name := node(i); name != "" {
		return views.OpenScreen{Route: views.NodeRoute{Name: name}}
	}
	if len(i.Jobs) < 2 {
		return ofJob(i, keymap.OpenDiagnosis, f)
	}
	var names []string
	for _, j := range i.Jobs[:min(len(i.Jobs), mostNamed)] {
		names = append(names, regexp.QuoteMeta(j.Name))
	}
	jobs := views.OpenScreen{Route: views.JobsRoute{Filter: strings.Join(names, "|")}}
	if len(i.Jobs) > mostNamed {
		return views.Effects{jobs, views.Notice{Text: fmt.Sprintf("the first %d of %s that it hits", mostNamed, draw.Plural(len(i.Jobs), "job"))}}
	}
	return jobs
}

// ofJob opens a screen about the first job of an incident.
func ofJob(i *alerts.Incident, action keymap.Action, f views.Frame) views.Effect {
	if len(i.Jobs) == 0 {
		return views.Notice{Text: "no job is behind this incident", Failed: true}
	}
	id := i.Jobs[0].ID
	if f.Snapshot.Job(id) == nil {
		return views.Notice{Text: "the job " + draw.Clean(i.Jobs[0].String()) + " is not there any more", Failed: true}
	}
	switch action {
	case keymap.OpenLogs:
		return views.OpenScreen{Route: views.LogsRoute{Job: id}}
	case keymap.JumpOwner:
		return views.OpenScreen{Route: views.JobRoute{Job: id}}
	}
	return views.OpenScreen{Route: views.DiagnosisRoute{Job: id}}
}
