package alerts

import (
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// Markdown is the table of the preset rules in docs/alerts.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| rule | an incident is | which troubles | after | sent again |\n| --- | --- | --- | --- | --- |\n")
	for _, r := range Presets() {
		name := "`" + r.Name + "`"
		if r.Off {
			name += " (off)"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", name, r.Means, r.matchWords(), r.AfterWords(), r.RepeatWords())
	}
	return b.String()
}

// AfterWords is how long a trouble lasts before it is an incident: "10m", "at once".
func (r *Rule) AfterWords() string { return lengthWords(r.For, "at once") }

// RepeatWords is after how long an open incident is sent again: "24h", "never".
func (r *Rule) RepeatWords() string { return lengthWords(r.Repeat, "never") }

// matchWords lists what a rule matches.
func (r *Rule) matchWords() string {
	var words []string
	if r.OnlyShared {
		words = append(words, "of an object that jobs share")
	}
	words = append(words, quoted("phase", r.Phases)...)
	words = append(words, quoted("severity", r.Severities)...)
	words = append(words, quoted("", r.Causes)...)
	return strings.Join(words, ", ")
}

func quoted[T train.Phase | train.Severity | train.Cause](what string, all []T) []string {
	var words []string
	for _, one := range all {
		words = append(words, strings.TrimSpace(what+" `"+string(one)+"`"))
	}
	return words
}

func lengthWords(length time.Duration, none string) string {
	if length == 0 {
		return none
	}
	text := length.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	return strings.TrimSuffix(text, "h0m") + map[bool]string{true: "h"}[strings.HasSuffix(text, "h0m")]
}
