package rule

import (
	"strings"

	"github.com/traintop/traintop/termtext"
)

// LongestText bounds what a finding quotes, in runes.
const LongestText = 1024

// Plain returns text of a cluster as a finding quotes it, on one line.
func Plain(text string) string { return termtext.Short(withoutEcho(text), LongestText) }

// withoutEcho drops a last sentence that the sentence before it ends in.
// kube-scheduler 1.36 appends an error's text to the message made of it:
// `persistentvolumeclaim "c" not found. not found`.
func withoutEcho(text string) string {
	at := strings.LastIndex(text, ". ")
	if at < 0 {
		return text
	}
	last := strings.TrimRight(text[at+2:], ". ")
	if before, echoed := strings.CutSuffix(text[:at], " "+last); last == "" || !echoed || before == "" {
		return text
	}
	return text[:at]
}

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
