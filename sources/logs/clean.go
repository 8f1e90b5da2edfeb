package logs

import "unicode/utf8"

const (
	esc       = 0x1b
	backspace = '\b'
)

// appendClean appends text as it may be shown: valid UTF-8 in which the only
// control bytes are tabs and those of colours. Other escape sequences and
// characters that are invisible or turn the direction of writing are left
// out; other control bytes and invalid UTF-8 are shown as \xNN. It stops
// before dst grows by more than most bytes and returns how many bytes of text
// are left then.
func appendClean(dst, text []byte, most int) (out []byte, left int) {
	most += len(dst)
	for len(text) > 0 {
		n := min(plain(text), most-len(dst))
		dst = append(dst, text[:n]...)
		if text = text[n:]; len(text) == 0 || len(dst) == most {
			break
		}
		before := len(dst)
		var size int
		if dst, size = appendOdd(dst, text); len(dst) > most {
			dst = dst[:before]
			break
		}
		text = text[size:]
	}
	return dst, len(text)
}

// plain counts the bytes at the beginning of text that need no thought.
func plain(text []byte) int {
	for i, c := range text {
		if (c < 0x20 && c != '\t') || c >= 0x7f {
			return i
		}
	}
	return len(text)
}

// appendOdd appends what is to be shown of the first character or escape
// sequence of text, and returns the size of it in text.
func appendOdd(dst, text []byte) (out []byte, size int) {
	if text[0] == esc {
		size, colour := escape(text)
		if colour {
			dst = append(dst, text[:size]...)
		}
		return dst, size
	}
	r, size := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError && size == 1, r < 0x20, r == 0x7f:
		return appendHex(dst, text[0]), 1
	case r < 0xa0: // C1: what two of ESC's bytes say in one
		return appendHex(dst, byte(r)), size
	case r == 0x2028, r == 0x2029: // line ends to some terminals
		return append(dst, ' '), size
	case unseen(r):
		return dst, size
	}
	return append(dst, text[:size]...), size
}

func appendHex(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'x', hex[c>>4], hex[c&15])
}

// unseen reports whether a character takes no room of its own or turns the
// direction of writing (Unicode 16, general category Cf and what acts like it).
func unseen(r rune) bool {
	switch {
	case r == 0xad, r == 0x61c, r == 0x180e, r == 0xfeff:
	case r >= 0x200b && r <= 0x200f: // zero width, directional marks
	case r >= 0x202a && r <= 0x202e: // embeddings and overrides
	case r >= 0x2060 && r <= 0x206f: // joiners, isolates
	case r >= 0xfff9 && r <= 0xfffb: // annotations
	case r >= 0xe0000 && r <= 0xe007f: // tags
	default:
		return false
	}
	return true
}

// shows reports whether anything of text is to be seen.
func shows(text []byte) bool {
	for len(text) > 0 {
		switch c := text[0]; {
		case c == esc:
			size, _ := escape(text)
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
