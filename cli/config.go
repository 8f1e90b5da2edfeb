package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"sigs.k8s.io/yaml"
)

// config is what a person set once and for all. Flags win over a context's
// settings, and those over the general ones.
type config struct {
	settings
	// Contexts overrides settings for single kubeconfig contexts.
	Contexts map[string]settings `json:"contexts"`
}

type settings struct {
	Theme      string   `json:"theme"`
	ASCII      *bool    `json:"ascii"`
	ReadOnly   *bool    `json:"readonly"`
	Mouse      *bool    `json:"mouse"`
	Namespace  *string  `json:"namespace"`
	Favourites []string `json:"favouriteNamespaces"`
}

// configKey documents one key of the configuration file. docs/configuration.md
// is made from this table, and a key that is not in it is warned about.
type configKey struct{ name, kind, preset, meaning string }

func configKeys() []configKey {
	return []configKey{
		{"theme", "text", "auto", "colours, where auto follows the terminal's background: " + strings.Join(themeNames(), ", ")},
		{"ascii", "true or false", "false", "draw marks, bars and rules with ASCII only"},
		{"readonly", "true or false", "false", "offer nothing that changes the cluster"},
		{"mouse", "true or false", "true", "take wheel and clicks; hold shift to select text as usual"},
		{"namespace", "text", "the last one used", "namespace to start in; \"\" is all"},
		{"favouriteNamespaces", "list", "the busiest ones", "namespaces on the keys 1 to 9"},
		{"contexts.NAME", "the keys above", "", "the same settings for one kubeconfig context"},
	}
}

// configPath is where the configuration file is looked for, by the XDG rules
// of each system ($XDG_CONFIG_HOME/traintop/config.yaml).
func configPath() string { return filepath.Join(xdg.ConfigHome, "traintop", "config.yaml") }

// readConfig reads the configuration file. No file is no error. A file with
// unknown keys is used, and warnings name them; one that cannot be read is an
// error, since going on without it might offer what readonly forbids.
func readConfig(path string) (c config, warnings []string, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil, nil
	}
	if err != nil {
		return c, nil, fmt.Errorf("reading the configuration: %w", err)
	}
	if err := yaml.Unmarshal(text, &c); err != nil {
		return c, nil, fmt.Errorf("reading the configuration %s: %w", path, err)
	}
	var raw map[string]any
	if err := yaml.Unmarshal(text, &raw); err != nil {
		return c, nil, fmt.Errorf("reading the configuration %s: %w", path, err)
	}
	for _, key := range unknownKeys(raw) {
		warnings = append(warnings, fmt.Sprintf("%s: there is no setting %q (see docs/configuration.md)", path, key))
	}
	if name := c.Theme; name != "" && !slices.Contains(themeNames(), name) {
		warnings = append(warnings, fmt.Sprintf("%s: there is no theme %q; themes are %s", path, name, strings.Join(themeNames(), ", ")))
		c.Theme = ""
	}
	return c, warnings, nil
}

func unknownKeys(raw map[string]any) []string {
	var unknown []string
	for name, value := range raw {
		switch {
		case name == "contexts":
			contexts, _ := value.(map[string]any)
			for context, value := range contexts {
				inner, _ := value.(map[string]any)
				for key := range inner {
					if !isSetting(key) {
						unknown = append(unknown, "contexts."+context+"."+key)
					}
				}
			}
		case !isSetting(name):
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return unknown
}

func isSetting(name string) bool {
	return slices.ContainsFunc(configKeys(), func(k configKey) bool { return k.name == name })
}

// in returns the settings for a kubeconfig context.
func (c config) in(context string) settings {
	s, own := c.settings, c.Contexts[context]
	if own.Theme != "" {
		s.Theme = own.Theme
	}
	if own.ASCII != nil {
		s.ASCII = own.ASCII
	}
	if own.ReadOnly != nil {
		s.ReadOnly = own.ReadOnly
	}
	if own.Mouse != nil {
		s.Mouse = own.Mouse
	}
	if own.Namespace != nil {
		s.Namespace = own.Namespace
	}
	if own.Favourites != nil {
		s.Favourites = own.Favourites
	}
	return s
}

// configMarkdown is the table of docs/configuration.md.
func configMarkdown() string {
	var b strings.Builder
	b.WriteString("| key | value | without it | meaning |\n| --- | --- | --- | --- |\n")
	for _, k := range configKeys() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.name, k.kind, k.preset, k.meaning)
	}
	return b.String()
}
