package termtext

import (
	"fmt"
	"unicode/utf16"
)

// EscapeJSON escapes, as \u202e, the characters in the strings of a JSON text that are not
// kept: encoding/json leaves them, a terminal may obey them, and nobody sees them. The
// text stays the same JSON.
func EscapeJSON(text []byte) []byte {
	if asciiJSON(text) {
		return text
	}
	p, all := printer{form: Form{Lines: true, Tabs: true}}, string(text)
	safe := make([]byte, 0, len(text)+64)
	for i := 0; i < len(all); {
		n, what := p.next(all[i:])
		if part := all[i : i+n]; what == kept {
			safe = append(safe, part...)
		} else {
			safe = appendEscaped(safe, part)
		}
		i += n
	}
	return safe
}

// asciiJSON is the fast path for nearly all texts.
func asciiJSON(text []byte) bool {
	for _, c := range text {
		if c >= 0x7f || c < ' ' && c != '\n' {
			return false
		}
	}
	return true
}

func appendEscaped(dst []byte, part string) []byte {
	for _, r := range part {
		if high, low := utf16.EncodeRune(r); r > 0xffff {
			dst = fmt.Appendf(dst, "\\u%04x\\u%04x", high, low)
		} else {
			dst = fmt.Appendf(dst, "\\u%04x", r)
		}
	}
	return dst
}
