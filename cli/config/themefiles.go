package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	goyaml "sigs.k8s.io/yaml/goyaml.v3"

	"github.com/traintop/traintop/sources/localfile"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
)

// themeFile is a file that holds a theme.
type themeFile struct {
	name, path string
	// foreign is true for a skin of k9s.
	foreign bool
}

// themeFolder holds a person's themes, k9sFolder is that of k9s
// (internal/config/files.go, v0.50).
func themeFolder() string { return filepath.Join(filepath.Dir(Path()), "themes") }

func k9sFolder() string {
	return cmp.Or(os.Getenv("K9S_CONFIG_DIR"), filepath.Join(xdg.ConfigHome, "k9s"))
}

// k9sPrefix begins the names of skins of k9s.
const k9sPrefix = "k9s-"

// themeFiles are all files that may hold a theme, in order of name. Of two of
// one name that in the folder of traintop counts.
func themeFiles() []themeFile {
	all := filesOf(themeFolder(), "", false)
	for _, skin := range filesOf(filepath.Join(k9sFolder(), "skins"), k9sPrefix, true) {
		if !slices.ContainsFunc(all, func(f themeFile) bool { return f.name == skin.name }) {
			all = append(all, skin)
		}
	}
	return all
}

func filesOf(folder, prefix string, foreign bool) []themeFile {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil // there is none, or it may not be read
	}
	var files []themeFile
	for _, entry := range entries {
		name, isYAML := strings.CutSuffix(entry.Name(), ".yaml")
		if !isYAML {
			name, isYAML = strings.CutSuffix(entry.Name(), ".yml")
		}
		if isYAML && !strings.HasPrefix(name, ".") {
			files = append(files, themeFile{prefix + name, filepath.Join(folder, entry.Name()), foreign})
		}
	}
	return files
}

// ThemeNames are the themes that can be chosen: those that come with traintop,
// those of files, and skins of k9s.
func ThemeNames() []string {
	names := themes.Names()
	for _, file := range themeFiles() {
		if !slices.Contains(names, file.name) {
			names = append(names, file.name)
		}
	}
	return names
}

// OwnThemes are the themes of files, and what in them cannot be used.
func OwnThemes() (own []themes.Own, problems Problems) {
	for _, file := range themeFiles() {
		if slices.Contains(themes.Names(), file.name) {
			problems = append(problems, Problem{File: file.path, Text: fmt.Sprintf("there is a theme %s already; give the file another name", file.name)})
			continue
		}
		theme, wrong, err := file.read()
		if err != nil {
			problems = append(problems, problemOf(file.path, err))
			continue
		}
		own, problems = append(own, theme), append(problems, wrong...)
	}
	return own, problems
}

// read reads one theme.
func (f themeFile) read() (own themes.Own, problems Problems, err error) {
	text, err := localfile.Read(f.path, localfile.Theme)
	if err != nil {
		return own, nil, err
	}
	root, err := parseConfig(text)
	if err != nil {
		return own, nil, err
	}
	if root == nil {
		return own, nil, errors.New("it is empty")
	}
	if f.foreign || hasKey(root, "k9s") {
		return k9sTheme(f.name, root)
	}
	r := newReader(f.path, root)
	var file themeSpec
	if err := anyThemeSetting(root); err != nil {
		return own, nil, err
	}
	if _, err := r.decodeFitting(root, &file); err != nil {
		return own, nil, err
	}
	own = file.spec().Build(f.name, func(path, text string) { r.add(path, "%s", text) })
	return own, r.sorted(), nil
}

// anyThemeSetting returns an error for a file without any setting of a theme: it may be
// a link to another one, and nothing of it is quoted.
func anyThemeSetting(root *goyaml.Node) error {
	fields := jsonFields(reflect.TypeFor[themeSpec]())
	settings := settingsIn(root, "")
	if slices.ContainsFunc(settings, func(s setting) bool { return fields[s.key] != nil }) || len(settings) == 0 {
		return nil
	}
	return &settingError{settings[0].name.Line, fmt.Sprintf("it is no theme: none of its %s is one of a theme's, which are %s",
		termtext.Count(len(settings), "setting"), strings.Join(sortedKeys(fields), ", "))}
}

func hasKey(root *goyaml.Node, key string) bool {
	return slices.ContainsFunc(settingsIn(root, ""), func(s setting) bool { return s.key == key })
}

// k9sTheme reads a skin of k9s. Unknown settings in it are not reported:
// k9s has more to colour.
func k9sTheme(name string, root *goyaml.Node) (own themes.Own, problems Problems, err error) {
	text, err := json.Marshal(plainValue(root, 0))
	if err != nil {
		return own, nil, fmt.Errorf("read the skin of k9s: %w", err)
	}
	var skin themes.K9sSkin
	if err := json.Unmarshal(text, &skin); err != nil {
		return own, nil, errors.New("it is no skin of k9s: a colour in it is a list, a map or a number")
	}
	return skin.Build(name), nil, nil
}

// themeSpec is a theme as its file has it.
type themeSpec struct {
	Base       string              `json:"base"`
	Background string              `json:"background"`
	Selection  string              `json:"selection"`
	Match      string              `json:"match"`
	Roles      map[string]roleSpec `json:"roles"`
	Names      []string            `json:"names"`
	Heat       []string            `json:"heat"`
}

func (s themeSpec) spec() themes.Spec {
	spec := themes.Spec{Base: s.Base, Background: s.Background, Selection: s.Selection, Match: s.Match, Names: s.Names, Heat: s.Heat, Roles: map[string]themes.RoleSpec{}}
	for name, role := range s.Roles {
		spec.Roles[name] = role.RoleSpec
	}
	return spec
}

// roleSpec is the look of a role: a colour, or a map.
type roleSpec struct{ themes.RoleSpec }

// UnmarshalJSON never fails: what is no look has a colour that none is, which is
// reported with its line.
func (s *roleSpec) UnmarshalJSON(text []byte) error {
	var look struct {
		Colour     string `json:"colour"`
		Color      string `json:"color"`
		Background string `json:"background"`
		Bold       *bool  `json:"bold"`
		Underline  *bool  `json:"underline"`
	}
	if json.Unmarshal(text, &s.Colour) == nil {
		return nil
	}
	if err := json.Unmarshal(text, &look); err != nil {
		s.Colour = string(text)
		return nil //nolint:nilerr // it is reported as a colour that none is
	}
	s.RoleSpec = themes.RoleSpec{Colour: cmp.Or(look.Colour, look.Color), Background: look.Background, Bold: look.Bold, Underline: look.Underline}
	return nil
}
