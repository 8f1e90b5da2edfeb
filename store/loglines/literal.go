package loglines

import (
	"bytes"
	"strings"
	"unicode"
)

// literal is a text to search for.
type literal struct {
	text []byte
	// fold is true when the case of ASCII letters is ignored; text is lower
	// case then.
	fold bool
	// rare is the index in text of the byte that is rarest in logs; lower and
	// upper are its two forms, the same for a byte that is no letter.
	rare         int
	lower, upper byte
}

func newLiteral(text []byte, fold bool) *literal {
	if !fold {
		return &literal{text: text}
	}
	l := &literal{text: bytes.Map(lowerASCII, text), fold: true}
	for i, b := range l.text {
		if common(b) < common(l.text[l.rare]) {
			l.rare = i
		}
	}
	l.lower = l.text[l.rare]
	l.upper = l.lower
	if 'a' <= l.lower && l.lower <= 'z' {
		l.upper -= 'a' - 'A'
	}
	return l
}

func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

func hasCase(r rune) bool { return unicode.SimpleFold(r) != r }

// index returns the first offset of the text, -1 without one. Where case is
// ignored it goes from one occurrence of the rare byte to the next, which is
// as fast as bytes.IndexByte where the byte is rare indeed.
func (l *literal) index(in []byte) int {
	if !l.fold {
		return bytes.Index(in, l.text)
	}
	lower, upper := -1, -1
	for from := l.rare; ; {
		lower = next(in, l.lower, from, lower)
		if l.upper != l.lower {
			upper = next(in, l.upper, from, upper)
		} else {
			upper = len(in)
		}
		at := min(lower, upper)
		start := at - l.rare
		if at == len(in) || start+len(l.text) > len(in) {
			return -1
		}
		if l.equal(in[start : start+len(l.text)]) {
			return start
		}
		from = at + 1
	}
}

// next returns the first offset of b at or after from, len(in) without one.
// known is the result for an earlier from.
func next(in []byte, b byte, from, known int) int {
	if known >= from {
		return known
	}
	if i := bytes.IndexByte(in[min(from, len(in)):], b); i >= 0 {
		return from + i
	}
	return len(in)
}

func (l *literal) equal(text []byte) bool {
	for i, b := range text {
		if b != l.text[i] && ('A' > b || b > 'Z' || b+'a'-'A' != l.text[i]) {
			return false
		}
	}
	return true
}

// byFrequency are the most frequent bytes in logs, the most frequent first,
// counted over some eighty logs of as many training frameworks.
const byFrequency = " 0.esat:o1nirl2cm_5p3469-8,d7g\"u/f|h[b]'vky()xw*z%{<}j~q"

// common returns how frequent a byte is in logs, in no unit.
func common(b byte) int {
	if i := strings.IndexByte(byFrequency, b); i >= 0 {
		return len(byFrequency) - i
	}
	return 0
}
