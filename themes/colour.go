package themes

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
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
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B), true
}

// channels are the red, green and blue of "#rrggbb", 0 to 1.
func channels(hex string) (rgb [3]float64) {
	for i := range rgb {
		n, _ := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8) // ParseColour made it
		rgb[i] = float64(n) / 255
	}
	return rgb
}

// relativeLuminance is that of WCAG 2, from 0 to 1.
func relativeLuminance(hex string) float64 {
	rgb, sum := channels(hex), 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := rgb[i]
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

// Contrast is the ratio of WCAG 2 between two colours "#rrggbb", from 1 to 21.
func Contrast(a, b string) float64 {
	la, lb := relativeLuminance(a), relativeLuminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// mix is a colour between two: share 0 is the first, 1 the second.
func mix(from, to string, share float64) string {
	a, b := channels(from), channels(to)
	var mixed [3]uint8
	for i := range mixed {
		mixed[i] = uint8(math.Round(255 * (a[i] + (b[i]-a[i])*share)))
	}
	return fmt.Sprintf("#%02x%02x%02x", mixed[0], mixed[1], mixed[2])
}

// ReadableContrast is the least contrast of text, WCAG 2 level AA.
const ReadableContrast = 4.5

// readable is a colour, moved away from the ground until it is readable on it.
func readable(colour, ground string) string {
	if colour == "" || ground == "" {
		return colour
	}
	away := "#ffffff"
	if relativeLuminance(ground) > 0.18 {
		away = "#000000"
	}
	for share := 0.0; share < 1; share += 0.05 {
		if moved := mix(colour, away, share); Contrast(moved, ground) >= ReadableContrast {
			return moved
		}
	}
	return away
}
