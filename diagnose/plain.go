package diagnose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestText bounds what a finding quotes, in bytes.
const longestText = 1024

// plain makes text of a cluster fit for one line: control bytes go, white
// space folds, length is bounded.
func plain(text string) string {
	if isPlain(text) {
		return text
	}
	var line strings.Builder
	gap := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			gap = line.Len() > 0
			continue
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			continue
		}
		if line.Len()+utf8.RuneLen(r) >= longestText {
			line.WriteRune('…')
			break
		}
		if gap {
			line.WriteByte(' ')
			gap = false
		}
		line.WriteRune(r)
	}
	return line.String()
}

// isPlain spares the usual short ASCII sentence the walk.
func isPlain(text string) bool {
	if len(text) > longestText {
		return false
	}
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' || text[i] == ' ' && (i == 0 || i == len(text)-1 || text[i-1] == ' ') {
			return false
		}
	}
	return true
}

// hasAny reports whether text contains one of the words, in any case.
func hasAny(text string, words ...string) bool {
	text = strings.ToLower(text)
	for _, word := range words {
		if strings.Contains(text, strings.ToLower(word)) {
			return true
		}
	}
	return false
}

// between is what stands in text between two marks; "" when they are not there.
func between(text, open, end string) string {
	_, rest, found := strings.Cut(text, open)
	if !found {
		return ""
	}
	inner, _, closed := strings.Cut(rest, end)
	if !closed {
		return ""
	}
	return inner
}
