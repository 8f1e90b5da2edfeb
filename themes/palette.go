package themes

// palette is the few colours that a theme's roles are made of. heat goes from
// violet over blue and green to yellow in equal steps of lightness and hue
// (OKLCH), away from the background: people who cannot distinguish red and
// green can distinguish its cells, and none looks like a fault.
type palette struct {
	text, dim, strong, heading, accent, rule  string
	good, waiting, queued, redoing, done, bad string
	selection, match, ground                  string
	names                                     [nameRoles]string
	heat                                      [HeatLevels]string
	// changes are made to the looks of single roles.
	changes map[Role]func(look) look
}

func (p palette) theme(name string, glyphs Glyphs) *Theme {
	looks := map[Role]look{
		Text: {fg: p.text}, Dim: {fg: p.dim}, Strong: {fg: p.strong, bold: true},
		Heading: {fg: p.heading}, Sorted: {fg: p.strong, bold: true}, Chosen: {fg: p.accent, bold: true, underline: true},
		Accent: {fg: p.accent, bold: true}, Key: {fg: p.accent}, Rule: {fg: p.rule},
		Good: {fg: p.good}, Waiting: {fg: p.waiting}, Queued: {fg: p.queued}, Redoing: {fg: p.redoing},
		Done: {fg: p.done}, Bad: {fg: p.bad, bold: true}, Odd: {fg: p.dim},
		Suggestion: {fg: p.dim}, Match: {fg: p.strong, bg: p.match, bold: true}, Marked: {fg: p.accent, bold: true},
		Notice: {fg: p.good}, NoticeFailed: {fg: p.bad, bold: true},
		BarFull: {fg: p.good}, BarEmpty: {fg: p.rule},
		YAMLKey: {fg: p.accent}, YAMLString: {fg: p.text}, YAMLNumber: {fg: p.queued},
	}
	for i, colour := range p.names {
		looks[Name0+Role(i)] = look{fg: colour}
	}
	for i, colour := range p.heat {
		looks[Heat0+Role(i)] = look{fg: colour}
	}
	for role, change := range p.changes {
		looks[role] = change(looks[role])
	}
	t := build(name, glyphs, looks, func(l look) look {
		l.bg = p.selection
		l.reverse = l.reverse || p.selection == ""
		return l
	})
	if p.ground != "" {
		t.Background, t.Foreground = p.ground, p.text
	}
	return t
}

// plain is for NO_COLOR (no-color.org): attributes only.
func plain(glyphs Glyphs) *Theme {
	looks := map[Role]look{
		Strong: {bold: true}, Sorted: {bold: true}, Chosen: {bold: true, underline: true}, Accent: {bold: true}, Key: {bold: true},
		Bad: {bold: true}, Match: {reverse: true}, Marked: {bold: true}, NoticeFailed: {bold: true}, Suggestion: {faint: true},
	}
	return build(Plain, glyphs, looks, func(l look) look {
		l.reverse = !l.reverse
		return l
	})
}

func dark() palette {
	return palette{
		text: "#c8ccd4", dim: "#949ba4", strong: "#f0f3f6", heading: "#909cac", accent: "#6cb6ff", rule: "#3d444d",
		good: "#5aad5d", waiting: "#e0b050", queued: "#b392f0", redoing: "#f0883e", done: "#76a495", bad: "#ff6b66",
		selection: "#263346", match: "#6b5300",
		names: [nameRoles]string{"#6cb6ff", "#8ddb8c", "#dcbdfb", "#f69d50", "#76e3ea", "#f4736a"},
		heat:  [HeatLevels]string{"#9e8cf4", "#76a2ff", "#3db8ff", "#00caec", "#00d8cd", "#58dfa7", "#9cdf82", "#d3da66"},
	}
}

func light() palette {
	return palette{
		text: "#24292f", dim: "#636b74", strong: "#000000", heading: "#57606a", accent: "#0550ae", rule: "#c4cbd3",
		good: "#116329", waiting: "#7d4e00", queued: "#6639ba", redoing: "#b44900", done: "#2f6f5e", bad: "#b0121b",
		selection: "#e3eefc", match: "#ffe58f",
		names: [nameRoles]string{"#0550ae", "#116329", "#6639ba", "#953800", "#1a767c", "#a40e26"},
		heat:  [HeatLevels]string{"#7056c9", "#3860c2", "#0067aa", "#006a87", "#00665f", "#005e37", "#23500a", "#3f4100"},
	}
}

func highContrast() palette {
	return palette{
		text: "#ffffff", dim: "#d0d0d0", strong: "#ffffff", heading: "#ffff00", accent: "#00ffff", rule: "#808080",
		good: "#00ff5f", waiting: "#ffff00", queued: "#ff87ff", redoing: "#ffaf00", done: "#87ffd7", bad: "#ff6565",
		selection: "#00287d", match: "#875f00", ground: "#000000",
		names: [nameRoles]string{"#00ffff", "#00ff5f", "#ff87ff", "#ffaf00", "#ffff5f", "#ff8787"},
		heat:  [HeatLevels]string{"#a490ff", "#79a9ff", "#2dc3ff", "#00d9fe", "#00eadb", "#4ef3af", "#a7f47f", "#ecee55"},
	}
}

// solarized follows Ethan Schoonover's dark palette
// (ethanschoonover.com/solarized), lightened where text would be hard to read
// on its background.
func solarized() palette {
	return palette{
		text: "#b0bcbc", dim: "#8c9ca2", strong: "#eee8d5", heading: "#8d9d9e", accent: "#4da0da", rule: "#0f4a5a",
		good: "#90a217", waiting: "#bc9417", queued: "#9194d3", redoing: "#db835e", done: "#3ba9a0", bad: "#ff675f",
		selection: "#073642", match: "#5d4a00", ground: "#002b36",
		names: [nameRoles]string{"#4da0da", "#90a217", "#9194d3", "#db835e", "#3ba9a0", "#e176aa"},
		heat:  [HeatLevels]string{"#9e91e4", "#7fa4f2", "#59b7f2", "#33c8e4", "#38d5ca", "#6adcaa", "#a1dd89", "#d3da70"},
	}
}

// nord follows the palette of nordtheme.com, lightened likewise.
func nord() palette {
	return palette{
		text: "#d8dee9", dim: "#a6afc0", strong: "#eceff4", heading: "#98b2cc", accent: "#88c0d0", rule: "#4c566a",
		good: "#a3be8c", waiting: "#ebcb8b", queued: "#c4a6be", redoing: "#dba391", done: "#8fbcbb", bad: "#ff8d97",
		selection: "#3b4252", match: "#6b5a2a", ground: "#2e3440",
		names: [nameRoles]string{"#88c0d0", "#a3be8c", "#c4a6be", "#dba391", "#8fbcbb", "#d9a0a6"},
		heat:  [HeatLevels]string{"#b5abf2", "#9bbafd", "#7fcafc", "#6bd7ee", "#6ee1d8", "#8be6bc", "#b3e7a0", "#dce28b"},
	}
}
