// Package xray shows a job as the tree of what it is made of: its objects down to the
// pods, what the pods name (claims, ConfigMaps, Secrets, accounts), and services. Missing
// objects are red. It reads only the snapshot, which has Secrets and ConfigMaps by name
// alone.
package xray

import (
	"cmp"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the tree of one job.
type View struct {
	views.Rows[*node]
	id           train.JobID
	job          *train.Job // as last seen
	missing, odd int
}

// New makes the screen.
func New(r views.XrayRoute) *View {
	v := &View{id: r.Job}
	v.Noun = "object"
	v.Key = func(n *node) string { return n.path + "/" + n.ref.String() }
	v.Ref = func(n *node) train.Ref { return n.ref }
	v.Faulty = func(n *node) bool { return n.bad }
	v.FirstName = "ownership"
	v.Detail = func(n *node) string { return n.ref.String() + " is " + cmp.Or(n.state, "there") + note(n) }
	v.Enter = v.enter
	v.Columns = []draw.Column[*node]{
		{Title: "OBJECT", Importance: 100, Min: 24, Want: 60, Max: 110, Cell: object},
		{Title: "STATE", Importance: 90, Min: 12, Want: 18, Max: 24, Cell: state},
		{Title: "NOTE", Importance: 60, Min: 10, Grow: true, Wrap: true, Cell: func(n *node, _ draw.Ink) draw.Cell { return draw.Cell{Text: n.note, Role: themes.Dim} }},
	}
	return v
}

func note(n *node) string {
	if n.note == "" {
		return ""
	}
	return ": " + n.note
}

// object is the kind and the name behind the lines of the tree.
func object(n *node, _ draw.Ink) draw.Cell {
	role := themes.Strong
	if n.bad {
		role = themes.Bad
	}
	return draw.Cell{Spans: []draw.Span{{Text: n.prefix, Role: themes.Rule}, {Text: n.ref.Kind + " ", Role: themes.Dim}, {Text: n.ref.Name, Role: role}}}
}

func state(n *node, ink draw.Ink) draw.Cell {
	switch {
	case n.bad && n.state == "missing":
		return draw.Cell{Text: ink.Theme.Glyphs.Failed + " missing", Role: themes.Bad}
	case n.rank != nil:
		s := draw.Rank(ink.Theme, n.rank.State)
		return draw.Cell{Text: s.String(), Role: s.Role}
	case n.bad:
		return draw.Cell{Text: n.state, Role: themes.Bad}
	case n.unknown:
		return draw.Cell{Text: n.state, Role: themes.Odd}
	}
	return draw.Cell{Text: n.state, Role: themes.Text}
}

// enter opens the job, the log of a rank, or the description of another object.
func (v *View) enter(n *node, _ views.Frame) views.Effect {
	switch {
	case v.job != nil && n.ref == v.job.Ref:
		return views.OpenScreen{Route: views.JobRoute{Job: v.job.ID}}
	case v.job != nil && n.rank != nil && n.state != "missing":
		return views.OpenScreen{Route: views.LogsRoute{Job: v.job.ID, Ranks: []int{n.rankIndex}}}
	case n.state == "missing":
		return views.Notice{Text: draw.Clean(n.ref.String()) + " does not exist", Failed: true}
	}
	return views.Described(n.ref)
}

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "xray" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Xray }

// Title names the job and counts what is missing.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	title := views.Title{Text: "Xray", Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
	if v.job != nil {
		title.Text += " " + draw.Clean(v.job.Ref.String())
	}
	title.Parts = append(title.Parts, draw.Span{Text: draw.Plural(v.Total(), "object"), Role: themes.Dim})
	if v.missing > 0 {
		title.Parts = append(title.Parts, draw.Span{Text: draw.Count(v.missing) + " missing", Role: themes.Bad})
	}
	if v.odd > 0 {
		title.Parts = append(title.Parts, draw.Span{Text: draw.Count(v.odd) + " not known", Role: themes.Odd})
	}
	return title
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	if n, any := v.Current(); any && v.job != nil {
		switch action {
		case keymap.OpenLogs, keymap.OpenPrevious:
			route := views.LogsRoute{Job: v.job.ID, Previous: action == keymap.OpenPrevious}
			if n.rank != nil {
				route.Ranks = []int{n.rankIndex}
			}
			return views.OpenScreen{Route: route}, true
		case keymap.JumpOwner:
			return views.OpenScreen{Route: views.JobRoute{Job: v.job.ID}}, true
		}
	}
	return v.Rows.Do(action, f)
}

// Render draws the tree.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string { return []string{"the job is gone"} })
}

func (v *View) load(f views.Frame) {
	if job := f.Snapshot.Job(v.id); job != nil {
		v.job = job
	}
	g := lines{branch: "├ ", last: "└ ", trunk: "│ "}
	if f.Theme.Glyphs.Divider == "|" { // an ASCII theme
		g = lines{branch: "| ", last: "` ", trunk: "| "}
	}
	v.Load(draw.Version{Data: f.Snapshot.ObjectsVersion, Limits: f.Theme.Glyphs.Divider}, f.Ink(), func() []*node {
		v.missing, v.odd = 0, 0
		job := f.Snapshot.Job(v.id)
		if job == nil {
			return nil
		}
		all := flat(treeOf(f, job), g)
		for _, n := range all {
			if n.state == "missing" {
				v.missing++
			}
			if n.unknown {
				v.odd++
			}
		}
		return all
	})
}
