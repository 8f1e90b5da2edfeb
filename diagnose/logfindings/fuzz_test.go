package logfindings_test

import (
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// rankBreak separates the logs of ranks in a seed.
const rankBreak = "\f"

// Whatever several ranks print, the answer is safe text for a screen: no
// control character, and no impossible rank, line or cause.
func FuzzRanks(f *testing.F) {
	all, err := os.ReadFile("testdata/public.txt")
	if err != nil {
		f.Fatal(err)
	}
	before := ""
	for _, block := range strings.Split(string(all), "\n=== ")[1:] {
		_, text, _ := strings.Cut(block, "\n")
		f.Add(text)
		f.Add(text + rankBreak + before)
		before = text
	}
	f.Fuzz(func(t *testing.T, text string) {
		ranks := strings.Split(text, rankBreak)
		for _, found := range diagnosed(ranks[:min(len(ranks), 8)]...) {
			if found.Cause == "" || found.Severity == "" || found.RootRank < -1 || len(found.Evidence) == 0 {
				t.Errorf("%+v", found)
			}
			words := []string{found.Title, found.Explanation}
			for _, e := range found.Evidence {
				words = append(words, e.Text)
				if e.Line < 0 {
					t.Errorf("evidence %+v", e)
				}
			}
			for _, said := range words {
				if !utf8.ValidString(said) || strings.ContainsFunc(said, unicode.IsControl) {
					t.Errorf("%s says %q", found.Cause, said)
				}
			}
		}
	})
}
