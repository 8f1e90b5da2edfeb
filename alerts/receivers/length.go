package receivers

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// measure is the length of a text as a service counts it.
type measure func(text string) int

// The ways in which services count.
func inBytes(text string) int      { return len(text) }
func inCharacters(text string) int { return utf8.RuneCountInString(text) }

// inUTF16 counts units of UTF-16, of which an emoji has two.
func inUTF16(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// inJSON counts the bytes of a text within JSON.
func inJSON(text string) int {
	encoded, err := encodeJSON(text)
	if err != nil {
		return len(text)
	}
	return len(encoded) - len(`""`)
}

// escape writes one character so that it has no effect as markup.
type escape func(r rune) string

func asIs(r rune) string { return string(r) }

const ellipsis = "…"

// fit escapes a text and cuts it to a length. An ellipsis replaces the rest; no
// escape is cut in two.
func fit(text string, most int, m measure, e escape) string {
	var out strings.Builder
	used, room := 0, most-m(ellipsis)
	cutAt := 0 // the last end that leaves room for the ellipsis
	for _, r := range text {
		part := e(r)
		used += m(part)
		if used > most {
			if room < 0 {
				return ""
			}
			return out.String()[:cutAt] + ellipsis
		}
		out.WriteString(part)
		if used <= room {
			cutAt = out.Len()
		}
	}
	return out.String()
}
