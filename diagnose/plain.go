package diagnose

import (
	"strings"

	"github.com/traintop/traintop/termtext"
)

// longestText bounds what a finding quotes, in runes.
const longestText = 1024

// plain is text of a cluster as a finding quotes it, on one line.
func plain(text string) string { return termtext.Short(text, longestText) }

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
