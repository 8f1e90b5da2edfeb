package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/sources/localfile"
	"github.com/traintop/traintop/sources/prometheus"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/ui/tasks"
)

// Config is a person's configuration. Flags win over a context's settings, and
// those over the general ones.
type Config struct {
	Settings
	// Contexts overrides settings for single kubeconfig contexts.
	Contexts map[string]Settings `json:"contexts"`
	LogConfig
	metricsConfig
	signalConfig
	probeConfig
	rewindConfig
}

type Settings struct {
	Theme      string   `json:"theme"`
	ASCII      *bool    `json:"ascii"`
	ReadOnly   *bool    `json:"readonly"`
	Mouse      *bool    `json:"mouse"`
	Namespace  *string  `json:"namespace"`
	Favourites []string `json:"favouriteNamespaces"`
	DebugImage string   `json:"debugImage"`
	// Prometheus is used as a whole from a context that has it.
	Prometheus *prometheus.Settings `json:"prometheus"`
}

// Key documents one key of the configuration file. docs/configuration.md
// is made from this table, and a key that is not in it is warned about.
type Key struct {
	name, kind, preset, meaning string
	// everywhere is true for a setting that a context cannot override.
	everywhere bool
}

func Keys() []Key {
	keys := []Key{
		{name: "theme", kind: "text", preset: "auto", meaning: "colours, where auto follows the terminal's background: " + strings.Join(themes.Names(), ", ")},
		{name: "ascii", kind: "true or false", preset: "false", meaning: "draw marks, bars and rules with ASCII only"},
		{name: "readonly", kind: "true or false", preset: "false", meaning: "offer nothing that changes the cluster"},
		{name: "mouse", kind: "true or false", preset: "true", meaning: "take wheel and clicks; hold shift to select text as usual"},
		{name: "namespace", kind: "text", preset: "the last one used", meaning: "namespace to start in; \"\" is all"},
		{name: "favouriteNamespaces", kind: "list", preset: "the busiest ones", meaning: "namespaces on the keys 1 to 9"},
		{name: "debugImage", kind: "text", preset: tasks.DebugImage, meaning: "image offered for a debug container, where a pod has no shell: one that your nodes can pull"},
		prometheusConfigKey(),
		{name: "contexts.NAME", kind: "the keys above", meaning: "the same settings for one kubeconfig context", everywhere: true},
	}
	return slices.Concat(keys, logConfigKeys(), metricsConfigKeys(), signalConfigKeys(), probeConfigKeys(), rewindConfigKeys())
}

// Path is the path of the configuration file, by the XDG rules of each system
// ($XDG_CONFIG_HOME/traintop/config.yaml).
func Path() string { return filepath.Join(xdg.ConfigHome, "traintop", "config.yaml") }

// Read reads the configuration file. A missing file is not an error. A file
// with unknown keys is used, and warnings name them; an unreadable one is an
// error, since without it readonly might be ignored.
func Read(path string) (c Config, warnings []string, err error) {
	text, err := localfile.Read(path, localfile.Settings)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil, nil
	}
	if err != nil {
		return c, nil, fmt.Errorf("reading the configuration: %w", err)
	}
	if err := decodeConfig(text, &c); err != nil {
		place := path
		if at := (*settingError)(nil); errors.As(err, &at) {
			place = fmt.Sprintf("%s:%d", path, at.line)
		}
		return c, nil, fmt.Errorf("reading the configuration %s: %w; docs/configuration.md has all settings", place, err)
	}
	var raw map[string]any
	if err := yaml.Unmarshal(text, &raw); err != nil {
		return c, nil, fmt.Errorf("reading the configuration %s: %w", path, err)
	}
	warnings = warn(path, text, unknownKeys(raw))
	if name := c.Theme; name != "" && !slices.Contains(themes.Names(), name) {
		warnings = append(warnings, fmt.Sprintf("%s: there is no theme %q; themes are %s", path, name, strings.Join(themes.Names(), ", ")))
		c.Theme = ""
	}
	return c, slices.Concat(warnings, c.check(path), c.checkMetrics(path), c.checkSignals(path), c.checkProbes(path), c.checkRewind(path)), nil
}

func unknownKeys(raw map[string]any) (unknown []unknownSetting) {
	for name, value := range raw {
		switch {
		case name == "contexts":
			contexts, _ := value.(map[string]any)
			for context, value := range contexts {
				inner, _ := value.(map[string]any)
				for key := range inner {
					if k, known := keyNamed(key); !known || k.everywhere {
						unknown = append(unknown, unknownIn("contexts."+context, key, keyNames(func(k Key) bool { return !k.everywhere })))
					}
				}
				if set, has := inner["prometheus"]; has {
					unknown = append(unknown, unknownInPrometheus("contexts."+context+".prometheus", set)...)
				}
			}
		case name == "prometheus":
			unknown = append(unknown, unknownInPrometheus(name, value)...)
		case name == "patterns":
			unknown = append(unknown, unknownInPatterns(value)...)
		case name == "probes":
			unknown = append(unknown, unknownInProbes(value)...)
		default:
			if _, known := keyNamed(name); !known {
				unknown = append(unknown, unknownIn("", name, keyNames(func(Key) bool { return true })))
			}
		}
	}
	return unknown
}

// keyNames are the names of some settings.
func keyNames(which func(Key) bool) (names []string) {
	for _, k := range Keys() {
		if which(k) {
			names = append(names, strings.TrimSuffix(k.name, ".NAME"))
		}
	}
	return names
}

func keyNamed(name string) (Key, bool) {
	keys := Keys()
	at := slices.IndexFunc(keys, func(k Key) bool { return k.name == name })
	if at < 0 {
		return Key{}, false
	}
	return keys[at], true
}

// In returns the settings for a kubeconfig context.
func (c Config) In(context string) Settings {
	s, own := c.Settings, c.Contexts[context]
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
	if own.DebugImage != "" {
		s.DebugImage = own.DebugImage
	}
	if own.Prometheus != nil {
		s.Prometheus = own.Prometheus
	}
	return s
}

// Markdown is the table of docs/configuration.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| key | value | without it | meaning |\n| --- | --- | --- | --- |\n")
	for _, k := range Keys() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.name, k.kind, k.preset, k.meaning)
	}
	return b.String()
}
