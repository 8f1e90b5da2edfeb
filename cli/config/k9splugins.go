package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/localfile"
	"github.com/traintop/traintop/ui/custom"
)

// k9sPlugin is a plugin of k9s (internal/config/plugin.go, v0.50).
type k9sPlugin struct {
	ShortCut    string       `json:"shortCut"`
	Override    bool         `json:"override"`
	Description string       `json:"description"`
	Scopes      []string     `json:"scopes"`
	Command     string       `json:"command"`
	Args        argumentList `json:"args"`
	Background  bool         `json:"background"`
	Confirm     bool         `json:"confirm"`
	// Dangerous is nil where the file does not set it.
	Dangerous *bool `json:"dangerous"`
}

// Screens that have pods, and nodes, as rows or as what they are about.
var (
	podScopes  = []keymap.Scope{keymap.Job, keymap.Rank, keymap.ResourcePods}
	nodeScopes = []keymap.Scope{keymap.Nodes, keymap.ResourceNodes}
)

// k9sScopes are the screens here where a list of k9s has its rows.
var k9sScopes = map[string][]keymap.Scope{
	"po": podScopes, "pod": podScopes, "pods": podScopes, "v1/pods": podScopes,
	"co": {keymap.Rank}, "container": {keymap.Rank}, "containers": {keymap.Rank},
	"no": nodeScopes, "node": nodeScopes, "nodes": nodeScopes, "v1/nodes": nodeScopes,
	"cj": {keymap.ResourceCronJobs}, "cronjob": {keymap.ResourceCronJobs}, "cronjobs": {keymap.ResourceCronJobs}, "batch/v1/cronjobs": {keymap.ResourceCronJobs},
	"job": {keymap.Jobs}, "jobs": {keymap.Jobs}, "batch/v1/jobs": {keymap.Jobs}, "pytorchjobs": {keymap.Jobs}, "rayjobs": {keymap.Jobs},
	"jobsets": {keymap.Jobs}, "mpijobs": {keymap.Jobs}, "tfjobs": {keymap.Jobs}, "trainjobs": {keymap.Jobs}, "vcjobs": {keymap.Jobs},
	"ev": {keymap.Events}, "events": {keymap.Events}, "ns": {keymap.Namespaces}, "namespaces": {keymap.Namespaces},
	"ctx": {keymap.Contexts}, "contexts": {keymap.Contexts},
}

func k9sPluginsPath() string { return filepath.Join(k9sFolder(), "plugins.yaml") }

// addK9sPlugins adds the plugins of k9s that can be used here, after what the
// person wrote for traintop.
func (c *ownConfig) addK9sPlugins() (problems Problems) {
	path := k9sPluginsPath()
	text, err := localfile.Read(path, localfile.Settings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var file struct {
		Plugins map[string]k9sPlugin `json:"plugins"`
	}
	root, parseErr := parseConfig(text)
	if err == nil {
		err = parseErr
	}
	if err == nil && root == nil {
		return nil // it is empty
	}
	if err != nil {
		wrong := problemOf(path, err)
		wrong.Text = "the plugins of k9s are not read: " + wrong.Text
		return Problems{wrong}
	}
	plain, err := json.Marshal(plainValue(root, 0))
	if err == nil {
		err = json.Unmarshal(plain, &file)
	}
	if err != nil {
		return Problems{{File: path, Text: "the plugins of k9s are not read: a value has another type than k9s gives it"}}
	}
	r := newReader(path, root)
	for _, name := range slices.Sorted(maps.Keys(file.Plugins)) {
		if err := c.addPlugin(name, file.Plugins[name]); err != nil {
			r.add("plugins."+name, "plugin %s: %v; it is left out", name, err)
		}
	}
	return r.sorted()
}

func (c *ownConfig) addPlugin(name string, p k9sPlugin) error {
	key := custom.Key{Name: name, OwnKey: keymap.OwnKey{Means: p.Description, Override: p.Override, Impact: keymap.Changes}}
	if key.Means == "" {
		key.Means = name
	}
	if p.Dangerous != nil && !*p.Dangerous {
		key.Impact = keymap.Looks
	}
	var err error
	if key.OwnKey.Key, err = keymap.ParseKey(p.ShortCut); err != nil {
		return err
	}
	all := false
	for _, scope := range p.Scopes {
		all = all || scope == "all"
		for _, here := range k9sScopes[scope] {
			if !slices.Contains(key.Scopes, here) {
				key.Scopes = append(key.Scopes, here)
			}
		}
	}
	if all {
		key.Scopes = []keymap.Scope{keymap.Table}
	}
	if len(key.Scopes) == 0 {
		return fmt.Errorf("no screen here has rows of %q", p.Scopes)
	}
	key.Program = &custom.Program{Arguments: append([]string{p.Command}, p.Args.arguments...), Confirm: p.Confirm || p.Dangerous != nil && *p.Dangerous, Background: p.Background}
	for _, check := range []func() error{key.Program.Check, key.Conflict, func() error { return c.taken(key) }} {
		if err := check(); err != nil {
			return err
		}
	}
	c.custom.Keys = append(c.custom.Keys, key)
	return nil
}
