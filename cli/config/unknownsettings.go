package config

import (
	"fmt"
	"strings"
)

// unknown reports a setting that does not exist, and the one that may be meant.
func (r *reader) unknown(path, key string, known []string) {
	full := strings.TrimPrefix(path+"."+key, ".")
	r.add(full, "there is no setting %q%s (see docs/configuration.md)", full, didYouMean(key, known))
}

// didYouMean suggests the nearest known name, "" where none is near: one letter
// in three may differ.
func didYouMean(key string, known []string) string {
	best, least := "", len(key)/3+2
	for _, name := range known {
		if d := distance(strings.ToLower(key), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
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
