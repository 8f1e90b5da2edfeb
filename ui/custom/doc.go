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
