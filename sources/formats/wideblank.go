package formats

import "encoding/binary"

// plain returns a line with a blank for each of the blanks of documents, chats and typesetting:
// the line itself where it has none.
func (c *cleaner) plain(raw []byte) []byte {
	if nextWideBlank(raw, 0) == len(raw) {
		return raw
	}
	c.blanked = appendPlain(c.blanked[:0], raw)
	return c.blanked
}

// appendPlain appends text with its wide blanks replaced.
func appendPlain(out, text []byte) []byte {
	for from := 0; from < len(text); {
		at := nextWideBlank(text, from)
		out = append(out, text[from:at]...)
		if at < len(text) {
			out = append(out, ' ')
		}
		from = at + wideBlank(text[at:])
	}
	return out
}

// nextWideBlank returns the offset of the next blank of more than one byte, the length of the
// text where none follows. It looks at eight bytes at once where they are ASCII.
func nextWideBlank(text []byte, at int) int {
	const word, notASCII = 8, 0x8080808080808080
	for at < len(text) {
		if at+word <= len(text) && binary.LittleEndian.Uint64(text[at:])&notASCII == 0 {
			at += word
			continue
		}
		if text[at] >= 0x80 && wideBlank(text[at:]) > 0 {
			return at
		}
		at++
	}
	return at
}

// isASCII looks at eight bytes at once.
func isASCII(text []byte) bool {
	const word, notASCII = 8, 0x8080808080808080
	at := 0
	for ; at+word <= len(text); at += word {
		if binary.LittleEndian.Uint64(text[at:])&notASCII != 0 {
			return false
		}
	}
	for ; at < len(text); at++ {
		if text[at] >= 0x80 {
			return false
		}
	}
	return true
}

// isPlain reports whether a line has printed characters of ASCII only: eight bytes at once, of which
// one borrows where it is below the blank.
func isPlain(text []byte) bool {
	const word, high, blanks = 8, 0x8080808080808080, 0x2020202020202020
	at := 0
	for ; at+word <= len(text); at += word {
		if eight := binary.LittleEndian.Uint64(text[at:]); (eight|(eight-blanks))&high != 0 {
			return false
		}
	}
	for ; at < len(text); at++ {
		if text[at] < ' ' || text[at] >= 0x80 {
			return false
		}
	}
	return true
}

// wideBlank returns the length in bytes of the blank that text begins with, 0 for a plain one and
// for any other character: U+00A0, U+1680, U+2000 to U+200A, U+202F, U+205F and U+3000.
func wideBlank(text []byte) int {
	if len(text) > 1 && text[0] == 0xC2 && text[1] == 0xA0 {
		return 2
	}
	if len(text) < 3 {
		return 0
	}
	is := false
	switch last := text[2]; text[0] {
	case 0xE1:
		is = text[1] == 0x9A && last == 0x80
	case 0xE2:
		is = text[1] == 0x80 && (last >= 0x80 && last <= 0x8A || last == 0xAF) || text[1] == 0x81 && last == 0x9F
	case 0xE3:
		is = text[1] == 0x80 && last == 0x80
	}
	if is {
		return 3
	}
	return 0
}
