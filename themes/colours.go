package themes

import (
	"math"
	"strconv"
)

// Colours is how many colours a terminal has.
type Colours uint8

const (
	// AllColours has every red, green and blue.
	AllColours Colours = iota
	// Of256 has the 256 of xterm.
	Of256
	// Of16 has those of ANSI, which the terminal's own palette defines.
	Of16
	// NoColours has attributes only.
	NoColours
)

// Limited is the theme on a terminal with fewer colours. The nearest colour to
// one that is readable may not be: the nearest one that still stands out from
// its ground is used.
func (t *Theme) Limited(to Colours) *Theme {
	switch {
	case to == AllColours || t.Name == Plain:
		return t
	case to == NoColours:
		return plain(t.Glyphs)
	}
	limited, grounds := *t, t.grounds(to)
	text, bad := t.looks[Text].plain.limited(to, grounds), t.looks[Bad].plain.limited(to, grounds)
	for r := range roleCount {
		plain := t.looks[r].plain.limited(to, grounds)
		if r >= Good && r < Bad && plain.fgCode == bad.fgCode {
			plain.fgCode = text.fgCode // what is no failure does not look like one
		}
		limited.open[r] = plain.sequence()
		limited.selected[r] = t.looks[r].selected.limited(to, grounds).sequence()
	}
	return &limited
}

// grounds are the backgrounds that text of the theme may be on: its own, or
// those that dark, or light, terminals commonly have. Terminals of 16 colours
// have the first of them, black or white.
func (t *Theme) grounds(on Colours) []rgbColour {
	grounds := []rgbColour{parseRGB("#000000"), parseRGB("#1e1e1e")}
	switch text := t.looks[Text].plain.fg; {
	case t.Background != "":
		return []rgbColour{parseRGB(t.Background)}
	case text != "" && parseRGB(text).isDark(): // dark text
		grounds = []rgbColour{parseRGB("#ffffff"), parseRGB("#fdf6e3")}
	}
	if on == Of16 {
		return grounds[:1]
	}
	return grounds
}

// limited is the look with colours of a terminal that has fewer. Text stays
// readable, and what is fainter (lines) as clear as it was.
func (l look) limited(to Colours, grounds []rgbColour) look {
	on, least := grounds, LeastContrast
	if l.fg != "" {
		meant := grounds
		if l.bg != "" {
			meant = []rgbColour{parseRGB(l.bg)}
		}
		least = min(least, parseRGB(l.fg).leastContrast(meant))
	}
	if l.bg != "" && to == Of16 {
		// Two of sixteen colours on each other are rarely readable.
		l.bg, l.reverse = "", true
	} else if l.bg != "" {
		n := nearestOf(first256, colours256[:], parseRGB(l.bg), nil, 0)
		l.bgCode, l.bg, on = "48;5;"+strconv.Itoa(n), "", colours256[n:n+1]
	}
	if l.fg == "" {
		return l
	}
	wanted := parseRGB(l.fg)
	if l.fg = ""; to == Of256 {
		l.fgCode = "38;5;" + strconv.Itoa(nearestOf(first256, colours256[:], wanted, on, least))
	} else {
		if _, chroma := wanted.hue(); chroma < leastChroma && least == LeastContrast {
			least = max(least, clearShare*wanted.leastContrast(on)) // text is clearer than what is dim
		}
		l.fgCode = code16(nearestOf16(wanted, on, least))
	}
	return l
}

// code16 is the SGR code of one of 16 foregrounds.
func code16(n int) string {
	if n < 8 {
		return strconv.Itoa(30 + n)
	}
	return strconv.Itoa(90 + n - 8)
}

// nearestOf is the index of the colour, from the first one on, that looks most
// like the wanted one and has a contrast on all grounds; where none has, of the
// one that stands out most.
func nearestOf(first int, table []rgbColour, wanted rgbColour, grounds []rgbColour, least float64) int {
	nearest, distance, clearest, contrast := -1, math.Inf(1), first, 0.0
	for n := first; n < len(table); n++ {
		c := table[n].leastContrast(grounds)
		if c > contrast {
			clearest, contrast = n, c
		}
		if d := table[n].distance(wanted); d < distance && c >= least {
			nearest, distance = n, d
		}
	}
	if nearest < 0 {
		return clearest
	}
	return nearest
}

// nearestOf16 is the index of one of the 16 colours of ANSI. It has to stand out
// with the shades of every common terminal, and keeps the hue where it can: the
// nearest colour to a light red may be grey, which means nothing.
func nearestOf16(wanted rgbColour, grounds []rgbColour, least float64) int {
	nearest, distance, kept := -1, math.Inf(1), false
	for n := range table16 {
		if min(table16[n].leastContrast(grounds), console16[n].leastContrast(grounds)) < least {
			continue
		}
		keeps, d := table16[n].hasHueOf(wanted), table16[n].distance(wanted)
		if keeps && !kept || keeps == kept && d < distance {
			nearest, distance, kept = n, d, keeps
		}
	}
	if nearest < 0 {
		return nearestOf(0, table16[:], wanted, grounds, least)
	}
	return nearest
}

// clearShare is the part of its contrast that a grey keeps at least; found by eye.
const clearShare = 0.75

// Hues within nearHue degrees look related: the six of ANSI are 60 apart. From
// leastChroma on a colour has a hue that eyes see; found by eye.
const (
	nearHue     = 45
	leastChroma = 40
)

// hasHueOf reports whether a colour looks related to another: both are greys, or
// their hues are near.
func (c rgbColour) hasHueOf(other rgbColour) bool {
	a, aChroma := c.hue()
	b, bChroma := other.hue()
	if aChroma < leastChroma || bChroma < leastChroma {
		return aChroma < leastChroma && bChroma < leastChroma
	}
	apart := math.Abs(a - b)
	return min(apart, 360-apart) <= nearHue
}

// hue is the hue in degrees and the chroma of HSV, from 0 to 255.
func (c rgbColour) hue() (degrees, chroma float64) {
	r, g, b := float64(c[0]), float64(c[1]), float64(c[2])
	most := max(r, g, b)
	chroma = most - min(r, g, b)
	switch {
	case chroma == 0:
		return 0, 0
	case most == r:
		degrees = math.Mod((g-b)/chroma+6, 6)
	case most == g:
		degrees = (b-r)/chroma + 2
	default:
		degrees = (r-g)/chroma + 4
	}
	return 60 * degrees, chroma
}

// distance weighs the channels by how red the colours are, as eyes do
// (compuphase.com/cmetric.htm).
func (c rgbColour) distance(other rgbColour) float64 {
	red := (float64(c[0]) + float64(other[0])) / 2
	var square [3]float64
	for i := range square {
		d := float64(c[i]) - float64(other[i])
		square[i] = d * d
	}
	return (2+red/256)*square[0] + 4*square[1] + (2+(255-red)/256)*square[2]
}

// first256 is the first of the 256 colours that no terminal redefines.
const first256 = 16

// table16 are xterm's own colours of ANSI (XTerm-col.ad).
var table16 = [16]rgbColour{
	{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
	{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
}

// console16 are the same on the console of Linux (vga_palette in
// drivers/tty/vt/vt.c) and, with little difference, in PuTTY.
var console16 = [16]rgbColour{
	{0, 0, 0}, {170, 0, 0}, {0, 170, 0}, {170, 85, 0}, {0, 0, 170}, {170, 0, 170}, {0, 170, 170}, {170, 170, 170},
	{85, 85, 85}, {255, 85, 85}, {85, 255, 85}, {255, 255, 85}, {85, 85, 255}, {255, 85, 255}, {85, 255, 255}, {255, 255, 255},
}

// colours256 are xterm's 256 colours (256colres.pl): those of ANSI, a cube of 6
// steps in each direction, and 24 greys.
var colours256 = func() (table [256]rgbColour) {
	copy(table[:], table16[:])
	step := func(n int) uint8 {
		if n == 0 {
			return 0
		}
		return uint8(55 + 40*n)
	}
	for n := range 216 {
		table[first256+n] = rgbColour{step(n / 36), step(n / 6 % 6), step(n % 6)}
	}
	for n := range 24 {
		grey := uint8(8 + 10*n)
		table[232+n] = rgbColour{grey, grey, grey}
	}
	return table
}()
