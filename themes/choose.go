package themes

import (
	"fmt"
	"strings"
)

// Names that mean more than one palette.
const (
	// Auto is dark or light, as the terminal's background is.
	Auto = "auto"
	// Plain has no colour at all.
	Plain = "plain"
)

// Names lists the names that Named accepts.
func Names() []string {
	return []string{Auto, "dark", "light", "high-contrast", "solarized", "nord", Plain}
}

// Options choose between the looks of one theme.
type Options struct {
	// ASCII draws with letters and signs that every terminal has.
	ASCII bool
	// NoColor wins over the name.
	NoColor bool
	// Light is whether the terminal's background is; Auto follows it.
	Light bool
	// Own are a person's themes.
	Own []Own
}

// Named makes a theme by its name, "" being Auto.
func Named(name string, o Options) (*Theme, error) {
	glyphs := Unicode()
	if o.ASCII {
		glyphs = ASCII()
	}
	if o.NoColor {
		name = Plain
	}
	if name == "" || name == Auto {
		name = "dark"
		if o.Light {
			name = "light"
		}
	}
	if name == Plain {
		return plain(glyphs), nil
	}
	if p, known := builtIn(name); known {
		return p.theme(name, glyphs), nil
	}
	names := Names()
	for _, own := range o.Own {
		if own.Name == name {
			return own.theme(glyphs), nil
		}
		names = append(names, own.Name)
	}
	return nil, fmt.Errorf("choose theme %q: there is none of that name; take one of %s", name, strings.Join(names, ", "))
}
