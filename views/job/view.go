// Package job shows one job: its facts, its ranks as a table or as a wall of
// cells, its events, and what it owns.
package job

import (
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is one job.
type View struct {
	id  train.JobID
	job *train.Job // as last seen; stays when the job is deleted
	// gone is true when the job no longer exists.
	gone bool

	at      tab
	ranks   *ranksTab
	events  eventsTab
	objects objectsTab
	head    int   // lines above the tab's body as last drawn
	tabs    []int // right ends of the tabs' titles as last drawn
}

type tab int

const (
	tabRanks tab = iota
	tabEvents
	tabObjects
	tabCount
)

// New makes the screen of a job.
func New(r views.JobRoute) *View {
	return &View{id: r.Job, ranks: newRanks(), events: newEvents(), objects: newObjects()}
}

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "job" }

// Crumb is the job's name.
func (v *View) Crumb() string {
	if v.job == nil {
		return v.Name()
	}
	return v.job.Ref.Name
}

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Job }

// Title names the job.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	if v.job == nil {
		return views.Title{Text: "Job"}
	}
	title := views.Title{Text: draw.Clean(v.job.Ref.Title()), Filter: v.body().FilterLine(), Flags: v.body().Flags(), Note: v.body().Note()}
	state := draw.Phase(f.Theme, v.job.Phase)
	title.Parts = append(title.Parts, draw.Span{Text: state.String(), Role: state.Role})
	if v.gone {
		title.Parts = append(title.Parts, draw.Span{Text: "deleted; this is how it was last seen", Role: themes.Bad})
	} else if v.job.Gone {
		title.Parts = append(title.Parts, draw.Span{Text: "the object itself is not there or may not be read", Role: themes.Waiting})
	}
	return title
}

// body is the table of the tab that is shown.
type body interface {
	Do(keymap.Action, views.Frame) (views.Effect, bool)
	Click(x, y int, double bool, f views.Frame) views.Effect
	Wheel(lines int, f views.Frame)
	SetFilter(string) error
	Filter() string
	FilterLine() string
	KeyWord(action keymap.Action, word string) string
	Note() string
	Flags() string
	Selected(views.Frame) []train.Ref
	Text(views.Frame) string
	State() views.State
	Restore(views.State)
}

func (v *View) body() body {
	switch v.at {
	case tabEvents:
		return &v.events
	case tabObjects:
		return &v.objects
	}
	return v.ranks
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.NextTab:
		v.at = (v.at + 1) % tabCount
	case keymap.PreviousTab:
		v.at = (v.at + tabCount - 1) % tabCount
	case keymap.TabRanks:
		v.at = tabRanks
	case keymap.TabEvents:
		v.at = tabEvents
	case keymap.TabObjects:
		v.at = tabObjects
	case keymap.OpenDiagnosis:
		return views.OpenScreen{Route: views.DiagnosisRoute{Job: v.id}}, true
	case keymap.OpenXray:
		return views.OpenScreen{Route: views.XrayRoute{Job: v.job.ID}}, true
	case keymap.OpenCharts:
		return v.charts(), true
	case keymap.OpenLogs, keymap.OpenPrevious:
		return v.logs(action == keymap.OpenPrevious), true
	case keymap.OpenRank:
		return v.rank(), true
	case keymap.TabYAML:
		return v.yaml(), true
	case keymap.TabDescribe:
		return v.describe(), true
	case keymap.ToggleWall:
		v.at = tabRanks
		v.ranks.toggleWall()
	case keymap.CellsShow:
		v.at = tabRanks
		return v.ranks.nextCells(), true
	case keymap.GoNode:
		return v.node(), true
	case keymap.JumpOwner:
		return v.owner(), true
	case keymap.SortRestarts, keymap.SortUse:
		v.at = tabRanks
		return v.ranks.Do(action, f)
	default:
		if v.job != nil && v.concernsJob(action) {
			return views.Act{Action: action, On: []train.Ref{v.job.Ref}}, true
		}
		return v.body().Do(action, f)
	}
	return nil, true
}

// concernsJob reports whether an action applies to the job and not to the rows
// under the cursor: it can be done to jobs alone, no rank was chosen, or the
// rows are not ranks.
func (v *View) concernsJob(action keymap.Action) bool {
	switch action {
	case keymap.Suspend, keymap.ScaleJob:
		return true
	case keymap.ShowSMI, keymap.ShowProbes:
		return v.at != tabRanks || v.ranks.chosenRanks() == nil
	case keymap.Shell, keymap.Attach:
		return v.at != tabRanks
	}
	return false
}

// charts opens the job's curves.
func (v *View) charts() views.Effect {
	return views.OpenScreen{Route: views.ChartsRoute{Job: v.id}}
}

// logs opens the logs of the marked ranks, of the one under the cursor, or of
// all before the cursor was moved.
func (v *View) logs(previous bool) views.Effect {
	route := views.LogsRoute{Job: v.id, Previous: previous}
	if v.at == tabRanks {
		route.Ranks = v.ranks.chosenRanks()
	}
	return views.OpenScreen{Route: route}
}

// rank opens the rank under the cursor.
func (v *View) rank() views.Effect {
	r, any := v.ranks.Current()
	if !any {
		return views.Notice{Text: "there is no rank", Failed: true}
	}
	return views.OpenScreen{Route: views.RankRoute{Job: r.job, Rank: r.rankIndex}}
}

func (v *View) yaml() views.Effect {
	if v.job == nil {
		return views.Notice{Text: "the job is not there", Failed: true}
	}
	return views.ShowManifest{Ref: v.job.Ref}
}

func (v *View) describe() views.Effect {
	if v.job == nil {
		return views.Notice{Text: "the job is not there", Failed: true}
	}
	return views.Described(v.job.Ref)
}

func (v *View) node() views.Effect {
	r, ok := v.ranks.Current()
	if !ok || r.Node == "" {
		return views.Notice{Text: "this rank is on no node", Failed: true}
	}
	return views.OpenScreen{Route: views.NodeRoute{Name: r.Node}}
}

func (v *View) owner() views.Effect {
	if v.job == nil || v.job.Owner.Kind == "" {
		return views.Notice{Text: "nothing owns this job"}
	}
	return views.ShowManifest{Ref: v.job.Owner}
}

// KeyWord is the word of a key on the tab: ranks alone have a log that enter
// opens.
func (v *View) KeyWord(action keymap.Action, word string) string {
	switch action {
	case keymap.OpenLogs, keymap.OpenDiagnosis, keymap.OpenCharts: // of the job
		return word
	case keymap.Open:
		switch v.at {
		case tabEvents:
			word = "object"
		case tabObjects:
			word = "open"
		}
	}
	return v.body().KeyWord(action, word)
}

// SetFilter narrows the rows of the tab.
func (v *View) SetFilter(text string) error { return v.body().SetFilter(text) }

// Filter is the filter of the tab.
func (v *View) Filter() string { return v.body().Filter() }

// Selected are the objects of the chosen rows.
func (v *View) Selected(f views.Frame) []train.Ref { return v.body().Selected(f) }

// Text is the tab's table.
func (v *View) Text(f views.Frame) string { return v.body().Text(f) }

// UseColumns chooses the columns of the ranks.
func (v *View) UseColumns(own []views.OwnColumn) (unknown []string) { return v.ranks.UseColumns(own) }

// ColumnTitles are those of the ranks.
func (v *View) ColumnTitles() []string { return v.ranks.ColumnTitles() }

// SortBy sorts the ranks.
func (v *View) SortBy(title string, descending bool) { v.ranks.SortBy(title, descending) }

// SetWide shows or hides the wide columns of the ranks.
func (v *View) SetWide(wide bool) { v.ranks.SetWide(wide) }

// State is the saved state: that of the ranks.
func (v *View) State() views.State { return v.ranks.State() }

// Restore applies the saved state.
func (v *View) Restore(s views.State) { v.ranks.Restore(s) }

// Click handles the mouse: the tabs' titles, and the rows below.
func (v *View) Click(x, y int, double bool, f views.Frame) views.Effect {
	if y == v.head-1 {
		for i, end := range v.tabs {
			if x < end {
				switch i {
				case int(tabCount):
					return v.yaml()
				case int(tabCount) + 1:
					return v.describe()
				case int(tabCount) + 2:
					return views.OpenScreen{Route: views.DiagnosisRoute{Job: v.id}}
				}
				v.at = tab(i)
				break
			}
		}
		return nil
	}
	f.Height -= v.head
	return v.body().Click(x, y-v.head, double, f)
}

// Wheel scrolls the rows.
func (v *View) Wheel(lines int, f views.Frame) { v.body().Wheel(lines, f) }

// Render draws the facts, the titles of the tabs, and the tab.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	if v.job == nil {
		if texts := f.Missing(); texts != nil && !f.Snapshot.Settled() {
			return f.Message(texts...)
		}
		return f.Message("this job is there no more", "esc goes back")
	}
	head := append(v.facts(f, f.Height-4), v.titles(f))
	v.head = len(head)
	f.Height = max(0, f.Height-len(head))
	switch v.at {
	case tabEvents:
		return append(head, v.events.render(f)...)
	case tabObjects:
		return append(head, v.objects.render(f)...)
	}
	return append(head, v.ranks.render(f)...)
}

func (v *View) load(f views.Frame) {
	now := f.Snapshot.Job(v.id)
	v.gone = now == nil && v.job != nil
	if now != nil {
		v.job = now
	}
	if v.job != nil {
		v.ranks.load(f, v.job)
		v.ranks.beginAt(views.FailedRank(v.job, f.Diagnosis.Job(v.id)))
		v.events.load(f, v.job)
		v.objects.load(f, v.job)
	}
}
