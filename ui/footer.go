package ui

import (
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// footer draws the lines below the screen: keys, breadcrumbs, activity.
type footer struct{ m *model }

// keyLine names the keys of the screen, and at the right the way back.
func (f *footer) keyLine() string {
	crumbs := f.crumbLine()
	line := f.m.painter.line()
	_, filters := f.m.top().(views.Filterable)
	help := keymap.ShowHelp
	reserved := len("   ? help")
	if wide := f.m.width - crumbs.Left(); wide > 0 {
		reserved += wide + len("  ")
	}
	for _, b := range f.m.acting.rights().Footer(f.m.top().Scope()) {
		if b.Action == keymap.Filter && !filters || b.Action == help {
			continue
		}
		text := "   " + keymap.Print(b.Keys[0]) + " " + b.Short
		if line.Left()-reserved < draw.Width(text) {
			continue
		}
		f.addKey(line, b)
	}
	if line.Left()-reserved >= 0 || len(f.m.stack) == 1 {
		for _, b := range f.m.acting.rights().Footer(f.m.top().Scope()) {
			if b.Action == help {
				f.addKey(line, b)
			}
		}
	}
	return line.Right(crumbs).String()
}

func (f *footer) addKey(line *draw.Line, b keymap.Binding) {
	between := "   "
	if line.Left() == f.m.width {
		between = " "
	}
	line.Add(themes.Key, between+keymap.Print(b.Keys[0])).Add(themes.Dim, " "+b.Short)
}

// roomy is the width from which the way back fits beside the keys; below it the
// keys come first. Found by feel.
const roomy = 100

// crumbLine is the stack of screens, "" for the first alone, and where keys
// need the room.
func (f *footer) crumbLine() *draw.Line {
	line := f.m.painter.line()
	if !f.m.crumbs || len(f.m.stack) < 2 {
		return line
	}
	var names []string
	for _, v := range f.m.stack {
		name := v.Name()
		if crumbed, is := v.(views.Crumbed); is {
			name = draw.Clean(crumbed.Crumb())
		}
		names = append(names, name)
	}
	last := len(names) - 1
	separator := " " + f.m.theme.Glyphs.Crumb + " "
	room := f.m.width * 2 / 5
	if f.m.width < roomy {
		room = f.m.width / 4
	}
	for from := 1; draw.Width(strings.Join(names, separator)) > room && from < last; from++ {
		// The nearest screens matter most; the first one is known anyway.
		names = append([]string{f.m.theme.Glyphs.Ellipsis}, names[2:]...)
		last = len(names) - 1
	}
	if f.m.width < roomy && draw.Width(strings.Join(names, separator)) > room {
		return line
	}
	return line.Add(themes.Dim, strings.Join(names[:last], separator)+separator).Add(themes.Text, names[last]+" ")
}

// dialogKeys names the keys of a dialog.
func (f *footer) dialogKeys() string {
	line := f.m.painter.line()
	for _, b := range keymap.Footer(keymap.Dialog) {
		f.addKey(line, b)
	}
	return line.String()
}
