package ui

import (
	"cmp"
	"slices"
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
	crumbs, line := f.crumbLine(), f.m.painter.line()
	all := f.bindings()
	room := f.m.width
	if wide := room - crumbs.Left(); wide > 0 {
		room -= wide + len("  ")
	}
	named := fittingKeys(all, room)
	if f.m.width < roomy && missesNeeded(all, named) {
		crumbs = f.m.painter.line()
		named = fittingKeys(all, f.m.width)
	}
	for _, b := range named {
		f.addKey(line, b)
	}
	return line.Right(crumbs).String()
}

// bindings are the keys that the footer names where there is room, with the
// words that they have on the screen now.
func (f *footer) bindings() []keymap.Binding {
	all := f.m.acting.rights().Footer(f.m.top().Scope())
	if wording, is := f.m.top().(views.KeyWording); is {
		for i := range all {
			all[i].Short = wording.KeyWord(all[i].Action, all[i].Short)
		}
		all = slices.DeleteFunc(all, func(b keymap.Binding) bool { return b.Short == "" })
	}
	return all
}

// fittingKeys are the keys that fit, in the order of the table. None is left
// out while one that is needed less is named.
func fittingKeys(all []keymap.Binding, room int) []keymap.Binding {
	byNeed := slices.Clone(all)
	slices.SortStableFunc(byNeed, func(a, b keymap.Binding) int { return cmp.Compare(a.Need(), b.Need()) })
	fit := map[string]bool{}
	room += len(keyGap) - len(firstGap)
	for _, b := range byNeed {
		room -= draw.Width(keyGap + keymap.Print(b.Keys[0]) + " " + b.Short)
		if room < 0 {
			break
		}
		fit[b.Keys[0]] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(b keymap.Binding) bool { return !fit[b.Keys[0]] })
}

// missesNeeded reports whether a key that a person must not miss is not named.
func missesNeeded(all, named []keymap.Binding) bool {
	count := func(of []keymap.Binding) (n int) {
		for i := range of {
			if of[i].Needed() {
				n++
			}
		}
		return n
	}
	return count(named) < count(all)
}

// Blanks before a key, and before the first one.
const (
	keyGap   = "   "
	firstGap = " "
)

func (f *footer) addKey(line *draw.Line, b keymap.Binding) {
	between := keyGap
	if line.Left() == f.m.width {
		between = firstGap
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

// dialogKeys names the keys of a dialog; the one that changes a choice only
// where there is one to change, and only the one that cancels where the dialog
// has no room.
func (f *footer) dialogKeys() string {
	line, hidden := f.m.painter.line(), f.m.painter.dialogHidden()
	for _, b := range keymap.Footer(keymap.Dialog) {
		if hidden && b.Action != keymap.DialogCancel {
			continue
		}
		if b.Action != keymap.DialogMore || f.m.dialog.Choosing() {
			f.addKey(line, b)
		}
	}
	return line.String()
}
