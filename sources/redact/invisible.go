package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters that look like a space or like nothing: a name with one of them reads
// as the name without it.

// invisible reports whether a character beyond ASCII shows nothing: spaces, format
// characters, and letters and symbols that have an empty glyph (Hangul fillers, the
// Braille pattern without dots; Default_Ignorable_Code_Point of Unicode 16).
func invisible(r rune) bool {
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0, 0x1d159:
		return true
	}
	return r >= 0x80 && unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Cf, unicode.Variation_Selector)
}

// firstInvisible returns the offset of the first such character at or after an
// offset, -1 if there is none.
func firstInvisible(text string, at int) int {
	for i := at; i < len(text); i++ {
		for i+8 <= len(text) && eightASCII(text[i:i+8]) {
			i += 8
		}
		if i == len(text) || text[i] < utf8.RuneSelf {
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if invisible(r) {
			return i
		}
		i += n - 1
	}
	return -1
}

// withoutInvisible scans a text again with such characters left out, and with a
// space for each.
func (f *finder) withoutInvisible(text string) {
	first := firstInvisible(text, 0)
	if first < 0 {
		return
	}
	for _, instead := range []string{"", " "} {
		f.plain, f.cuts = f.plain[:0], f.cuts[:0]
		for kept, next := 0, first; ; next = firstInvisible(text, kept) {
			if next < 0 {
				f.plain = append(f.plain, text[kept:]...)
				break
			}
			_, n := utf8.DecodeRuneInString(text[next:])
			f.plain = append(append(f.plain, text[kept:next]...), instead...)
			kept = next + n
			f.cuts = append(f.cuts, cut{len(f.plain), kept - len(f.plain)})
		}
		f.rescan(string(f.plain))
	}
}

// eightASCII reports whether eight bytes are ASCII.
func eightASCII(t string) bool {
	return (t[0]|t[1]|t[2]|t[3]|t[4]|t[5]|t[6]|t[7])&0x80 == 0
}

// visible returns a name without characters that show nothing.
func visible(name string) string {
	if firstInvisible(name, 0) < 0 {
		return name
	}
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, name)
}
