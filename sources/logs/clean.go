package logs

import (
	"unicode/utf8"

	"github.com/traintop/traintop/termtext"
)

const (
	esc       = 0x1b
	backspace = '\b'
)

// shows reports whether anything of text is to be seen.
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

// complete is text without the beginning of a character or an escape sequence
// whose rest has not come yet.
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
