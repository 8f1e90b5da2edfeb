package termtext

import "strings"

// escape begins an escape sequence.
const escape = 0x1b

// maxColour bounds the length of a colour that is kept.
const maxColour = 48

// EscapeLength returns the length of the escape sequence at the beginning of text
// (ECMA-48, and xterm's use of it), and whether it is a colour (SGR) that may stay. If it
// is malformed or has no end, the length covers only its introducer, so that no text is
// hidden.
func EscapeLength[T string | []byte](text T) (size int, colour bool) {
	if len(text) < 2 {
		return 1, false
	}
	switch c := text[1]; {
	case c == '[':
		return control(text)
	case c == ']', c == 'P', c == 'X', c == '^', c == '_': // OSC, DCS, SOS, PM, APC
		return commandString(text), false
	case c >= 0x20 && c <= 0x2f: // character sets and similar: ESC ( B
		return introduced(text), false
	case c >= 0x30 && c <= 0x7e:
		return 2, false
	}
	return 1, false
}

// control returns the length of ESC [ parameters intermediates final.
func control[T string | []byte](text T) (size int, colour bool) {
	i := 2
	for i < len(text) && text[i] >= 0x30 && text[i] <= 0x3f {
		i++
	}
	parameters := i
	for i < len(text) && text[i] >= 0x20 && text[i] <= 0x2f {
		i++
	}
	if i == len(text) || text[i] < 0x40 || text[i] > 0x7e {
		return min(i, 2), false
	}
	if text[i] != 'm' || i != parameters || i >= maxColour {
		return i + 1, false
	}
	colours := string(text[2:parameters])
	return i + 1, !strings.ContainsAny(colours, "<=>?") && !conceals(colours)
}

// conceals reports whether the parameters of a colour would hide the text after it (8) or
// blink (5, 6). It skips the numbers of a colour after 38, 48 and 58: 5 and one more, or 2
// and three more.
func conceals(parameters string) bool {
	extended, ofColour := false, 0
	for part := range strings.SplitSeq(parameters, ";") {
		code := strings.TrimLeft(part, "0")
		switch {
		case ofColour > 0:
			ofColour--
			continue
		case extended && code == "5":
			ofColour = 1
		case extended && code == "2":
			ofColour = 3
		case code == "5" || code == "6" || code == "8":
			return true
		}
		extended = !extended && ofColour == 0 && (code == "38" || code == "48" || code == "58")
	}
	return false
}

// commandString returns the length of a command string up to BEL or ESC \.
func commandString[T string | []byte](text T) int {
	for i := 2; i < len(text); i++ {
		switch {
		case text[i] == 0x07:
			return i + 1
		case text[i] == escape && i+1 < len(text) && text[i+1] == '\\':
			return i + 2
		case text[i] == escape:
			return 2
		}
	}
	return 2
}

func introduced[T string | []byte](text T) int {
	i := 1
	for i < len(text) && text[i] >= 0x20 && text[i] <= 0x2f {
		i++
	}
	if i < len(text) && text[i] >= 0x30 && text[i] <= 0x7e {
		return i + 1
	}
	return 1
}
