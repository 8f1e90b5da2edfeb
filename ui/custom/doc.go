// Package custom holds what a person adds to the screen in the configuration:
// aliases, saved filters, keys and commands. It is pure: nothing is run here.
package custom

import (
	"maps"
	"slices"
	"strings"

	"github.com/traintop/traintop/keymap"
)

// Set is all that a person added.
type Set struct {
	// Aliases are lines of the ":" prompt by their short names.
	Aliases map[string]string
	// Filters are filters by name: /@name is the filter of that name.
	Filters map[string]string
	// Keys are hotkeys and commands. Their numbers are those of
	// keymap.OwnAction.
	Keys []Key
	// Views are the lists as the person wants them, by the names of screens.
	Views map[string]View
	// Typed are lines of the ":" prompt by the paths of the settings that run them.
	Typed map[string]string
	// Lines are the lines of the file by the paths of settings, as "views.jobs".
	Lines map[string]int
}

// Problem is something that a person added and that can do nothing.
type Problem struct {
	// Key is the path of the setting.
	Key, Text string
}

// View is a list as a person wants it.
type View struct {
	// Columns are those that are shown, in order; none are those of the screen.
	Columns []Column
	// Sort is the title of a column, "" for the order of the screen.
	Sort       string
	Descending bool
	// Wide is nil where it is as it was left.
	Wide *bool
	// Filter narrows the rows when the list is opened first.
	Filter string
}

// Column is a column: one of the screen's by its title, a label or an
// annotation.
type Column struct {
	Title             string
	Label, Annotation string
	// Width is that of the column, 0 for as wide as it needs.
	Width int
}

// Key is a key of a person's own.
type Key struct {
	keymap.OwnKey
	// Name is how messages and the audit log call it.
	Name string
	// Line is run at the ":" prompt where there is no Program.
	Line    string
	Program *Program
}

// Bindings are the bindings of the keys.
func (s Set) Bindings() []keymap.OwnBinding {
	keys := make([]keymap.OwnKey, len(s.Keys))
	for i := range s.Keys {
		keys[i] = s.Keys[i].OwnKey
	}
	return keymap.OwnBindings(keys)
}

// Line is a line of the ":" prompt with its alias replaced.
func (s Set) Line(text string) string {
	word, rest, _ := strings.Cut(text, " ")
	line, is := s.Aliases[strings.ToLower(word)]
	if !is {
		return text
	}
	return strings.TrimSpace(line + " " + rest)
}

// Filter is a filter with the name of a saved one replaced.
func (s Set) Filter(text string) string {
	if name, is := strings.CutPrefix(text, "@"); is {
		if filter, saved := s.Filters[name]; saved {
			return filter
		}
	}
	return text
}

// AliasNames and FilterNames are the names in order.
func (s Set) AliasNames() []string { return slices.Sorted(maps.Keys(s.Aliases)) }

// FilterNames are the names of saved filters in order.
func (s Set) FilterNames() []string { return slices.Sorted(maps.Keys(s.Filters)) }
