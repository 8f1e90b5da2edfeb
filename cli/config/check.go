package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/ui/custom"
)

// Files are the files and folders that the configuration is read from.
func Files() []string {
	return []string{Path(), themeFolder(), filepath.Join(k9sFolder(), "skins"), k9sPluginsPath()}
}

// WithK9s is the configuration with the plugins of k9s. Those that cannot be
// used are nothing to report at each start: they were written for k9s.
func WithK9s(c Config) Config {
	c.custom.Keys = slices.Clone(c.custom.Keys)
	_ = c.addK9sPlugins()
	return c
}

// Checked is the result of a check.
type Checked struct {
	// Settings counts the settings of the file.
	Settings int
	// Missing is true where there is no such file.
	Missing  bool
	Problems Problems
	// Custom is what a person added, of which the screen knows whether it has
	// use for it.
	Custom custom.Set
}

// CheckNamed is Check for a file that a person named: it has to exist.
func CheckNamed(path string) Checked {
	checked := Check(path)
	if checked.Missing {
		return Checked{Problems: Problems{{File: path, Text: "there is no such file"}}}
	}
	return checked
}

// Check reads a configuration file and all that it refers to. The file may be
// missing.
func Check(path string) Checked {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && brokenLink(path) == nil {
		return Checked{Missing: true}
	}
	c, problems, err := Read(path)
	if err != nil {
		return Checked{Problems: Problems{problemOf(path, err)}}
	}
	problems = append(problems, c.wrongPatterns...)
	problems = append(problems, c.unusable(path)...)
	sortByLine(problems)
	own, wrong := OwnThemes()
	problems = slices.Concat(problems, wrong, c.addK9sPlugins())
	for _, theme := range own {
		problems = append(problems, hardToRead(theme)...)
	}
	return Checked{Settings: len(c.written), Problems: problems, Custom: c.custom}
}

// AddCustom adds what a person added to the screen and that can do nothing there.
func (c *Checked) AddCustom(path string, wrong []custom.Problem) {
	before := len(c.Problems)
	for _, p := range wrong {
		c.Problems = append(c.Problems, Problem{File: path, Line: lineOf(c.Custom.Lines, p.Key), Key: p.Key, Text: p.Text})
	}
	elsewhere := slices.IndexFunc(c.Problems[:before], func(p Problem) bool { return p.File != path })
	if elsewhere < 0 {
		elsewhere = before
	}
	c.Problems = slices.Concat(c.Problems[:elsewhere], c.Problems[before:], c.Problems[elsewhere:before])
	sortByLine(c.Problems[:elsewhere+len(wrong)])
}

// hardToRead names the roles of a theme whose text has too little contrast.
func hardToRead(theme themes.Own) (problems Problems) {
	hard := theme.Unreadable()
	for _, role := range slices.Sorted(maps.Keys(hard)) {
		problems = append(problems, Problem{File: "theme " + theme.Name, Key: "roles." + role, Text: fmt.Sprintf(
			"roles.%s has a contrast of %.1f to 1 with the background or the selected row; text needs %.1f", role, hard[role], themes.LeastContrast)})
	}
	return problems
}

// NextStart are the settings of a context that changed and that are read at the
// start alone.
func NextStart(before, now Config, context string) []string {
	var changed []string
	for _, k := range Keys() {
		if !k.atStart {
			continue
		}
		if !reflect.DeepEqual(before.writtenIn(context, k.name), now.writtenIn(context, k.name)) {
			changed = append(changed, k.name)
		}
	}
	slices.Sort(changed)
	return changed
}

// writtenIn is the value of a setting in a context as the file has it, nil for
// none.
func (c *Config) writtenIn(context, name string) any {
	contexts, _ := c.written[contextsKey].(map[string]any)
	own, _ := contexts[context].(map[string]any)
	if value, has := own[name]; has {
		return value
	}
	return c.written[name]
}
