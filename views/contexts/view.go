// Package contexts lists the contexts of the kubeconfig; enter switches to one.
package contexts

import (
	"cmp"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Context is one entry of the kubeconfig.
type Context struct{ Name, Cluster, User, Namespace string }

// View is the list of contexts.
type View struct {
	views.Rows[Context]
	all []Context
}

// New makes the screen.
func New(all []Context) *View {
	v := &View{all: all}
	v.Noun = "context"
	v.Key = func(c Context) string { return c.Name }
	v.Columns = []draw.Column[Context]{
		{Title: "NAME", Importance: 100, Name: true, Min: 12, Want: 30, Max: 80, Cell: text(themes.Text, func(c Context) string { return c.Name }), Compare: byText(func(c Context) string { return c.Name })},
		{Title: "CLUSTER", Importance: 70, Min: 10, Max: 60, Cell: text(themes.Dim, func(c Context) string { return c.Cluster }), Compare: byText(func(c Context) string { return c.Cluster })},
		{Title: "USER", Importance: 60, Min: 10, Max: 60, Cell: text(themes.Dim, func(c Context) string { return c.User }), Compare: byText(func(c Context) string { return c.User })},
		{Title: "NAMESPACE", Importance: 65, Name: true, Min: 6, Max: 40, Cell: text(themes.Dim, func(c Context) string { return c.Namespace }), Compare: byText(func(c Context) string { return c.Namespace })},
	}
	v.Ref = func(c Context) train.Ref { return train.Ref{Name: c.Name, Namespace: c.Namespace} }
	v.Sorts = map[keymap.Action]string{keymap.SortName: "NAME", keymap.SortNS: "NAMESPACE"}
	v.Enter = use
	return v
}

func use(c Context, f views.Frame) views.Effect {
	if c.Name == f.Context {
		return views.Effects{views.RunCommand{Text: "jobs"}, views.Notice{Text: draw.Clean(c.Name) + " is in use already"}}
	}
	return views.UseContext{Name: c.Name}
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "contexts" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Contexts }

// Title counts the contexts and names the current one.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	return views.Title{
		Text: "Contexts " + draw.Count(v.Len()), Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note(),
		Parts: []draw.Span{{Text: "in use: " + draw.Clean(f.Context), Role: themes.Accent}},
	}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	if c, ok := v.Current(); ok && action == keymap.UseContext {
		return use(c, f), true
	}
	return v.Rows.Do(action, f)
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string {
		return []string{"no contexts", "what is shown comes from " + f.Context + ", not from a kubeconfig"}
	})
}

func (v *View) load(f views.Frame) {
	v.Load(draw.Version{Limits: f.Context}, f.Ink(), func() []Context { return v.all })
	if !v.Moved() {
		v.Select(f.Context)
	}
}

func text(role themes.Role, of func(Context) string) func(Context, draw.Ink) draw.Cell {
	return func(c Context, _ draw.Ink) draw.Cell { return draw.Cell{Text: of(c), Role: role} }
}

func byText(of func(Context) string) func(a, b Context) int {
	return func(a, b Context) int { return cmp.Compare(of(a), of(b)) }
}
