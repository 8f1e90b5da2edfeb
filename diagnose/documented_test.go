package diagnose

import (
	"flag"
	"os"
	"testing"

	"github.com/traintop/traintop/train"
)

var update = flag.Bool("update", false, "write docs/causes.md anew")

func TestCausesAreDocumented(t *testing.T) {
	const path = "../docs/causes.md"
	if *update {
		if err := os.WriteFile(path, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != Markdown() {
		t.Errorf("%s is stale (%v): run make generate", path, err)
	}
}

// Every cause stands once in the list and says what it means and what to do;
// what it hides is in the list too.
func TestTheListOfCausesIsWhole(t *testing.T) {
	seen := map[train.Cause]bool{}
	for _, c := range causes {
		if seen[c.ID] {
			t.Errorf("%s stands twice in the list", c.ID)
		}
		seen[c.ID] = true
		if c.Meaning == "" || c.Evidence == "" || c.Fix == "" || c.Stage == "" {
			t.Errorf("%s lacks words", c.ID)
		}
	}
	for _, c := range causes {
		for _, hidden := range c.Hides {
			if !seen[hidden] {
				t.Errorf("%s hides %s, which is not in the list", c.ID, hidden)
			}
			if hidden == c.ID {
				t.Errorf("%s hides itself", c.ID)
			}
		}
	}
}
