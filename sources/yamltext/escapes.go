package yamltext

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
)

// The library itself decides which characters it escapes, and leaves characters
// that reverse or hide text as they are (U+202E, U+200B). So each escape passes
// through it in a form that it has to escape: U+FFFF, which no YAML text may
// contain, and the character's number in six digits.
const (
	marker     = `\uffff` // as JSON writes it
	written    = `\uFFFF` // as the library writes it
	digits     = 6
	lastLetter = '~'
)

// hold replaces the escapes of a JSON text by that form, except those of
// printable ASCII and of what the library escapes itself (C0).
func hold(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\u`)) {
		return text
	}
	held := make([]byte, 0, len(text)+len(text)/8)
	for i := 0; i < len(text); {
		switch {
		case text[i] != '\\':
			held = append(held, text[i])
			i++
		case text[i+1] == 'u':
			r, size := escaped(text[i:])
			if r > lastLetter {
				held = appendHeld(held, r)
			} else {
				held = append(held, text[i:i+size]...)
			}
			i += size
		case bytes.HasPrefix(text[i:], []byte(`\\uFFFF`)): // a text that looks like the form
			held = appendHeld(held, '\\')
			i += 2
		default:
			held = append(held, text[i:i+2]...)
			i += 2
		}
	}
	return held
}

// escaped reads the character of an escape that begins with \u, and the escape's length.
func escaped(text []byte) (rune, int) {
	high := number(text[2:6])
	if utf16.IsSurrogate(high) && len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
		return utf16.DecodeRune(high, number(text[8:12])), 12
	}
	return high, 6
}

func number(hex []byte) rune {
	n, _ := strconv.ParseUint(string(hex), 16, 32)
	return rune(n)
}

func appendHeld(held []byte, r rune) []byte {
	return fmt.Appendf(append(held, marker...), "%06X", r)
}

// release writes each escape that passed through the library as YAML writes it.
func release(text []byte) []byte {
	if !bytes.Contains(text, []byte(written)) {
		return text
	}
	var released []byte
	for {
		before, after, found := bytes.Cut(text, []byte(written))
		released = append(released, before...)
		if !found {
			return released
		}
		r := number(after[:digits])
		switch {
		case r == '\\':
			released = append(released, `\\`...)
		case r > 0xffff:
			released = fmt.Appendf(released, `\U%08X`, r)
		default:
			released = fmt.Appendf(released, `\u%04X`, r)
		}
		text = after[digits:]
	}
}
