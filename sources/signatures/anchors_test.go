package signatures

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestAnchorsFindWhatTextsContain compares the search with that for each literal alone,
// in texts made of the table's literals and of ordinary lines.
func TestAnchorsFindWhatTextsContain(t *testing.T) {
	l, random := table(), rand.New(rand.NewPCG(1, 2))
	var literals []string
	for _, w := range l.anchors.words {
		literals = append(literals, w.text)
	}
	lines := strings.Split(ordinaryLines, "\n")
	for range 2000 {
		var text strings.Builder
		for range 1 + random.IntN(4) {
			literal := literals[random.IntN(len(literals))]
			if random.IntN(3) == 0 { // a part of it alone is none
				literal = literal[random.IntN(3):]
			}
			line := lines[random.IntN(len(lines))]
			text.WriteString(line[:random.IntN(len(line)+1)] + literal)
		}
		var want []uint16
		for _, w := range l.anchors.words {
			if strings.Contains(text.String(), w.text) && !slices.Contains(want, w.rule) {
				want = append(want, w.rule)
			}
		}
		got := l.anchors.find([]byte(text.String()), nil)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q: found %v, want %v", text.String(), got, want)
		}
	}
}
