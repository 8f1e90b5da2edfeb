package ui

import (
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// keyLine names the keys that matter here, and at its right the way back.
func (m *model) keyLine() string {
	crumbs := m.crumbLine()
	line := m.line()
	_, filters := m.top().(views.Filterable)
	help := keymap.ShowHelp
	reserved := len("   ? help")
	if wide := m.width - crumbs.Left(); wide > 0 {
		reserved += wide + len("  ")
	}
	for _, b := range m.rights().Footer(m.top().Scope()) {
		if b.Action == keymap.Filter && !filters || b.Action == help {
			continue
		}
		text := "   " + keymap.Print(b.Keys[0]) + " " + b.Short
		if line.Left()-reserved < draw.Width(text) {
			continue
		}
		m.addKey(line, b)
	}
	if line.Left()-reserved >= 0 || len(m.stack) == 1 {
		for _, b := range m.rights().Footer(m.top().Scope()) {
			if b.Action == help {
				m.addKey(line, b)
			}
		}
	}
	return line.Right(crumbs).String()
}

func (m *model) addKey(line *draw.Line, b keymap.Binding) {
	between := "   "
	if line.Left() == m.width {
		between = " "
	}
	line.Add(themes.Key, between+keymap.Print(b.Keys[0])).Add(themes.Dim, " "+b.Short)
}

// roomy is from which width on the way back has room beside the keys; below
// it the keys come first. Found by feel.
const roomy = 100

// crumbLine is the stack of screens, "" for the first alone, and where keys
// need the room.
func (m *model) crumbLine() *draw.Line {
	line := m.line()
	if !m.crumbs || len(m.stack) < 2 {
		return line
	}
	var names []string
	for _, v := range m.stack {
		name := v.Name()
		if crumbed, is := v.(views.Crumbed); is {
			name = draw.Clean(crumbed.Crumb())
		}
		names = append(names, name)
	}
	last := len(names) - 1
	separator := " " + m.theme.Glyphs.Crumb + " "
	room := m.width * 2 / 5
	if m.width < roomy {
		room = m.width / 4
	}
	for from := 1; draw.Width(strings.Join(names, separator)) > room && from < last; from++ {
		// What lies nearest matters most; the first screen is known anyway.
		names = append([]string{m.theme.Glyphs.Ellipsis}, names[2:]...)
		last = len(names) - 1
	}
	if m.width < roomy && draw.Width(strings.Join(names, separator)) > room {
		return line
	}
	return line.Add(themes.Dim, strings.Join(names[:last], separator)+separator).Add(themes.Text, names[last]+" ")
}

// dialogKeys names the keys of a dialog.
func (m *model) dialogKeys() string {
	line := m.line()
	for _, b := range keymap.Footer(keymap.Dialog) {
		m.addKey(line, b)
	}
	return line.String()
}
