package themes

import (
	"fmt"
	"slices"
	"strings"
)

// Own is a theme that a person wrote: a palette, and looks of single roles.
type Own struct {
	Name    string
	palette palette
	looks   map[Role]func(look) look
}

// Spec is a theme as a file describes it. An omitted setting is as in the theme
// that it is based on.
type Spec struct {
	// Base is the name of a theme that comes with traintop, "" for dark.
	Base string `json:"base"`
	// Background of the whole screen; "default" is the terminal's own.
	Background string `json:"background"`
	// Selection is the background of the selected row, Match that of the hits
	// of a search.
	Selection string `json:"selection"`
	Match     string `json:"match"`
	// Roles are the looks of roles by their names in RoleNames.
	Roles map[string]RoleSpec `json:"roles"`
	// Names are the colours of names that keep theirs, Heat those of a heat map
	// from cold to hot.
	Names []string `json:"names"`
	Heat  []string `json:"heat"`
}

// RoleSpec is the look of one role. In a file it may be the colour alone.
type RoleSpec struct {
	Colour     string
	Background string
	// Bold and Underline are nil where they are as in the base.
	Bold, Underline *bool
}

// roles of a file. Those with a colour of the palette also give it to what
// follows them: accent to keys and chosen titles.
var roleNames = []struct {
	name   string
	role   Role
	colour func(*palette) *string
}{
	{"text", Text, func(p *palette) *string { return &p.text }},
	{"dim", Dim, func(p *palette) *string { return &p.dim }},
	{"strong", Strong, func(p *palette) *string { return &p.strong }},
	{"heading", Heading, func(p *palette) *string { return &p.heading }},
	{"sorted", Sorted, nil},
	{"chosen", Chosen, nil},
	{"accent", Accent, func(p *palette) *string { return &p.accent }},
	{"key", Key, nil},
	{"rule", Rule, func(p *palette) *string { return &p.rule }},
	{"good", Good, func(p *palette) *string { return &p.good }},
	{"waiting", Waiting, func(p *palette) *string { return &p.waiting }},
	{"queued", Queued, func(p *palette) *string { return &p.queued }},
	{"restarting", Redoing, func(p *palette) *string { return &p.redoing }},
	{"done", Done, func(p *palette) *string { return &p.done }},
	{"bad", Bad, func(p *palette) *string { return &p.bad }},
	{"unknown", Odd, nil},
	{"suggestion", Suggestion, nil},
	{"match", Match, nil},
	{"marked", Marked, nil},
	{"notice", Notice, nil},
	{"noticeFailed", NoticeFailed, nil},
	{"barFull", BarFull, nil},
	{"barEmpty", BarEmpty, nil},
	{"yamlKey", YAMLKey, nil},
	{"yamlString", YAMLString, nil},
	{"yamlNumber", YAMLNumber, nil},
}

// RoleNames are the roles that a file may give a look.
func RoleNames() []string {
	names := make([]string, len(roleNames))
	for i := range roleNames {
		names[i] = roleNames[i].name
	}
	return names
}

// builtIn are the palettes of the themes that come with traintop.
func builtIn(name string) (palette, bool) {
	switch name {
	case "", "dark":
		return dark(), true
	case "light":
		return light(), true
	case "high-contrast":
		return highContrast(), true
	case "solarized":
		return solarized(), true
	case "nord":
		return nord(), true
	}
	return palette{}, false
}

// Bases are the names that Spec.Base accepts.
func Bases() []string { return []string{"dark", "light", "high-contrast", "solarized", "nord"} }

// Build makes the theme of a file. wrong is called with the path of each value
// that cannot be used ("roles.bad") and the reason; the others are used.
func (s Spec) Build(name string, wrong func(path, text string)) Own {
	base, known := builtIn(s.Base)
	if !known {
		wrong("base", fmt.Sprintf("base is %q, which is none of %s; dark is used", s.Base, strings.Join(Bases(), ", ")))
		base = dark()
	}
	own := Own{Name: name, palette: base, looks: map[Role]func(look) look{}}
	p := &own.palette
	colourAt(&p.ground, "background", s.Background, wrong)
	colourAt(&p.selection, "selection", s.Selection, wrong)
	colourAt(&p.match, "match", s.Match, wrong)
	coloursAt(p.names[:], "names", s.Names, wrong)
	coloursAt(p.heat[:], "heat", s.Heat, wrong)
	for i := range roleNames {
		if spec, set := s.Roles[roleNames[i].name]; set {
			own.setRole(i, spec, wrong)
		}
	}
	for role := range s.Roles {
		if !slices.Contains(RoleNames(), role) {
			wrong("roles."+role, fmt.Sprintf("there is no role %q; roles are %s", role, strings.Join(RoleNames(), ", ")))
		}
	}
	return own
}

func (o *Own) setRole(i int, spec RoleSpec, wrong func(path, text string)) {
	r := &roleNames[i]
	colour, background, path := "", "", "roles."+r.name
	hasColour := colourAt(&colour, path, spec.Colour, wrong)
	hasBackground := colourAt(&background, path, spec.Background, wrong)
	if hasColour && r.colour != nil {
		*r.colour(&o.palette) = colour
	}
	o.looks[r.role] = func(l look) look {
		if hasColour {
			l.fg = colour
		}
		if hasBackground {
			l.bg = background
		}
		if spec.Bold != nil {
			l.bold = *spec.Bold
		}
		if spec.Underline != nil {
			l.underline = *spec.Underline
		}
		return l
	}
}

// colourAt reads a colour into a place; false where there is none.
func colourAt(into *string, path, text string, wrong func(path, text string)) bool {
	if text == "" {
		return false
	}
	colour, ok := ParseColour(text)
	if !ok {
		wrong(path, fmt.Sprintf("%s is %q, which is no colour; a colour is #rrggbb, a name such as tomato, or %s", path, text, Default))
		return false
	}
	*into = colour
	return true
}

func coloursAt(into []string, path string, texts []string, wrong func(path, text string)) {
	if len(texts) > 0 && len(texts) != len(into) {
		wrong(path, fmt.Sprintf("%s has %d colours and needs %d; it is left out", path, len(texts), len(into)))
		return
	}
	for i, text := range texts {
		colourAt(&into[i], fmt.Sprintf("%s[%d]", path, i), text, wrong)
	}
}

// Unreadable are the roles whose text is hard to read on the background of the
// theme or on the selected row, with their contrast; none for a theme that keeps
// the terminal's background.
func (o Own) Unreadable() map[string]float64 {
	hard := map[string]float64{}
	for i := range roleNames {
		r := &roleNames[i]
		if r.colour == nil || r.role == Rule {
			continue
		}
		for _, ground := range []string{o.palette.ground, o.palette.selection} {
			if colour := *r.colour(&o.palette); colour != "" && ground != "" && o.palette.ground != "" {
				if c := parseRGB(colour).contrast(parseRGB(ground)); c < LeastContrast && (hard[r.name] == 0 || c < hard[r.name]) {
					hard[r.name] = c
				}
			}
		}
	}
	return hard
}

// theme builds the theme.
func (o Own) theme(glyphs Glyphs) *Theme {
	p := o.palette
	p.changes = o.looks
	return p.theme(o.Name, glyphs)
}
