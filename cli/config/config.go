package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

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
	ownConfig
	alertConfig
	receiversConfig
	kindsConfig
	// written is the file as it is, without what cannot be used.
	written map[string]any
	// lines are those of the settings by their paths.
	lines map[string]int
}

type Settings struct {
	Theme      string   `json:"theme"`
	ASCII      *bool    `json:"ascii"`
	ReadOnly   *bool    `json:"readonly"`
	Mouse      *bool    `json:"mouse"`
	Namespace  *string  `json:"namespace"`
	Favourites []string `json:"favouriteNamespaces"`
	DebugImage string   `json:"debugImage"`
	// Start is a line of the ":" prompt that is run first.
	Start string `json:"start"`
	// Prometheus is used as a whole from a context that has it.
	Prometheus *prometheus.Settings `json:"prometheus"`
}

// Key documents one key of the configuration file. docs/configuration.md
// is made from this table, and a key that is not in it is warned about.
type Key struct {
	name, kind, preset, meaning string
	// everywhere is true for a setting that a context cannot override.
	everywhere bool
	// atStart is true for a setting that is read at the start alone; others
	// take effect while the screen is open.
	atStart bool
}

func Keys() []Key {
	keys := []Key{
		{name: "theme", kind: "text", preset: "auto", meaning: "colours, where auto follows the terminal's background: " + strings.Join(themes.Names(), ", ") + ", or a file of yours, see below"},
		{name: "ascii", kind: "true or false", preset: "`true` on the console of Linux, else `false`", meaning: "draw and print with ASCII only; letters of other scripts, data for programs and lines of `logs` stay"},
		{name: "readonly", kind: "true or false", preset: "false", meaning: "offer nothing that changes the cluster"},
		{name: "mouse", kind: "true or false", preset: "true", meaning: "take wheel and clicks; hold shift to select text as usual"},
		{name: "namespace", kind: "text", preset: "the last one used", meaning: "namespace to start in; \"\" is all", atStart: true},
		{name: "favouriteNamespaces", kind: "list", preset: "the busiest ones", meaning: "namespaces on the keys 1 to 9"},
		{name: "debugImage", kind: "text", preset: tasks.DebugImage, meaning: "image offered for a debug container, where a pod has no shell, and for a shell on a node: one that your nodes can pull"},
		{name: "start", kind: "text", preset: "the list shown last", meaning: "a line of the `:` prompt for the screen to start with, as in `gpus` or `jobs ml /llama`", atStart: true},
		prometheusConfigKey(),
		{name: "contexts.NAME", kind: "the keys above", meaning: "the same settings for one kubeconfig context", everywhere: true},
	}
	return slices.Concat(keys, logConfigKeys(), metricsConfigKeys(), signalConfigKeys(), probeConfigKeys(), rewindConfigKeys(), ownConfigKeys(), alertConfigKeys(), receiversConfigKeys(), kindsConfigKeys())
}

// Path is the path of the configuration file, by the XDG rules of each system
// ($XDG_CONFIG_HOME/traintop/config.yaml).
func Path() string { return filepath.Join(xdg.ConfigHome, "traintop", "config.yaml") }

// Missing reports whether a configuration has no settings, as that of a file that is not
// there.
func (c *Config) Missing() bool { return len(c.written) == 0 }

// Read reads the configuration file. A missing file is not an error. Of a file
// with wrong or unknown settings the others are used, and problems name those;
// an unreadable one is an error, since without it readonly might be ignored.
func Read(path string) (Config, Problems, error) {
	text, err := localfile.Read(path, localfile.Settings)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, nil, brokenLink(path)
	}
	if err != nil {
		return Config{}, nil, fmt.Errorf("reading the configuration: %w", err)
	}
	c, problems, err := parse(path, text)
	if err != nil {
		place := path
		if at := (*settingError)(nil); errors.As(err, &at) {
			place = fmt.Sprintf("%s:%d", path, at.line)
		}
		return Config{}, nil, fmt.Errorf("reading the configuration %s: %w; docs/configuration.md has all settings", place, err)
	}
	return c, problems, nil
}

// brokenLink is an error where the configuration is a link, or below one, to what is not
// there, such as files on a share that is not mounted: readonly may be set in them.
func brokenLink(path string) error {
	for at := path; ; at = filepath.Dir(at) {
		if target, err := os.Readlink(at); err == nil {
			if _, err := os.Stat(at); err != nil {
				return fmt.Errorf("reading the configuration: %s is a link to %s, which is not there", at, target)
			}
		}
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			return nil
		}
	}
}

// parse reads the text of a configuration file.
func parse(path string, text []byte) (c Config, problems Problems, err error) {
	root, err := parseConfig(text)
	if err != nil || root == nil {
		return c, nil, err
	}
	r := newReader(path, root)
	forbids, err := r.decodeFitting(root, &c)
	if err != nil {
		return c, nil, err
	}
	c.lines = r.lines
	c.written, _ = plainValue(root, 0).(map[string]any) // a map, as parseConfig found
	c.forbid(forbids)
	c.checkThemes(r)
	c.check(r)
	c.checkMetrics(r)
	c.checkSignals(r)
	c.checkProbes(r)
	c.checkRewind(r)
	c.checkOwn(r)
	c.custom.Lines = r.lines
	c.custom.Typed["start"] = c.Start
	for name, own := range c.Contexts {
		c.custom.Typed["contexts."+name+".start"] = own.Start
	}
	c.checkReceivers(r)
	c.checkAlerts(r, c.ReceiverNames())
	c.checkKinds(r)
	return c, r.sorted(), nil
}

// forbid forbids changes in contexts; "" is all of them.
func (c *Config) forbid(contexts map[string]bool) {
	yes := true
	for name := range contexts {
		if name == "" {
			c.ReadOnly = &yes
			for other, own := range c.Contexts {
				own.ReadOnly = nil
				c.Contexts[other] = own
			}
		}
	}
	for name := range contexts {
		if name == "" {
			continue
		}
		if c.Contexts == nil {
			c.Contexts = map[string]Settings{}
		}
		own := c.Contexts[name]
		own.ReadOnly = &yes
		c.Contexts[name] = own
	}
}

// checkThemes removes names that no theme has.
func (c *Config) checkThemes(r *reader) {
	c.Theme = checkTheme(r, "theme", c.Theme)
	for name, own := range c.Contexts {
		own.Theme = checkTheme(r, contextsKey+"."+name+".theme", own.Theme)
		c.Contexts[name] = own
	}
}

func checkTheme(r *reader, path, name string) string {
	if name == "" || slices.Contains(themes.Names(), name) {
		return name
	}
	names := ThemeNames()
	if slices.Contains(names, name) {
		return name
	}
	r.add(path, "%s is %q, and there is no such theme; themes are %s%s", path, name, strings.Join(names, ", "), didYouMean(name, names))
	return ""
}

func keyNamed(name string) (Key, bool) {
	keys := Keys()
	at := slices.IndexFunc(keys, func(k Key) bool { return k.name == name })
	if at < 0 {
		at = slices.IndexFunc(keys, func(k Key) bool { return k.name == name+".NAME" })
	}
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
	if own.Start != "" {
		s.Start = own.Start
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
		meaning := k.meaning
		if k.atStart {
			meaning += " (read at the start)"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.name, k.kind, k.preset, meaning)
	}
	return b.String()
}
