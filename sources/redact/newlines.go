package redact

import "strings"

// Newlines that a text contains in an escape: of JSON and most languages (\n, \\n where
// it is escaped twice), by their number (\x0a, \012, \u000a), and of rsyslog (#012). What
// is behind one is at the beginning of a line.

// hasEscapedNewline reports whether a text contains such a newline.
func hasEscapedNewline(text string) bool {
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '\\')
		if next < 0 {
			mark := strings.IndexByte(text, '#') // cheaper than a search for all of it
			return mark >= 0 && strings.Contains(text[mark:], "#012")
		}
		at += next
		if _, encodes := escapedNewline(text, at); encodes != "" {
			return true
		}
		for at < len(text) && text[at] == '\\' {
			at++
		}
	}
}

// escapedNewline returns the length of the escape of a newline at an offset, with that
// of a carriage return before it, and of a colour, which encodes nothing; 0 for none.
func escapedNewline(text string, at int) (n int, encodes string) {
	switch text[at] {
	case '#':
		if hasPrefix(text[at:], "#012") {
			return len("#012"), "\n"
		}
	case '\\':
		if newline := newlineAt(text, at); newline != "" {
			return len(newline), "\n"
		}
		sign := at + len(text[at:]) - len(strings.TrimLeft(text[at:], `\`))
		for _, number := range [...]string{"x0a", "012", "u000a"} {
			if hasPrefixFold(text[sign:], number) {
				return sign + len(number) - at, "\n"
			}
		}
	}
	return escapeAt(text, at), ""
}
