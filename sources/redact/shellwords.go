package redact

import "strings"

// shellEnd extends a value over what a shell joins to it without a blank: parts
// in quotes and without, and escaped characters (a\ b, "a"b, and two quoted parts with an escaped quote between them).
func shellEnd(text string, from, end int, quoted bool) int {
	most := min(len(text), from+maxValue)
	for end < most {
		at := end
		if quoted {
			at++ // the quote that closes the part
		}
		switch {
		case at >= most, quoted && (text[end] != '\'' && text[end] != '"'):
			return end
		case !quoted && text[at] == ' ' && at > from && text[at-1] == '\\':
			end = bareEnd(text, at+1)
		case quoted && hasPrefix(text[at:], `\'`), quoted && hasPrefix(text[at:], `\"`):
			end, quoted = at+2, false
			if end < most && quoteAt(text, end) == 1 && text[end] != '`' {
				end, quoted = closedAt(text, end, most)
			}
		case quoted && isAlnum(text[at]):
			end, quoted = bareEnd(text, at), false
		case quoted && text[at] != text[end] && (text[at] == '\'' || text[at] == '"') && at+1 < most && isAlnum(text[at+1]):
			end, quoted = closedAt(text, at, most)
		default:
			return end
		}
		if strings.IndexByte("\n\r", text[min(end, len(text)-1)]) >= 0 {
			return end
		}
	}
	return min(end, len(text))
}

// closedAt returns where the quoted part that begins at an offset is closed.
func closedAt(text string, at, most int) (end int, quoted bool) {
	if close := strings.IndexByte(text[at+1:most], text[at]); close >= 0 {
		return at + 1 + close, true
	}
	return bareEnd(text, at+1), false
}

const (
	// leastPhrase and mostPhrase bound how many words a seed phrase has (BIP 39).
	leastPhrase, mostPhrase = 12, 24
)

// seedPhrase masks the words after "seed phrase:": lower-case words and nothing
// else, as many as such phrases have.
func seedPhrase(f *finder, text string, at int) {
	end := cellEnd(text, at)
	sign := strings.IndexAny(text[at:end], ":=")
	if sign < 0 || sign > maxName {
		return
	}
	from, to := trimmed(text, at+sign+1, end)
	words := strings.Fields(text[from:to])
	if len(words) < leastPhrase || len(words) > mostPhrase || !f.spend(to-from) {
		return
	}
	for _, word := range words {
		if len(word) < 3 || len(word) > 8 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			return
		}
	}
	f.add(from, to, NamedPassword)
}
