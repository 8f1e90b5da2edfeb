package logfindings_test

import (
	"testing"
)

// minExact is the least share of texts whose first cause is the exact one, where a
// more general one would be accepted too.
const minExact = 0.92

// TestExactCauses checks how often the most precise cause comes first: a row that wins
// with a general cause over a precise one costs more than it mends.
func TestExactCauses(t *testing.T) {
	failures, exact := 0, 0
	for _, text := range labelledTexts(t) {
		name, want := text.fields[0], text.fields[1]
		if want == "none" {
			continue
		}
		failures++
		found := diagnosedBlock(text.text)
		if len(found) > 0 && string(found[0].Cause) == want {
			exact++
		} else if len(found) > 0 {
			t.Logf("%s: %s, exact is %s", name, found[0].Cause, want)
		}
	}
	if share := float64(exact) / float64(failures); share < minExact {
		t.Errorf("%d of %d causes are exact, %.3f, want %.2f or more", exact, failures, share, minExact)
	}
}
