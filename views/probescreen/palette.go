// Package probescreen has the palette of checks that can run inside ranks, and the
// screen that shows the ranks' answers side by side.
package probescreen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"

	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/actions/targets"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Palette lists the probes to choose one.
type Palette struct {
	views.Rows[entry]
	reach   views.Reach
	typed   string // the filter as it was typed
	retyped bool   // the rows were made with another filter
}

// entry is a probe and its index in the list.
type entry struct {
	probes.Probe
	order int
}

// New makes the palette for pods, or for a job.
func New(r views.ProbesRoute) *Palette {
	v := &Palette{reach: views.NewReach(r.Job, r.Pods)}
	v.Noun = "probe"
	v.Columns = paletteColumns()
	v.Key = func(e entry) string { return e.ID }
	v.First = func(a, b entry) int { return cmp.Compare(a.order, b.order) }
	v.Ref = func(e entry) train.Ref { return train.Ref{Name: e.ID} }
	v.Sorts = map[keymap.Action]string{keymap.SortName: "PROBE"}
	v.Detail = func(e entry) string { return e.About }
	v.Enter = v.run
	return v
}

// run runs a probe where it may be run.
func (v *Palette) run(e entry, f views.Frame) views.Effect {
	if why := views.MayProbe(f, e.Probe); why != "" {
		return views.Notice{Text: why, Failed: true}
	}
	all := v.reach.Targets(f)
	if running, others := targets.Running(f.Snapshot, all); len(running) == 0 {
		return views.Notice{Text: noneRuns(len(all), others), Failed: true}
	}
	return views.Probed(f, e.Probe, v.reach.Refs(f))
}

// noneRuns explains why there is nothing to run.
func noneRuns(all, others int) string {
	if all == 0 {
		return "there is no pod here to run anything in"
	}
	return "nothing can be run: " + draw.Plural(others, "container") + " not running; the logs (l) and the diagnosis (D) tell why"
}

// Name is the screen's name in breadcrumbs.
func (v *Palette) Name() string { return "probes" }

// Scope is the scope of the screen's keys.
func (v *Palette) Scope() keymap.Scope { return keymap.Probes }

// Title names the ranks in which a probe would run.
func (v *Palette) Title(f views.Frame) views.Title {
	v.load(f)
	running, others := targets.Running(f.Snapshot, v.reach.Targets(f))
	title := views.Title{
		Text: "Probes " + draw.Count(v.Len()), Filter: v.typed, Flags: v.Flags(), Note: v.Note(),
		Parts: []draw.Span{{Text: "in " + v.reach.Words(f), Role: themes.Accent}},
	}
	switch {
	case f.Rights.NoCluster:
		title.Parts = append(title.Parts, draw.Span{Text: "no cluster here to run them in", Role: themes.Waiting})
	case len(running) == 0:
		title.Parts = append(title.Parts, draw.Span{Text: "none runs", Role: themes.Bad})
	case others > 0:
		title.Parts = append(title.Parts, draw.Span{Text: draw.Count(others) + " not running", Role: themes.Waiting})
	}
	return title
}

// SetFilter narrows the list to matches of the text, the best on top.
func (v *Palette) SetFilter(text string) error {
	v.typed, v.retyped = text, true
	return nil
}

// Filter is the filter as it was typed.
func (v *Palette) Filter() string { return v.typed }

// Selected are the pods that the probe would run in, so that a shell opens
// there.
func (v *Palette) Selected(f views.Frame) []train.Ref { return v.reach.Refs(f) }

// Do carries out an action.
func (v *Palette) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	if action == keymap.ProbeRanks {
		if !v.reach.Next(f) {
			return views.Notice{Text: "there are no other ranks to choose"}, true
		}
		return nil, true
	}
	return v.Rows.Do(action, f)
}

// Render draws the list.
func (v *Palette) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string {
		if v.typed != "" {
			return []string{"no probe is like " + draw.Clean(v.typed), "esc shows all"}
		}
		return []string{"there is no probe"}
	})
}

// load lists the probes that may run: where nothing may be changed, those that
// change something are left out.
func (v *Palette) load(f views.Frame) {
	limits := "all " + v.typed
	if f.Rights.ReadOnly {
		limits = "harmless " + v.typed
	}
	v.Load(draw.Version{Limits: limits}, f.Ink(), func() []entry {
		var rows []entry
		for _, p := range f.Probes {
			if !p.Writes || !f.Rights.ReadOnly {
				rows = append(rows, entry{p, len(rows)})
			}
		}
		return like(rows, strings.TrimSpace(v.typed))
	})
	if v.retyped {
		v.retyped = false
		v.Table.Do(keymap.Top, nil)
	}
}

// like returns probes whose name or title matches a text, the best first;
// without any, those whose description contains it.
func like(rows []entry, text string) []entry {
	if text == "" {
		return rows
	}
	names := make([]string, len(rows))
	for i, e := range rows {
		names[i] = e.ID + " " + e.Title
	}
	var kept []entry
	for _, match := range fuzzy.Find(text, names) {
		kept = append(kept, entry{rows[match.Index].Probe, len(kept)})
	}
	if len(kept) > 0 {
		return kept
	}
	return slices.DeleteFunc(rows, func(e entry) bool { return !strings.Contains(strings.ToLower(e.About), strings.ToLower(text)) })
}

func paletteColumns() []draw.Column[entry] {
	return []draw.Column[entry]{
		{Title: "PROBE", Importance: 100, Max: 40, Cell: func(e entry, _ draw.Ink) draw.Cell { return draw.Cell{Text: e.ID} },
			Compare: func(a, b entry) int { return cmp.Compare(a.ID, b.ID) }},
		{Title: "CHECKS", Importance: 90, Min: 12, Want: 30, Max: 50, Cell: func(e entry, _ draw.Ink) draw.Cell { return draw.Cell{Text: e.Title, Role: themes.Accent} }},
		{Title: "ASKS", Importance: 80, Cell: func(e entry, _ draw.Ink) draw.Cell {
			if e.Writes {
				return draw.Cell{Text: "first", Role: themes.Waiting}
			}
			return draw.Cell{}
		}},
		{Title: "TELLS", Importance: 70, Min: 16, Want: 30, Grow: true, Cell: func(e entry, _ draw.Ink) draw.Cell { return draw.Cell{Text: e.About, Role: themes.Dim} }},
	}
}
