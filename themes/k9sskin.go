package themes

import "cmp"

// K9sSkin is what is read of a skin of k9s (internal/config/styles.go, v0.50).
type K9sSkin struct {
	K9s struct {
		Body   k9sColours `json:"body"`
		Prompt k9sColours `json:"prompt"`
		Info   k9sColours `json:"info"`
		Frame  struct {
			Border k9sColours `json:"border"`
			Menu   k9sColours `json:"menu"`
			Title  k9sColours `json:"title"`
			Status k9sStatus  `json:"status"`
		} `json:"frame"`
		Views struct {
			Table struct {
				k9sColours
				Header k9sColours `json:"header"`
			} `json:"table"`
			YAML k9sColours `json:"yaml"`
		} `json:"views"`
	} `json:"k9s"`
}

type k9sColours struct {
	Fg        string `json:"fgColor"`
	Bg        string `json:"bgColor"`
	Logo      string `json:"logoColor"`
	Suggest   string `json:"suggestColor"`
	Section   string `json:"sectionColor"`
	Key       string `json:"keyColor"`
	Value     string `json:"valueColor"`
	Highlight string `json:"highlightColor"`
	CursorFg  string `json:"cursorFgColor"`
	CursorBg  string `json:"cursorBgColor"`
	Mark      string `json:"markColor"`
	Sorter    string `json:"sorterColor"`
}

type k9sStatus struct {
	New       string `json:"newColor"`
	Modify    string `json:"modifyColor"`
	Add       string `json:"addColor"`
	Pending   string `json:"pendingColor"`
	Error     string `json:"errorColor"`
	Highlight string `json:"highlightColor"`
	Completed string `json:"completedColor"`
}

// Build makes a theme of a skin. A colour that k9s lacks comes from dark or
// light, as the skin's background is; text that would be hard to read on it is
// made lighter or darker, since the skin was made for other uses of a colour.
func (s *K9sSkin) Build(name string) Own {
	k := &s.K9s
	ground := firstColour(k.Body.Bg, k.Views.Table.Bg)
	p := dark()
	if ground != "" && !parseRGB(ground).isDark() {
		p = light()
	}
	p.ground = ground
	text := cmp.Or(firstColour(k.Body.Fg, k.Views.Table.Fg), p.text)
	p.text = text
	if ground != "" {
		p.dim = mix(text, ground, 0.35)
		p.selection = mix(ground, text, 0.07)
		p.match = mix(ground, cmp.Or(firstColour(k.Frame.Title.Highlight), p.waiting), 0.3)
		p.rule = cmp.Or(firstColour(k.Frame.Border.Fg), mix(ground, text, 0.3))
	}
	status := &k.Frame.Status
	for _, use := range []struct {
		of      *string
		colours []string
	}{
		{&p.heading, []string{k.Views.Table.Header.Fg}},
		{&p.accent, []string{k.Frame.Menu.Key, k.Frame.Title.Highlight, k.Body.Logo}},
		{&p.good, []string{status.Add, status.New}},
		{&p.waiting, []string{status.Pending, status.Highlight}},
		{&p.queued, []string{status.Modify}},
		{&p.redoing, []string{status.Highlight}},
		{&p.done, []string{status.Completed}},
		{&p.bad, []string{status.Error}},
	} {
		if colour := firstColour(use.colours...); colour != "" {
			*use.of = colour
		}
	}
	own := Own{Name: name, palette: p, looks: map[Role]func(look) look{}}
	own.lighten()
	own.colour(YAMLKey, k.Views.YAML.Key)
	own.colour(YAMLString, k.Views.YAML.Value)
	own.colour(Marked, k.Views.Table.Mark)
	own.colour(Sorted, k.Views.Table.Header.Sorter)
	own.colour(Suggestion, k.Prompt.Suggest)
	return own
}

// lighten makes all text of a theme readable on its background and on the
// selected row.
func (o *Own) lighten() {
	p := &o.palette
	if p.ground == "" {
		return
	}
	colours := []*string{
		&p.text, &p.dim, &p.strong, &p.heading, &p.accent, &p.good, &p.waiting, &p.queued, &p.redoing, &p.done, &p.bad,
	}
	for i := range p.names {
		colours = append(colours, &p.names[i])
	}
	for i := range p.heat {
		colours = append(colours, &p.heat[i])
	}
	for _, colour := range colours {
		*colour = readable(readable(*colour, p.ground), p.selection)
	}
	p.strong = readable(p.strong, p.match)
}

// colour gives one role a colour of the skin.
func (o *Own) colour(role Role, text string) {
	colour := firstColour(text)
	if colour == "" {
		return
	}
	if o.palette.ground != "" {
		colour = readable(readable(colour, o.palette.ground), o.palette.selection)
	}
	o.looks[role] = func(l look) look {
		l.fg = colour
		return l
	}
}

// firstColour is the first text that is a colour and not the terminal's own.
func firstColour(texts ...string) string {
	for _, text := range texts {
		if colour, ok := ParseColour(text); ok && colour != "" {
			return colour
		}
	}
	return ""
}
