// Package settings lists the settings of the configuration: value, where it
// comes from, meaning.
package settings

import (
	"cmp"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the list of settings.
type View struct {
	views.Rows[views.Setting]
}

// New makes the screen.
func New() *View {
	v := &View{}
	v.Noun = "setting"
	v.Columns = []draw.Column[views.Setting]{
		{Title: "SETTING", Importance: 100, Name: true, Min: 12, Want: 20, Max: 30, Cell: func(s views.Setting, _ draw.Ink) draw.Cell { return draw.Cell{Text: s.Key, Role: themes.Strong} }, Compare: func(a, b views.Setting) int { return cmp.Compare(a.Key, b.Key) }},
		{Title: "VALUE", Importance: 95, Name: true, Min: 10, Max: 40, Cell: value},
		{Title: "FROM", Importance: 70, Min: 8, Max: 30, Cell: from, Compare: func(a, b views.Setting) int { return cmp.Compare(a.From, b.From) }},
		{Title: "MEANING", Importance: 80, Min: 12, Want: 24, Grow: true, Cell: func(s views.Setting, _ draw.Ink) draw.Cell { return draw.Cell{Text: s.Meaning, Role: themes.Dim} }},
	}
	v.Key = func(s views.Setting) string { return s.Key }
	v.Ref = func(s views.Setting) train.Ref { return train.Ref{Name: s.Key} }
	v.Sorts = map[keymap.Action]string{keymap.SortName: "SETTING"}
	v.Detail = detail
	v.Enter = func(s views.Setting, _ views.Frame) views.Effect { return views.ChangeSetting{Key: s.Key} }
	return v
}

// value is the value in force; one that is not set is dimmed.
func value(s views.Setting, _ draw.Ink) draw.Cell {
	if s.From == "" {
		return draw.Cell{Text: s.Preset, Role: themes.Dim}
	}
	return draw.Cell{Text: s.Value, Role: themes.Accent}
}

func from(s views.Setting, _ draw.Ink) draw.Cell {
	return draw.Cell{Text: cmp.Or(s.From, "default"), Role: themes.Dim}
}

// detail is what a setting means, in full.
func detail(s views.Setting) string {
	text := s.Key + " (" + s.Kind + "): " + s.Meaning
	if s.AtStart {
		text += "; read at the start"
	}
	return text
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "settings" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Settings }

// Title counts the settings that are set.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	set := 0
	for _, s := range f.Settings {
		if s.From != "" {
			set++
		}
	}
	return views.Title{Text: "Settings " + draw.Count(v.Len()), Parts: []draw.Span{{Text: draw.Count(set) + " set", Role: themes.Accent}}, Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	if action == keymap.EditConfig {
		return views.EditConfig{}, true
	}
	return v.Rows.Do(action, f)
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string { return []string{"no configuration file is read here"} })
}

func (v *View) load(f views.Frame) {
	v.Load(draw.Version{Data: f.SettingsVersion}, f.Ink(), func() []views.Setting { return f.Settings })
}
