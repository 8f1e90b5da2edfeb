// Package sourcescreen lists every source of the snapshot, its health, and what it
// was refused. Sources write the texts: those of a cluster that refuses a list are
// made by refusal in sources/kube/health.go.
package sourcescreen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the list of sources.
type View struct {
	views.Rows[train.Health]
	states map[train.SourceState]int
}

// New makes the screen.
func New() *View {
	v := &View{}
	v.Noun = "source"
	v.Columns = columns()
	v.Key = func(h train.Health) string { return h.Source }
	v.Faulty = func(h train.Health) bool { return h.State.Trouble() }
	v.First, v.FirstName = func(a, b train.Health) int {
		return cmp.Or(cmp.Compare(urgency(a), urgency(b)), cmp.Compare(distance(a), distance(b)))
	}, "trouble"
	v.Ref = func(h train.Health) train.Ref { return train.Ref{Name: h.Source, Namespace: h.Namespace} }
	v.Sorts = map[keymap.Action]string{keymap.SortName: "SOURCE", keymap.SortStatus: "STATE", keymap.SortNS: "NAMESPACE", keymap.SortAge: "SINCE"}
	v.Detail = func(h train.Health) string { return h.Text }
	v.Enter = func(h train.Health, f views.Frame) views.Effect {
		return views.OpenScreen{Route: views.TextRoute{Title: h.Source, Text: inFull(h)}}
	}
	return v
}

// distance orders sources of one urgency: the API server itself, what is read from it, all
// that depends on both.
func distance(h train.Health) int {
	switch {
	case h.Source == "kube":
		return 0
	case strings.HasPrefix(h.Source, "kube/"):
		return 1
	}
	return 2
}

func urgency(h train.Health) int {
	switch {
	case h.State.Trouble():
		return 0
	case !h.State.Settled():
		return 1
	case h.State == train.SourceAbsent:
		return 3
	}
	return 2
}

// inFull is the full health of a source, one fact a line.
func inFull(h train.Health) string {
	var b strings.Builder
	for _, fact := range []struct{ name, text string }{
		{"source", h.Source}, {"state", string(h.State)}, {"verb", h.Verb}, {"resource", h.Resource},
		{"group", h.Group}, {"namespace", h.Namespace}, {"says", h.Text},
	} {
		if fact.text != "" {
			fmt.Fprintf(&b, "%s: %s\n", fact.name, fact.text)
		}
	}
	if !h.Since.IsZero() {
		fmt.Fprintf(&b, "since: %s\n", h.Since.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
	if !h.Retry.IsZero() {
		fmt.Fprintf(&b, "next try: %s\n", h.Retry.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
	return b.String()
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "sources" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Sources }

// Title states that the page lists where data come from, and counts them by state.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	var parts []draw.Span
	for _, s := range []train.SourceState{
		train.SourceFailed, train.SourceRetrying, train.SourceForbidden, train.SourceConnecting,
		train.SourceListing, train.SourceLive, train.SourceRead, train.SourceAbsent,
	} {
		if n := v.states[s]; n > 0 {
			parts = append(parts, draw.Span{Text: fmt.Sprintf("%d %s", n, s), Role: draw.Source(f.Theme, s).Role})
		}
	}
	return views.Title{Text: "Data sources " + draw.Count(v.Len()), Parts: parts, Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	return v.Rows.Do(action, f)
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string { return []string{"no source has reported yet"} })
}

func (v *View) load(f views.Frame) {
	v.Load(draw.Version{Data: f.Snapshot.HealthVersion}, f.Ink(), func() []train.Health {
		v.states = map[train.SourceState]int{}
		all := behindSilence(f.Snapshot.Health())
		for _, h := range all {
			v.states[h.State]++
		}
		return all
	})
}

// behindSilence are sources, of which those that an API server serves are not live
// while it does not answer: nothing of them has come since.
func behindSilence(all []train.Health) []train.Health {
	at := slices.IndexFunc(all, func(h train.Health) bool { return h.Source == "kube" && h.State.Trouble() })
	if at < 0 {
		return all
	}
	all = slices.Clone(all)
	for i := range all {
		if h := &all[i]; strings.HasPrefix(h.Source, "kube/") && h.State == train.SourceLive {
			h.State, h.Since, h.Text = train.SourceConnecting, all[at].Since, "the API server does not answer; what was read before is shown"
		}
	}
	return all
}

func columns() []draw.Column[train.Health] {
	type health = train.Health
	quiet := func(of func(health) string) func(health, draw.Ink) draw.Cell {
		return func(h health, _ draw.Ink) draw.Cell { return draw.Cell{Text: of(h), Role: themes.Dim} }
	}
	byText := func(of func(health) string) func(a, b health) int {
		return func(a, b health) int { return cmp.Compare(of(a), of(b)) }
	}
	return []draw.Column[health]{
		{Title: "STATE", Importance: 95, Cell: func(h health, ink draw.Ink) draw.Cell {
			s := draw.SourceHealth(ink.Theme, &h)
			return draw.Cell{Text: s.String(), Role: s.Role}
		}, Compare: func(a, b health) int { return cmp.Compare(urgency(a), urgency(b)) }},
		{Title: "SOURCE", Importance: 100, Name: true, Min: 10, Share: 40, Max: 60, Cell: func(h health, _ draw.Ink) draw.Cell { return draw.Cell{Text: h.Source} }, Compare: byText(func(h health) string { return h.Source })},
		{Title: "NAMESPACE", Importance: 40, Name: true, Min: 6, Max: 30, Cell: quiet(func(h health) string { return h.Namespace }), Compare: byText(func(h health) string { return h.Namespace })},
		{Title: "SINCE", Importance: 70, Right: true, Reserve: 5, Cell: func(h health, ink draw.Ink) draw.Cell {
			if h.State == train.SourceLive || h.State == train.SourceAbsent {
				return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
			}
			return draw.Cell{Text: ink.Ages.Since(h.Since)}
		}, Compare: func(a, b health) int { return b.Since.Compare(a.Since) }},
		{Title: "SAYS", Importance: 90, Min: 12, Want: 24, Grow: true, Wrap: true, Cell: func(h health, _ draw.Ink) draw.Cell { return draw.Cell{Text: says(h)} }},
	}
}

// says returns what a source reports, without the path before it that the source is
// named by.
func says(h train.Health) string {
	_, path, _ := strings.Cut(h.Source, " ")
	if rest, found := strings.CutPrefix(h.Text, path+": "); found && path != "" {
		return rest
	}
	return h.Text
}
