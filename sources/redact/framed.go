package redact

import "strings"

// Framed returns where the last name of a secret begins in the text that was redacted
// last, if nothing is behind it but a sign and what is around the text of the line
// (quotes, JSON, a colour, a bar, a tag, its place in the code), and where that begins. to
// is 0 if there is none. The value may be alone on the next line, within the same.
func (r *Redactor) Framed() (from, to int) { return r.finder.framed[0], r.finder.framed[1] }

// frame records a name that only what is around the text of its line follows, and reports
// whether something does.
func (f *finder) frame(text string, from, value int) bool {
	if value < len(text) && isAlnum(text[value]) {
		return false // most values
	}
	end := value
	for text[end-1] == ' ' || text[end-1] == '\t' {
		end--
	}
	if sign := text[end-1]; sign != ':' && sign != '=' || value < len(text) && !isFrame(text, from, end, value) {
		return false
	}
	f.framed = [2]int{from, end}
	return value < len(text) && text[value] != '{' // a member of it may be the value
}

// isFrame reports whether the rest of a line, behind the sign at end, is around its text:
// it closes what was opened before the name, or is a note of its own.
func isFrame(text string, from, end, rest int) bool {
	for begin := rest; ; begin = rest {
		if newline := newlineAt(text, rest); newline != "" && newline[0] == '\\' {
			rest += len(newline)
		} else if rest < len(text) {
			rest += escapeAt(text, rest)
		}
		if rest == begin {
			break
		}
	}
	if rest >= len(text) {
		return text[end] == 0x1b
	}
	switch text[rest] {
	case '<':
		return hasPrefix(text[rest:], "</")
	case '(':
		file, line, found := strings.Cut(strings.TrimSuffix(text[rest+1:], ")"), ":")
		return rest > end && found && number(line) && strings.IndexByte(file, '.') > 0 && strings.IndexByte(file, ' ') < 0
	case '{':
		return rest > end && quoteAt(text, rest+1) > 0 && text[len(text)-1] == '}'
	}
	line := text[from-lineBefore(text, from) : from]
	if n := quoteAt(text, rest); n > 0 {
		return strings.Count(line, text[rest:rest+n])%2 == 1 && (rest+n == len(text) || strings.IndexByte(" \t\r,;)]}", text[rest+n]) >= 0 || newlineAt(text, rest+n) != "")
	}
	bar := barAt(text, rest)
	return bar != "" && strings.Contains(line, bar)
}
