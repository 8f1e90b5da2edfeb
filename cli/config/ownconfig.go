package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/ui/custom"
)

// ownConfig is the part of the configuration file about what a person adds to
// the screen. It holds for all contexts.
type ownConfig struct {
	Aliases  map[string]string  `json:"aliases"`
	Filters  map[string]string  `json:"filters"`
	Hotkeys  []hotkey           `json:"hotkeys"`
	Commands []ownCommand       `json:"commands"`
	Views    map[string]ownView `json:"views"`
	// custom is what of them can be used.
	custom custom.Set
}

// hotkey runs a line of the ":" prompt.
type hotkey struct {
	Key         string   `json:"key"`
	Command     string   `json:"command"`
	Description string   `json:"description"`
	Scopes      []string `json:"scopes"`
	Override    bool     `json:"override"`
}

// ownCommand runs a program on this machine.
type ownCommand struct {
	Name         string      `json:"name"`
	Key          string      `json:"key"`
	Description  string      `json:"description"`
	Scopes       []string    `json:"scopes"`
	Command      commandText `json:"command"`
	Shell        bool        `json:"shell"`
	Confirm      bool        `json:"confirm"`
	Background   bool        `json:"background"`
	Output       bool        `json:"output"`
	Wait         bool        `json:"wait"`
	ReadOnlySafe bool        `json:"readOnlySafe"`
	Override     bool        `json:"override"`
}

// commandText is an argument list, or the text of a script.
type commandText struct {
	argumentList
	script string
}

// UnmarshalJSON never fails, as that of argumentList.
func (c *commandText) UnmarshalJSON(text []byte) error {
	*c = commandText{}
	if script, err := strconv.Unquote(string(text)); err == nil {
		c.script = script
		return nil
	}
	return c.argumentList.UnmarshalJSON(text)
}

func ownConfigKeys() []Key {
	return []Key{
		{name: "aliases", kind: "map of texts", everywhere: true, meaning: "short names for lines of the `:` prompt, as in `aliases: {mine: jobs owner=me}`"},
		{name: "filters", kind: "map of texts", everywhere: true, meaning: "saved filters: `/@NAME` is the filter of that name; one may be that of another, `@OTHER`"},
		{name: "hotkeys", kind: "list of `key`, `command`, `description`, `scopes`, `override`", everywhere: true, meaning: "lines of the `:` prompt on keys, see below"},
		{name: "views.NAME", kind: "`columns`, `sort`, `wide`, `filter`", everywhere: true, meaning: "columns, order and filter of a list, see below"},
		{name: "commands", kind: "list of `name`, `key`, `command`, …", everywhere: true, meaning: "programs on keys, see below"},
	}
}

// Custom is what a person adds to the screen.
func (c *ownConfig) Custom() custom.Set { return c.custom }

// checkOwn makes what can be used of it, and reports the rest.
func (c *ownConfig) checkOwn(r *reader) {
	c.custom.Aliases, c.custom.Filters, c.custom.Typed = map[string]string{}, map[string]string{}, map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(c.Aliases)) {
		line := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(c.Aliases[name]), ":"))
		switch word, _, _ := strings.Cut(line, " "); {
		case strings.ContainsAny(name, " \t/:") || name == "":
			r.add("aliases."+name, "the alias %q has to be one word", name)
		case line == "" || strings.EqualFold(word, name):
			r.add("aliases."+name, "the alias %s stands for %q, which is no other command", name, c.Aliases[name])
		default:
			c.custom.Aliases[strings.ToLower(name)], c.custom.Typed["aliases."+name] = line, line
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Filters)) {
		text, circle := c.savedFilter(name)
		if circle != nil {
			r.add("filters."+name, "the saved filter %s leads in a circle and to no filter: %s; it is left out", name, strings.Join(circle, " → "))
			continue
		}
		c.custom.Filters[name] = text
	}
	c.checkViews(r)
	for i, h := range c.Hotkeys {
		c.add(r, r.itemPath("hotkeys", i), h.key(), h.Scopes)
	}
	for i, own := range c.Commands {
		key, err := own.key()
		if err != nil {
			r.add(r.itemPath("commands", i), "the command %q: %v; it is left out", own.Name, err)
			continue
		}
		c.add(r, r.itemPath("commands", i), key, own.Scopes)
	}
}

// savedFilter is the text of a saved filter, of that which it names for @NAME.
// circle is the names from it on that end in one of them, nil where there is a text.
func (c *ownConfig) savedFilter(name string) (text string, circle []string) {
	circle = []string{"@" + name}
	for {
		text = strings.TrimPrefix(c.Filters[name], "/")
		other, isName := strings.CutPrefix(text, "@")
		if _, saved := c.Filters[other]; !isName || !saved {
			return text, nil
		}
		again := slices.Contains(circle, text)
		if circle = append(circle, text); again {
			return "", circle
		}
		name = other
	}
}

func (h hotkey) key() custom.Key {
	line := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(h.Command), ":"))
	means := h.Description
	if means == "" {
		means = line
	}
	return custom.Key{Name: means, Line: line, OwnKey: keymap.OwnKey{Key: h.Key, Means: means, Override: h.Override}}
}

func (o ownCommand) key() (custom.Key, error) {
	key := custom.Key{Name: o.Name, OwnKey: keymap.OwnKey{Key: o.Key, Means: o.Description, Override: o.Override, Impact: keymap.Changes}}
	if key.Means == "" {
		key.Means = o.Name
	}
	if o.ReadOnlySafe {
		key.Impact = keymap.Looks
	}
	key.Program = &custom.Program{Arguments: o.Command.arguments, Script: o.Command.script, Confirm: o.Confirm, Background: o.Background, Output: o.Output, Wait: o.Wait}
	switch {
	case o.Name == "":
		return key, fmt.Errorf("it has no name")
	case o.Command.script != "" && !o.Shell:
		return key, fmt.Errorf("its command has to be a list of a program and its arguments, as in [kubectl, describe, pod, $POD]; a text is run by a shell, with shell: true")
	case o.Command.script == "" && o.Shell:
		return key, fmt.Errorf("with shell: true its command has to be a text")
	case o.Command.wrong:
		return key, fmt.Errorf("its command has to be a list of texts")
	}
	return key, key.Program.Check()
}

// add keeps a key that can be used, and reports another one.
func (c *ownConfig) add(r *reader, path string, key custom.Key, scopes []string) {
	name, err := keymap.ParseKey(key.OwnKey.Key)
	if err == nil {
		key.OwnKey.Key = name
		key.Scopes, err = scopesOf(scopes)
	}
	if err == nil && key.Program == nil && key.Line == "" {
		err = fmt.Errorf("it has no command")
	}
	if err == nil {
		err = key.Conflict()
	}
	if err == nil {
		err = c.taken(key)
	}
	if err != nil {
		r.add(path, "%s %q: %v; it is left out", strings.TrimSuffix(path[:strings.IndexByte(path, '[')], "s"), key.Name, err)
		return
	}
	c.custom.Keys = append(c.custom.Keys, key)
	if key.Program == nil {
		c.custom.Typed[path] = key.Line
	}
}

// taken reports that an earlier key of the person's own is the same.
func (c *ownConfig) taken(key custom.Key) error {
	for i := range c.custom.Keys {
		other := &c.custom.Keys[i]
		if other.OwnKey.Key != key.OwnKey.Key {
			continue
		}
		for _, scope := range key.Scopes {
			if slices.Contains(other.Scopes, scope) {
				return fmt.Errorf("the key %s is that of %q in %s already", keymap.Print(key.OwnKey.Key), other.Name, scope)
			}
		}
		if len(key.Scopes)+len(other.Scopes) == 0 {
			return fmt.Errorf("the key %s is that of %q already", keymap.Print(key.OwnKey.Key), other.Name)
		}
	}
	return nil
}

// scopesOf are the screens of a key; none, or all, is every screen.
func scopesOf(names []string) ([]keymap.Scope, error) {
	var scopes []keymap.Scope
	for _, name := range names {
		if name == "all" {
			return nil, nil
		}
		if !slices.Contains(keymap.OwnScopes(), keymap.Scope(name)) {
			return nil, fmt.Errorf("there is no screen %q; scopes are all, %s%s", name, scopeNames(), didYouMean(name, strings.Split(scopeNames(), ", ")))
		}
		scopes = append(scopes, keymap.Scope(name))
	}
	return scopes, nil
}

func scopeNames() string {
	var names []string
	for _, scope := range keymap.OwnScopes() {
		names = append(names, string(scope))
	}
	return strings.Join(names, ", ")
}
