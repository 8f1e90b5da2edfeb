// Package aliases lists the commands of the ":" prompt, and the resources that it
// opens as tables.
package aliases

import (
	"cmp"
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Command is one command of the prompt.
type Command struct {
	Name    string
	Aliases []string
	Help    string
	// Resource is true for a resource of the cluster.
	Resource bool
}

// View is the list of commands.
type View struct {
	views.Rows[Command]
	all     []Command
	version uint64
}

// New makes the screen.
func New(all []Command) *View {
	v := &View{all: all}
	v.Noun = "command"
	v.Key = func(c Command) string { return c.Name }
	v.Columns = []draw.Column[Command]{
		{Title: "COMMAND", Importance: 100, Min: 10, Want: 14, Cell: func(c Command, _ draw.Ink) draw.Cell { return draw.Cell{Text: c.Name, Role: themes.Strong} }, Compare: func(a, b Command) int { return cmp.Compare(a.Name, b.Name) }},
		{Title: "ALSO", Importance: 90, Min: 10, Want: 20, Cell: func(c Command, _ draw.Ink) draw.Cell {
			return draw.Cell{Text: strings.Join(c.Aliases, " "), Role: themes.Key}
		}},
		{Title: "GOES TO", Importance: 95, Min: 12, Want: 24, Grow: true, Cell: func(c Command, _ draw.Ink) draw.Cell { return draw.Cell{Text: c.Help, Role: themes.Dim} }},
	}
	v.Detail = func(c Command) string { return c.Help }
	v.Ref = func(c Command) train.Ref { return train.Ref{Name: c.Name} }
	v.Sorts = map[keymap.Action]string{keymap.SortName: "COMMAND"}
	v.Enter = func(c Command, _ views.Frame) views.Effect { return views.RunCommand{Text: c.Name} }
	return v
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "aliases" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Aliases }

// Use lists other commands: what the cluster serves is known later than the screen
// opens.
func (v *View) Use(all []Command) {
	v.all = all
	v.version++
}

// Title counts the commands and the resources.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	resources := 0
	for _, c := range v.Table.Rows() {
		if c.Resource {
			resources++
		}
	}
	title := views.Title{Text: "Commands " + draw.Count(v.Len()-resources), Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
	if resources > 0 {
		title.Parts = []draw.Span{{Text: draw.Plural(resources, "resource"), Role: themes.Text}}
	}
	return title
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	return v.Rows.Do(action, f)
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string { return []string{"no commands"} })
}

func (v *View) load(f views.Frame) {
	v.Load(draw.Version{Data: v.version}, f.Ink(), func() []Command { return v.all })
}
