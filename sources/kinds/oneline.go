package kinds

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestLine bounds a reason, in runes; one that is longer tells nothing more
// in a list, and the object itself has the rest.
const longestLine = 240

// oneLine makes text of a cluster fit for one line of a terminal: control
// bytes and escape sequences go, white space folds, length is bounded.
func oneLine(text string) string {
	if isPlain(text) {
		return text
	}
	var line strings.Builder
	runes, gap := 0, false
	for text != "" && runes < longestLine {
		r, size := utf8.DecodeRuneInString(text)
		if r == '\x1b' {
			text = text[escapeLength(text):]
			continue
		}
		text = text[size:]
		switch {
		case unicode.IsSpace(r):
			gap = runes > 0
			continue
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			continue
		}
		if gap {
			line.WriteByte(' ')
			runes, gap = runes+1, false
		}
		line.WriteRune(r) // invalid UTF-8 shows as the replacement character
		runes++
	}
	if strings.TrimSpace(text) != "" {
		line.WriteRune('…')
	}
	return line.String()
}

// isPlain spares the usual short ASCII sentence the walk.
func isPlain(text string) bool {
	if len(text) > longestLine || strings.TrimSpace(text) != text {
		return false
	}
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' || text[i] == ' ' && text[i-1] == ' ' {
			return false
		}
	}
	return true
}

// escapeLength is the length of the escape sequence that text begins with:
// CSI up to its final byte, OSC up to BEL or ST, any other two bytes.
func escapeLength(text string) int {
	if len(text) < 2 {
		return len(text)
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text); i++ {
			if text[i] >= 0x40 && text[i] <= 0x7e {
				return i + 1
			}
		}
		return len(text)
	case ']', 'P', '_', '^', 'X':
		if end := strings.IndexAny(text[2:], "\a\x1b"); end >= 0 {
			if text[2+end] == '\a' {
				end++ // an ESC begins the terminator, itself a sequence
			}
			return 2 + end
		}
		return len(text)
	}
	if text[1] >= utf8.RuneSelf {
		return 1
	}
	return 2
}

// after puts a separator before text that is there.
func after(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}
