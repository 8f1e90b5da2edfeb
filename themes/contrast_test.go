package themes

import (
	"math"
	"strconv"
	"testing"
)

// leastContrast is the minimum of WCAG 2 (1.4.3, level AA) for text.
const leastContrast = 4.5

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
				if c := contrast(t, colour, ground); c < leastContrast {
					t.Errorf("%s: %s on %s has a contrast of %.2f", name, colour, ground, c)
				}
			}
		}
		if c := contrast(t, theme.strong, theme.match); c < leastContrast {
			t.Errorf("%s: a hit of a search has a contrast of %.2f", name, c)
		}
	}
}

// contrast is the ratio of WCAG 2, from 1 to 21.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	la, lb := luminance(t, a), luminance(t, b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		v := float64(n) / 255
		if v <= 0.03928 {
			sum += weight * v / 12.92
		} else {
			sum += weight * math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return sum
}
