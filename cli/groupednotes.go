package cli

import (
	"fmt"
	"strings"
)

// groupNotes joins notes with the same text, which thousands of logs may share:
// of more than a few the first are named and the others counted.
func groupNotes(notes []problemAnswer) []problemAnswer {
	const few, named = 5, 3
	var texts []string
	of := map[string][]string{}
	for _, n := range notes {
		if of[n.Text] == nil {
			texts = append(texts, n.Text)
		}
		of[n.Text] = append(of[n.Text], n.Source)
	}
	var grouped []problemAnswer
	for _, text := range texts {
		sources := of[text]
		if len(sources) > few {
			sources = []string{fmt.Sprintf("%s and %d more", strings.Join(sources[:named], ", "), len(sources)-named)}
		}
		for _, source := range sources {
			grouped = append(grouped, problemAnswer{source, text})
		}
	}
	return grouped
}
