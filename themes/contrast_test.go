package themes

import (
	"strconv"
	"strings"
	"testing"
)

// All text is readable: on the theme's background, or on the terminal's for a
// theme without one, and on the selected row.
func TestTextStandsOutFromItsGround(t *testing.T) {
	for name, theme := range map[string]struct {
		palette
		grounds []string
	}{
		// The darkest and the lightest backgrounds that dark terminals commonly
		// have, and the same for light ones.
		"dark":          {dark(), []string{"#000000", "#1e1e1e"}},
		"light":         {light(), []string{"#ffffff", "#fdf6e3"}},
		"high-contrast": {highContrast(), nil},
		"solarized":     {solarized(), nil},
		"nord":          {nord(), nil},
	} {
		grounds := append(theme.grounds, theme.selection)
		if theme.ground != "" {
			grounds = append(grounds, theme.ground)
		}
		colours := append([]string{
			theme.text, theme.dim, theme.strong, theme.heading, theme.accent,
			theme.good, theme.waiting, theme.queued, theme.redoing, theme.done, theme.bad,
		}, append(theme.names[:], theme.heat[:]...)...)
		for _, colour := range colours {
			for _, ground := range grounds {
				if c := parseRGB(colour).contrast(parseRGB(ground)); c < LeastContrast {
					t.Errorf("%s: %s on %s has a contrast of %.2f", name, colour, ground, c)
				}
			}
		}
		if c := parseRGB(theme.strong).contrast(parseRGB(theme.match)); c < LeastContrast {
			t.Errorf("%s: a hit of a search has a contrast of %.2f", name, c)
		}
	}
}

// Text is as readable where the terminal has fewer colours. Lines and the empty
// part of a bar are no text.
func TestTextStandsOutWithFewerColours(t *testing.T) {
	noText := map[Role]bool{Rule: true, BarEmpty: true}
	grounds := map[string][]string{
		"dark": {"#000000", "#1e1e1e"}, "light": {"#ffffff", "#fdf6e3"},
		"high-contrast": {"#000000"}, "solarized": {"#002b36"}, "nord": {"#2e3440"},
	}
	for name, all := range grounds {
		theme, err := Named(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, colours := range []Colours{AllColours, Of256, Of16} {
			limited := theme.Limited(colours)
			if colours == Of16 {
				all = all[:1]
			}
			for r := range roleCount {
				for _, selected := range []bool{false, true} {
					sequence := limited.Open(r, selected)
					for _, sixteen := range [][16]rgbColour{table16, console16} {
						if c := drawnContrast(t, sequence, sixteen, all); c < LeastContrast && !noText[r] {
							t.Errorf("%s with %d: role %d, selected %v: %q has a contrast of %.2f", name, colours, r, selected, sequence, c)
						}
					}
				}
			}
		}
	}
}

// States that a person has to distinguish keep colours of their own where there
// are sixteen: a failure is red, and nothing that runs looks like dim text.
func TestStatesKeepTheirHueWithSixteenColours(t *testing.T) {
	for _, name := range []string{"dark", "high-contrast"} {
		theme, _ := Named(name, Options{})
		limited := theme.Limited(Of16)
		for role, want := range map[Role]string{Bad: "91", Good: "32 92", Waiting: "33 93", Queued: "35 95", Accent: "36 96"} {
			sequence := limited.Open(role, false)
			code := strings.TrimSuffix(sequence[strings.LastIndexByte(sequence, ';')+1:], "m")
			if !strings.Contains(want, code) {
				t.Errorf("%s: role %d is drawn with %s, not with one of %s", name, role, code, want)
			}
		}
		for _, other := range []Role{Text, Strong, Good, Bad, Waiting, Queued} {
			clear := name == "high-contrast" && other == Text // its dim text is as clear
			if !clear && limited.Open(other, false) == limited.Open(Dim, false) {
				t.Errorf("%s: role %d looks like dim text", name, other)
			}
		}
	}
	light, _ := Named("light", Options{})
	limited := light.Limited(Of16)
	if bad := limited.Open(Bad, false); !strings.HasSuffix(bad, ";31m") {
		t.Errorf("light: a failure is drawn with %q", bad)
	}
	for _, role := range []Role{Good, Waiting, Queued, Redoing, Done} {
		if drawn := limited.Open(role, false); strings.HasSuffix(drawn, "31m") {
			t.Errorf("light: role %d, which is no failure, is drawn with %q", role, drawn)
		}
	}
}

// drawnContrast is the contrast that a terminal draws a sequence with, on the
// least favourable of the grounds where it sets none.
func drawnContrast(t *testing.T, sequence string, sixteen [16]rgbColour, grounds []string) float64 {
	t.Helper()
	var foreground, background *rgbColour
	codes := strings.Split(strings.TrimSuffix(strings.TrimPrefix(sequence, "\x1b["), "m"), ";")
	number := func(i int) int {
		n, err := strconv.Atoi(codes[i])
		if err != nil {
			t.Fatalf("%q: %v", sequence, err)
		}
		return n
	}
	for i := 0; i < len(codes); i++ {
		var c rgbColour
		at := &foreground
		switch n := number(i); {
		case n == 38 || n == 48:
			if n == 48 {
				at = &background
			}
			if number(i+1) == 5 {
				c, i = colours256[number(i+2)], i+2
			} else {
				c, i = rgbColour{uint8(number(i + 2)), uint8(number(i + 3)), uint8(number(i + 4))}, i+4
			}
		case n >= 30 && n < 38:
			c = sixteen[n-30]
		case n >= 90 && n < 98:
			c = sixteen[n-90+8]
		default:
			continue
		}
		*at = &c
	}
	if foreground == nil {
		t.Fatalf("%q sets no colour of text", sequence)
	}
	if background != nil {
		return foreground.contrast(*background)
	}
	least := 21.0
	for _, ground := range grounds {
		least = min(least, foreground.contrast(parseRGB(ground)))
	}
	return least
}

func TestFewerColoursKeepTheSelectedRow(t *testing.T) {
	theme, _ := Named("dark", Options{})
	for _, colours := range []Colours{Of256, Of16} {
		if limited := theme.Limited(colours); limited.Open(Text, true) == limited.Open(Text, false) {
			t.Errorf("with %d the selected row looks like the others", colours)
		}
	}
	if limited := theme.Limited(NoColours); limited.Name != Plain {
		t.Errorf("without colours the theme is %s", limited.Name)
	}
}
