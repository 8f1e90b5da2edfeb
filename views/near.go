package views

import (
	"cmp"
	"slices"
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
		if d := distance(word, name); d <= max(len(word), 2)/2 {
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

// distance is how many letters have to be inserted, removed or changed to turn
// one word into another (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
