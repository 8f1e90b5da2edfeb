package themes

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"golang.org/x/image/colornames"
)

// Default is the word for the terminal's own colour.
const Default = "default"

var hexColour = regexp.MustCompile(`^#([0-9a-f]{3}|[0-9a-f]{6})$`)

// ParseColour reads a colour as people write it: "#rrggbb", "#rgb", a name of
// SVG 1.1 (which HTML has too), or "default". The result is "#rrggbb", or "" for
// the terminal's own.
func ParseColour(text string) (hex string, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	switch {
	case text == Default || text == "-":
		return "", true
	case hexColour.MatchString(text) && len(text) == 7:
		return text, true
	case hexColour.MatchString(text):
		return "#" + string([]byte{text[1], text[1], text[2], text[2], text[3], text[3]}), true
	}
	c, known := colornames.Map[text]
	if !known {
		return "", false
	}
	return rgbColour{c.R, c.G, c.B}.hex(), true
}

// rgbColour is red, green and blue.
type rgbColour [3]uint8

// parseRGB reads "#rrggbb", as ParseColour gives it.
func parseRGB(hex string) (c rgbColour) {
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &c[0], &c[1], &c[2]); err != nil {
		panic(fmt.Sprintf("themes: %q is no colour: %v", hex, err))
	}
	return c
}

func (c rgbColour) hex() string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// luminance is the relative luminance of WCAG 2, from 0 to 1.
func (c rgbColour) luminance() float64 {
	sum := 0.0
	for i, weight := range [3]float64{0.2126, 0.7152, 0.0722} {
		v := float64(c[i]) / 255
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

// contrast is the ratio of WCAG 2, from 1 to 21.
func (c rgbColour) contrast(other rgbColour) float64 {
	a, b := c.luminance(), other.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// leastContrast is the one with the ground that the colour stands out least from.
func (c rgbColour) leastContrast(grounds []rgbColour) float64 {
	least := 21.0
	for _, ground := range grounds {
		least = min(least, c.contrast(ground))
	}
	return least
}

// darkest is the luminance below which a ground is dark: text on it is light.
const darkest = 0.18

// isDark reports whether light text stands out from a ground.
func (c rgbColour) isDark() bool { return c.luminance() <= darkest }

// mix is a colour between two: share 0 is the first, 1 the second.
func mix(from, to string, share float64) string {
	a, b := parseRGB(from), parseRGB(to)
	var mixed rgbColour
	for i := range mixed {
		mixed[i] = uint8(math.Round(float64(a[i]) + (float64(b[i])-float64(a[i]))*share))
	}
	return mixed.hex()
}

// LeastContrast is the minimum of WCAG 2 (1.4.3, level AA) for text.
const LeastContrast = 4.5

// readable is a colour, moved away from the ground until it is readable on it.
func readable(colour, ground string) string {
	if colour == "" || ground == "" {
		return colour
	}
	on, away := parseRGB(ground), "#ffffff"
	if !on.isDark() {
		away = "#000000"
	}
	for share := 0.0; share < 1; share += 0.05 {
		if moved := mix(colour, away, share); parseRGB(moved).contrast(on) >= LeastContrast {
			return moved
		}
	}
	return away
}
