package logfeed

import (
	"unicode/utf8"

	"github.com/traintop/traintop/termtext"
)

const (
	esc       = 0x1b
	backspace = '\b'
)

// shows reports whether text has any visible character.
func shows(text []byte) bool {
	for len(text) > 0 {
		switch c := text[0]; {
		case c == esc:
			size, _ := termtext.EscapeLength(text)
			text = text[size:]
		case c <= ' ':
			text = text[1:]
		default:
			return true
		}
	}
	return false
}

// complete returns text without an incomplete character or escape sequence at
// its end, whose rest has not arrived yet.
func complete(text []byte) []byte {
	for back := 1; back <= min(utf8.UTFMax-1, len(text)); back++ {
		if c := text[len(text)-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-back:]) {
				return text[:len(text)-back]
			}
			break
		}
	}
	return text
}
