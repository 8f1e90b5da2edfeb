package draw

import (
	"strconv"
	"strings"

	"github.com/traintop/traintop/themes"
)

// colours are the colours that a program set for its text: ECMA-48's select
// graphic rendition (SGR), as far as it is supported. Blinking, hidden text and
// fonts are not.
type colours struct {
	fg, bg                                          string // parameters: "31", "38;5;12"
	bold, faint, italic, underline, reverse, strike bool
}

// sgrAt is the length of the SGR sequence at the beginning of a text and its
// parameters; 0 when there is none.
func sgrAt(text string) (length int, parameters string) {
	if len(text) < 3 || text[0] != 0x1b || text[1] != '[' {
		return 0, ""
	}
	for i := 2; i < len(text); i++ {
		c := text[i]
		switch {
		case c == 'm':
			return i + 1, text[2:i]
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0, ""
		}
	}
	return 0, ""
}

// apply applies the parameters of one sequence. Unknown ones are left out.
func (c *colours) apply(parameters string) {
	for more := true; more; {
		var p string
		p, parameters, more = strings.Cut(parameters, ";")
		code, sub, colon := strings.Cut(p, ":")
		n, err := strconv.Atoi(code)
		if err != nil && code != "" {
			continue
		}
		switch {
		case n == 38 || n == 48 || n == 58:
			var colour string
			if colon {
				colour = colonColour(sub)
			} else {
				colour, parameters, more = longColour(parameters, more)
			}
			c.long(n, colour)
		case colon && n == 4:
			c.underline = sub != "0" // its style is left out
		default:
			c.short(n)
		}
	}
}

// short applies a parameter that is complete by itself.
func (c *colours) short(n int) {
	switch {
	case n == 0:
		*c = colours{}
	case n == 1:
		c.bold = true
	case n == 2:
		c.faint = true
	case n == 3:
		c.italic = true
	case n == 4 || n == 21:
		c.underline = true
	case n == 7:
		c.reverse = true
	case n == 9:
		c.strike = true
	case n == 22:
		c.bold, c.faint = false, false
	case n == 23:
		c.italic = false
	case n == 24:
		c.underline = false
	case n == 27:
		c.reverse = false
	case n == 29:
		c.strike = false
	case n == 39:
		c.fg = ""
	case n == 49:
		c.bg = ""
	case n >= 30 && n <= 37 || n >= 90 && n <= 97:
		c.fg = strconv.Itoa(n)
	case n >= 40 && n <= 47 || n >= 100 && n <= 107:
		c.bg = strconv.Itoa(n)
	}
}

func (c *colours) long(n int, colour string) {
	switch {
	case colour == "":
	case n == 38:
		c.fg = "38;" + colour
	case n == 48:
		c.bg = "48;" + colour
	}
}

// longColour parses the parameters after 38 or 48: "5;N" or "2;R;G;B".
func longColour(parameters string, more bool) (colour, rest string, left bool) {
	want := 0
	var parts []string
	for more {
		var p string
		p, parameters, more = strings.Cut(parameters, ";")
		parts = append(parts, p)
		if len(parts) == 1 {
			if want = colourLength(p); want == 0 {
				return "", parameters, more
			}
		}
		if len(parts) == want {
			break
		}
	}
	return checkedColour(parts), parameters, more
}

// colonColour parses the sub-parameters of 38 or 48: "5:N", "2:R:G:B" or
// "2:SPACE:R:G:B" (ITU T.416).
func colonColour(sub string) string {
	parts := strings.Split(sub, ":")
	if len(parts) == 5 && parts[0] == "2" {
		parts = append(parts[:1], parts[2:]...)
	}
	return checkedColour(parts)
}

func colourLength(kind string) int {
	switch kind {
	case "5":
		return 2
	case "2":
		return 4
	}
	return 0
}

// checkedColour joins the parts of a colour; "" when they are invalid.
func checkedColour(parts []string) string {
	if len(parts) == 0 || len(parts) != colourLength(parts[0]) {
		return ""
	}
	for _, p := range parts {
		if n, err := strconv.Atoi(p); err != nil || n < 0 || n > 255 {
			return ""
		}
	}
	return strings.Join(parts, ";")
}

// write adds the sequence that sets the colours on top of a role's look, readable
// where they are on the theme's ground.
func (c *colours) write(b *strings.Builder, theme *themes.Theme) {
	if *c == (colours{}) {
		return
	}
	b.WriteString("\x1b[")
	first := true
	put := func(on bool, code string) {
		if !on || code == "" {
			return
		}
		if !first {
			b.WriteByte(';')
		}
		first = false
		b.WriteString(code)
	}
	put(c.bold, "1")
	put(c.faint, "2")
	put(c.italic, "3")
	put(c.underline, "4")
	put(c.reverse, "7")
	put(c.strike, "9")
	if fg := c.fg; c.bg != "" || c.reverse {
		put(true, fg)
	} else {
		put(true, theme.Foreign(fg))
	}
	put(true, c.bg)
	b.WriteByte('m')
}
