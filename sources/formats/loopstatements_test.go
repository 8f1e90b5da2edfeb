package formats

import (
	"os"
	"strings"
	"testing"
)

// Each block of testdata/loopstatements.txt is what a statement of a training loop in a public repository
// prints, with invented numbers: a line with its origin, the lines, and behind "=> " the points. The
// numbers stand for themselves; the words and signs around them are those of the statement.
func TestLoopStatements(t *testing.T) {
	text, err := os.ReadFile("testdata/loopstatements.txt")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "\n# origin: ")[1:]
	if len(blocks) < 100 {
		t.Fatalf("only %d statements", len(blocks))
	}
	for _, block := range blocks {
		origin, rest, _ := strings.Cut(block, "\n")
		log, want, found := strings.Cut(rest, "\n=> ")
		if !found {
			t.Fatalf("%s: no points", origin)
		}
		if got := metricsOf(log); got != strings.TrimSpace(want) {
			t.Errorf("%s:\n%s\n\t%s\nwant\n\t%s", origin, log, got, want)
		}
	}
}
