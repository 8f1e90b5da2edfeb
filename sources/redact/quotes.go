package redact

import "strings"

// quoteAt returns the length of the quote at an offset, with its escape: ", \",
// \\\", \u0022, %22, &quot;. It is 0 for none.
func quoteAt(text string, at int) int {
	if at >= len(text) {
		return 0
	}
	switch text[at] {
	case '"', '\'', '`':
		return 1
	case '\\':
		return escapedQuote(text, at)
	case '%':
		if hasPrefix(text[at:], "%22") || hasPrefix(text[at:], "%27") {
			return 3
		}
	case '&':
		for _, quote := range [...]string{"&quot;", "&#34;", "&#39;", "&apos;", "&#x27;"} {
			if hasPrefix(text[at:], quote) {
				return len(quote)
			}
		}
	}
	return 0
}

func hasPrefix(text, prefix string) bool { return strings.HasPrefix(text, prefix) }

func escapedQuote(text string, at int) int {
	end := at
	for end < len(text) && text[end] == '\\' {
		end++
	}
	switch {
	case end < len(text) && strings.IndexByte("\"'`", text[end]) >= 0:
		return end + 1 - at
	case hasPrefix(text[end:], "u0022"), hasPrefix(text[end:], "u0027"):
		return end + 5 - at
	}
	return 0
}

// quoteEnd finds the closing quote: written like the first, with as many
// backslashes before it or fewer. A doubled quote is part of the value, as in YAML
// and CSV.
func quoteEnd(text string, from int, quote string) int {
	slashes := len(quote) - len(strings.TrimLeft(quote, `\`))
	last := quote[slashes:]
	most := min(len(text), from+maxValue)
	for i := from; i < most; i++ {
		if text[i] != last[0] || !hasPrefix(text[i:most], last) {
			continue
		}
		n := 0
		for i-n > from && text[i-n-1] == '\\' {
			n++
		}
		switch {
		case n > slashes: // escaped
		case slashes == 0 && len(last) == 1 && i > from && hasPrefix(text[i+1:most], last):
			i++
		default:
			return i - n
		}
	}
	if line := strings.IndexByte(text[from:most], '\n'); line >= 0 {
		return from + line
	}
	return most
}

// openingQuote returns the quote in which a value begins, "" for none. Within
// quotes of CSV it is doubled.
func openingQuote(text string, at int) string {
	n := quoteAt(text, at)
	if n == 1 && text[at] == '"' && at+2 < len(text) && text[at+1] == '"' && !isSpace(text[at+2]) && strings.IndexByte(",;:)]}\"'", text[at+2]) < 0 {
		n = 2
	}
	return text[at : at+n]
}
