package diagnose

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/diagnose/rule"
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

// Every cause appears once in the list and has its meaning and steps; what it
// hides is in the list too.
func TestTheListOfCausesIsWhole(t *testing.T) {
	seen := map[train.Cause]bool{}
	for _, c := range causes {
		if seen[c.ID] {
			t.Errorf("%s stands twice in the list", c.ID)
		}
		seen[c.ID] = true
		if c.Title == "" || c.Meaning == "" || c.Evidence == "" || c.Fix == "" || c.Stage == "" {
			t.Errorf("%s lacks words", c.ID)
		}
		checkWordsOf(t, c)
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

// A cause that only logs show has a text that shows it: a cause that nothing finds is a
// promise.
func TestEachCauseOfLogsHasATextThatTellsIt(t *testing.T) {
	var tables strings.Builder
	for _, folder := range []string{"../sources/signatures", "logfindings", "signals"} {
		files, err := filepath.Glob(folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(file, "_test.go") {
				tables.Write(text)
			}
		}
	}
	for _, described := range Causes() {
		if slices.Equal(described.From, []string{"logs"}) && !strings.Contains(tables.String(), `"`+string(described.ID)+`"`) {
			t.Errorf("no text of logs tells %s", described.ID)
		}
	}
}

// checkWordsOf checks the texts of a cause for how screens and docs use them:
// a title follows the rank, sentences follow each other, and screens print
// Markdown characters as they are.
func checkWordsOf(t *testing.T, c *rule.Cause) {
	t.Helper()
	if strings.HasSuffix(c.Title, ".") || !strings.HasSuffix(c.Meaning, ".") {
		t.Errorf("%s: a title is no sentence, a meaning is: %q, %q", c.ID, c.Title, c.Meaning)
	}
	if strings.ContainsAny(c.Title+c.Meaning+c.Fix, "`") {
		t.Errorf("%s: a backtick stands in words for screens", c.ID)
	}
	if len(c.Advice()) == 0 {
		t.Errorf("%s gives no advice", c.ID)
	}
	for _, step := range c.Steps() {
		if step.Text == "" || strings.Contains(step.Text, "$") {
			t.Errorf("%s: a step is no sentence and command: %q", c.ID, step.Text)
		}
	}
	for _, step := range c.Advice() {
		if step.Text == "" || strings.HasPrefix(step.Command, "kubectl") {
			t.Errorf("%s: advice names an object that nobody knows: %q", c.ID, step.Command)
		}
	}
}
