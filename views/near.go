package views

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/termtext"
)

// Near are the names that a person may have meant by a word, the nearest first:
// one letter in two may differ. There are three at most.
func Near(word string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	for _, name := range names {
		if d := termtext.Distance(word, name); d <= max(len(word), 2)/2 {
			near = append(near, candidate{name, d})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var found []string
	for _, c := range near[:min(3, len(near))] {
		found = append(found, c.name)
	}
	return found
}

// OneLetterOff reports whether one letter that is missing, too many or another one makes a
// word of a name.
func OneLetterOff(word, name string) bool { return termtext.Distance(word, name) == 1 }
