// Package forwards lists the ports of pods that are forwarded to this machine,
// and the state of each.
package forwards

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the list of forwarded ports.
type View struct {
	views.Rows[views.Forwarded]
	loads uint64
}

// New makes the screen.
func New() *View {
	v := &View{}
	v.Noun = "forwarded port"
	v.Columns = columns()
	v.Key = func(f views.Forwarded) string { return strconv.Itoa(f.ID) }
	v.Faulty = func(f views.Forwarded) bool { return f.State.Trouble != "" }
	v.Ref = func(f views.Forwarded) train.Ref {
		return train.PodRef(f.State.Namespace, f.State.Pod, f.State.PodUID)
	}
	v.Sorts = map[keymap.Action]string{keymap.SortName: "POD", keymap.SortStatus: "STATE", keymap.SortNS: "NAMESPACE", keymap.SortAge: "SINCE"}
	v.Detail = func(f views.Forwarded) string { return f.State.Trouble }
	v.Enter = func(f views.Forwarded, _ views.Frame) views.Effect { return browse(f) }
	return v
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "pf" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Forwards }

// Title counts the ports.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	title := views.Title{Text: "Forwarded ports " + draw.Count(v.Total()), Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
	troubled := 0
	for _, one := range f.Forwards {
		if one.State.Trouble != "" {
			troubled++
		}
	}
	if troubled > 0 {
		title.Parts = append(title.Parts, draw.Span{Text: draw.Count(troubled) + " in trouble", Role: themes.Bad})
	}
	return title
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	row, any := v.Current()
	switch action {
	case keymap.ForwardBrowse:
		if !any {
			return nil, true
		}
		return browse(row), true
	case keymap.ForwardURL:
		if !any {
			return nil, true
		}
		address := cmp.Or(row.URL(), row.Address())
		return views.CopyText{Text: address, Notice: "copied " + address}, true
	case keymap.ForwardStop:
		var stop []int
		for _, one := range v.Chosen() {
			stop = append(stop, one.ID)
		}
		return views.StopForwards{IDs: stop}, true
	}
	return v.Rows.Do(action, f)
}

func browse(f views.Forwarded) views.Effect {
	if address := f.URL(); address != "" {
		return views.OpenBrowser{Address: address}
	}
	return views.Notice{Text: fmt.Sprintf("no browser shows %s; connect to %s", draw.Clean(f.Port.Name), f.Address())}
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string {
		return []string{"no port is forwarded", "F on a rank or a pod forwards one: TensorBoard, a Ray dashboard, any other"}
	})
}

// load reads the rows each time: they are few, and byte counts grow without a
// notification.
func (v *View) load(f views.Frame) {
	v.loads++
	v.Load(draw.Version{Data: v.loads}, f.Ink(), func() []views.Forwarded { return f.Forwards })
}

func columns() []draw.Column[views.Forwarded] {
	type port = views.Forwarded
	text := func(of func(port) string, role themes.Role) func(port, draw.Ink) draw.Cell {
		return func(f port, _ draw.Ink) draw.Cell { return draw.Cell{Text: of(f), Role: role} }
	}
	number := func(of func(port) int) func(a, b port) int {
		return func(a, b port) int { return cmp.Compare(of(a), of(b)) }
	}
	return []draw.Column[port]{
		{Title: "STATE", Importance: 95, Cell: state, Compare: number(urgency)},
		{Title: "WHAT", Importance: 80, Min: 11, Max: 30, Cell: text(func(f port) string { return f.Port.Name }, themes.Text), Compare: func(a, b port) int { return cmp.Compare(a.Port.Name, b.Port.Name) }},
		{Title: "HERE", Importance: 100, Min: 23, Max: 40, Cell: text(func(f port) string { return cmp.Or(f.URL(), f.Address()) }, themes.Accent), Compare: number(func(f port) int { return f.State.Local })},
		{Title: "NAMESPACE", Importance: 30, Name: true, Min: 6, Max: 30, Cell: text(func(f port) string { return f.State.Namespace }, themes.Dim), Compare: func(a, b port) int { return cmp.Compare(a.State.Namespace, b.State.Namespace) }},
		{Title: "POD", Importance: 90, Name: true, Min: 10, Want: 24, Max: 60, Cell: text(func(f port) string { return f.State.Pod }, themes.Text), Compare: func(a, b port) int { return cmp.Compare(a.State.Pod, b.State.Pod) }},
		{Title: "PORT", Importance: 60, Right: true, Cell: text(func(f port) string { return strconv.Itoa(f.State.Remote) }, themes.Text), Compare: number(func(f port) int { return f.State.Remote })},
		{Title: "OPEN", Importance: 50, Right: true, Cell: text(func(f port) string { return draw.Count(f.State.Open) }, themes.Text), Compare: number(func(f port) int { return f.State.Open })},
		{Title: "SERVED", Importance: 40, Right: true, Cell: text(func(f port) string { return draw.Count(f.State.Served) }, themes.Dim), Compare: number(func(f port) int { return f.State.Served })},
		{Title: "BYTES", Importance: 45, Right: true, Cell: text(func(f port) string { return termtext.Quantity(f.State.Bytes) }, themes.Dim), Compare: func(a, b port) int { return cmp.Compare(a.State.Bytes, b.State.Bytes) }},
		{Title: "SINCE", Importance: 35, Right: true, Reserve: 5, Cell: func(f port, ink draw.Ink) draw.Cell { return draw.Cell{Text: ink.Ages.Since(f.State.Since)} }, Compare: func(a, b port) int { return b.State.Since.Compare(a.State.Since) }},
		{Title: "SAYS", Importance: 20, Min: 10, Grow: true, Cell: text(func(f port) string { return f.State.Trouble }, themes.Bad)},
	}
}

func urgency(f views.Forwarded) int {
	switch {
	case f.State.Ended:
		return 0
	case f.State.Trouble != "":
		return 1
	}
	return 2
}

func state(f views.Forwarded, ink draw.Ink) draw.Cell {
	glyphs := ink.Theme.Glyphs
	switch {
	case f.State.Ended:
		return draw.Cell{Text: glyphs.Failed + " ended", Role: themes.Bad}
	case f.State.Trouble != "":
		return draw.Cell{Text: glyphs.Waiting + " waits", Role: themes.Waiting}
	}
	return draw.Cell{Text: glyphs.Running + " up", Role: themes.Good}
}
