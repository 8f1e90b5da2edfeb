package rule

import (
	"strings"

	"github.com/traintop/traintop/termtext"
)

// LongestText bounds what a finding quotes, in runes.
const LongestText = 1024

// Plain returns text of a cluster as a finding quotes it, on one line.
func Plain(text string) string { return termtext.Short(text, LongestText) }

// HasAny reports whether text contains one of the words, in any case.
func HasAny(text string, words ...string) bool {
	text = strings.ToLower(text)
	for _, word := range words {
		if strings.Contains(text, strings.ToLower(word)) {
			return true
		}
	}
	return false
}

// Between returns the text between two marks; "" when they are missing.
func Between(text, open, end string) string {
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
